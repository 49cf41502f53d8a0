#include "theory/models/two_clusters.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/models/one_layer.hpp"
#include "theory/models/rounded.hpp"

namespace rankfall::theory {
namespace {

std::size_t largest(const std::vector<Rational>& u) {
  std::size_t place = 0;
  for (std::size_t k = 1; k < u.size(); ++k)
    if (abs(u[k]) > abs(u[place])) place = k;
  return place;
}

Rational sign(const Rational& x) {
  return x < 0 ? -1 : x > 0 ? 1 : 0;
}

/// |u|_p^2, rational for all three p.
Rational squared_norm(const TwoClusters& model) {
  Rational sum = 0, squares = 0;
  for (const Rational& x : model.u) sum += abs(x), squares += x * x;
  const Rational top = abs(model.u[largest(model.u)]);
  return model.norm == VectorNorm::one   ? Rational(sum * sum)
         : model.norm == VectorNorm::two ? squares
                                         : Rational(top * top);
}

void check(const TwoClusters& model) {
  if (model.first < 1 || model.second < 1)
    throw DomainError("clusters of " + std::to_string(model.first) + " and " + std::to_string(model.second) +
                      " tokens: at least one in each is needed");
  if (model.u.empty() || model.u[largest(model.u)] == 0)
    throw DomainError("two clusters at u = 0 are one: some entry of u must differ from zero");
}

/// g g^T.
RationalTable dual_square(const TwoClusters& model) {
  const auto d = static_cast<Index>(model.u.size());
  const auto top = static_cast<Index>(largest(model.u));
  RationalTable result(d, d);
  if (model.norm == VectorNorm::inf) {
    result(top, top) = 1;
    return result;
  }
  const Rational scale = model.norm == VectorNorm::two ? Rational(1 / squared_norm(model)) : Rational(1);
  for (Index i = 0; i < d; ++i)
    for (Index j = 0; j < d; ++j) {
      const Rational& a = model.u[static_cast<std::size_t>(i)];
      const Rational& b = model.u[static_cast<std::size_t>(j)];
      result(i, j) = model.norm == VectorNorm::two ? Rational(a * b * scale) : Rational(sign(a) * sign(b));
    }
  return result;
}

Ball distance(const TwoClusters& model, Precision p) {
  return scale(sqrt(Ball(squared_norm(model), p), p), 1);
}

Ball score(const TwoClusters& model, Precision p) {
  return Ball(Rational(model.w * squared_norm(model)), p);
}

}  // namespace

Rational balance(long first, long second, long bits) {
  const Precision p(bits + 64);
  return rounded(log(Ball(Rational(second, first), p), p),
                 power(Integer(2), static_cast<unsigned long>(bits)));
}

Network network(const TwoClusters& model) {
  check(model);
  const auto d = static_cast<Index>(model.u.size());
  OneLayer layer{RationalTable(model.first + model.second, d), dual_square(model),
                 std::vector<Rational>(model.u.size()), RationalTable(d, d)};
  for (Index i = 0; i < layer.X.rows(); ++i)
    for (Index j = 0; j < d; ++j) {
      const Rational& x = model.u[static_cast<std::size_t>(j)];
      layer.X(i, j) = i < model.first ? x : Rational(-x);
    }
  for (Index i = 0; i < d; ++i) {
    layer.W(i, i) = model.v;
    for (Index j = 0; j < d; ++j) layer.A(i, j) *= model.w;
  }
  const std::size_t top = largest(model.u);
  layer.r[top] = model.balance / (2 * model.u[top]);
  return network(layer);
}

Ball input_diameter(const TwoClusters& model, Precision p) {
  check(model);
  return distance(model, p);
}

Ball output_diameter(const TwoClusters& model, Precision p) {
  check(model);
  // sinh(2k)/(cosh(2k) + cosh(b)) = tanh(k) / (1 + (cosh(b) - 1)/(2 cosh(k)^2))
  Ball offset = Ball(model.balance, p), half_sinh, cosh_score;
  if (model.first != model.second)
    offset = add(offset, log(Ball(Rational(model.first, model.second), p), p), p);
  const Ball k = score(model, p);
  arb_sinh(half_sinh.raw(), scale(offset, -1).raw(), p.bits);
  arb_cosh(cosh_score.raw(), k.raw(), p.bits);
  const Ball quotient = div(half_sinh, cosh_score, p);
  const Ball loss = add(Ball(1), mul(quotient, quotient, p), p);
  return div(diameter_bound(model, p), loss, p);
}

Ball diameter_bound(const TwoClusters& model, Precision p) {
  check(model);
  return mul(Ball(model.v, p), mul(tanh(score(model, p), p), distance(model, p), p), p);
}

}  // namespace rankfall::theory
