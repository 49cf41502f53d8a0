#include "numerics/san/normalisation.hpp"

#include <fmt/format.h>

#include <utility>

#include "numerics/errors.hpp"
#include "numerics/product.hpp"
#include "numerics/softmax.hpp"

namespace rankfall {
namespace {

BallVector filled(const ExactMatrix& row, Index width, const Ball& absent, Precision p) {
  BallVector result(width);
  for (Index j = 0; j < width; ++j) result(j) = row.empty() ? absent : row.ball(0, j, p);
  return result;
}

/// rho = sqrt(variance + epsilon) must be above 0; `what` is "token 3" or "column 0".
void require_positive(const Ball& rho_squared, const NormalisationWeights& norm, const std::string& what) {
  if (certainly_positive(rho_squared)) return;
  if (is_zero(rho_squared))
    throw InputError(
        fmt::format("{}: {} of its input has variance 0 and epsilon is 0; one of them must be above 0",
                    norm.place, what));
  throw DomainError(fmt::format("{}: the variance of {} of its input cannot be told from 0, and epsilon is 0",
                                norm.place, what));
}

/// a minus its mean entry; exactly zero for entries that are exactly equal.
BallVector centred(BallVector a, Precision p) {
  bool equal = a.size() == 1 || is_exact(a(0));
  for (Index k = 1; k < a.size() && equal; ++k) equal = arb_equal(a(k).raw(), a(0).raw()) != 0;
  if (equal) return BallVector(a.size());
  Ball mean;
  for (Index k = 0; k < a.size(); ++k) mean = add(mean, a(k), p);
  mean = div(mean, Ball(static_cast<long>(a.size())), p);
  for (Index k = 0; k < a.size(); ++k) a(k) = sub(a(k), mean, p);
  return a;
}

/// A state with centred rows: token i is x + 2^exponent R_i.
struct Centred {
  BallVector x;
  std::vector<BallVector> R;
  const Integer& exponent;
  const NormalisationWeights& norm;
  Precision p;

  Centred(const NormalisationWeights& weights, const ResidualState& state, Precision precision)
      : x(centred(state.reference, precision)),
        exponent(state.residual.exponent),
        norm(weights),
        p(precision) {
    const BallMatrix& M = state.residual.mantissa;
    for (Index i = 0; i < M.rows(); ++i) R.push_back(centred(M.row(i).transpose(), p));
  }

  Ball variance(const BallVector& u) const { return div(dot(u, u, p), Ball(static_cast<long>(u.size())), p); }
  Ball rho_squared(const BallVector& u) const { return add(variance(u), norm.epsilon, p); }

  BallVector token(std::size_t i) const {
    BallVector u = x;
    for (Index k = 0; k < u.size(); ++k) u(k) = add(u(k), scale(R[i](k), exponent), p);
    return u;
  }

  /// rho of every token.
  BallVector deviations() const {
    BallVector result(static_cast<Index>(R.size()));
    for (std::size_t i = 0; i < R.size(); ++i) {
      const Ball squared = rho_squared(token(i));
      require_positive(squared, norm, fmt::format("token {}", i));
      result(static_cast<Index>(i)) = sqrt(squared, p);
    }
    return result;
  }

  /// Measures from the token of largest variance instead of x.
  void move_reference() {
    std::size_t best = 0;
    for (std::size_t i = 1; i < R.size(); ++i)
      if (midpoint_less(variance(token(best)), variance(token(i)))) best = i;
    x = token(best);
    const BallVector away = R[best];
    for (std::size_t i = 0; i < R.size(); ++i)
      for (Index k = 0; k < x.size(); ++k) R[i](k) = i == best ? Ball() : sub(R[i](k), away(k), p);
  }
};

/// (x + R)/rho - x/rho_x on the exponent of R, split along x: with t = x.R/|x|^2 and S = R - t x, the part
/// along x is
/// ((1+t) rho_x - rho)/(rho rho_x) = (t (2+t) epsilon - |S|^2/d)/(rho rho_x ((1+t) rho_x + rho)), where no
/// two numbers near each other are subtracted.
BallVector difference_along(const Centred& state, const Ball& x_squared, const Ball& rho_x,
                            const BallVector& R, const Ball& rho) {
  const Precision p = state.p;
  const Index d = R.size();
  const Ball t = div(dot(state.x, R, p), x_squared, p);
  BallVector S(d);  // of two centred entries there is one direction only: all of R lies along x
  for (Index k = 0; d > 2 && k < d; ++k) S(k) = sub(R(k), mul(t, state.x(k), p), p);
  const Ball one_and_t = add(Ball(1), scaled_value(t, state.exponent, p), p);
  Ball along;
  if (certainly_positive(one_and_t)) {
    const Ball spread = scale(state.variance(S), state.exponent);
    const Ball top = sub(mul(mul(t, add(Ball(1), one_and_t, p), p), state.norm.epsilon, p), spread, p);
    along = div(top, mul(mul(rho, rho_x, p), add(mul(one_and_t, rho_x, p), rho, p), p), p);
  } else {
    along = scale(sub(div(one_and_t, rho, p), div(Ball(1), rho_x, p), p), Integer(-state.exponent));
  }
  for (Index k = 0; k < d; ++k) S(k) = add(div(S(k), rho, p), mul(along, state.x(k), p), p);
  return S;
}

/// The same for an x that may be zero: (R - x/rho_x (rho - rho_x))/rho.
BallVector difference_about(const Centred& state, const Ball& rho_x, const BallVector& R, const Ball& rho) {
  const Precision p = state.p;
  const Ball squares = scale(dot(R, R, p), state.exponent);
  const Ball top = add(scale(dot(state.x, R, p), 1L), squares, p);
  const Ball growth = div(top, mul(Ball(static_cast<long>(R.size())), add(rho, rho_x, p), p), p);
  const Ball share = div(growth, rho_x, p);
  BallVector result(R.size());
  for (Index k = 0; k < R.size(); ++k) result(k) = div(sub(R(k), mul(share, state.x(k), p), p), rho, p);
  return result;
}

ResidualState apply_to_tokens(const NormalisationWeights& norm, const ResidualState& original, Precision p) {
  Centred state(norm, original, p);
  const BallVector rho = state.deviations();
  if (!certainly_positive(state.rho_squared(state.x))) state.move_reference();
  const Ball rho_x = sqrt(state.rho_squared(state.x), p), x_squared = dot(state.x, state.x, p);
  const bool has_direction = certainly_positive(x_squared);

  ResidualState result{norm.shift, {BallMatrix(original.residual.mantissa), state.exponent}};
  for (Index k = 0; k < norm.scale.size(); ++k)
    result.reference(k) = add(result.reference(k), mul(norm.scale(k), div(state.x(k), rho_x, p), p), p);
  for (Index i = 0; i < rho.size(); ++i) {
    const BallVector& R = state.R[static_cast<std::size_t>(i)];
    const BallVector moved = has_direction ? difference_along(state, x_squared, rho_x, R, rho(i))
                                           : difference_about(state, rho_x, R, rho(i));
    for (Index k = 0; k < moved.size(); ++k) result.residual.mantissa(i, k) = mul(norm.scale(k), moved(k), p);
  }
  return result;
}

Ball column_mean(const BallMatrix& a, Index k, Precision p) {
  Ball sum;
  for (Index i = 0; i < a.rows(); ++i) sum = add(sum, a(i, k), p);
  return div(sum, Ball(static_cast<long>(a.rows())), p);
}

ResidualState apply_to_columns(const NormalisationWeights& norm, const ResidualState& state, Precision p) {
  const ColumnFactors factors = column_factors(norm, state, p);
  const BallMatrix& M = state.residual.mantissa;
  ResidualState result{norm.shift,
                       {BallMatrix(M.rows(), M.cols()), state.residual.exponent + factors.exponent}};
  for (Index k = 0; k < M.cols(); ++k) {
    const Ball mean = mul(column_mean(M, k, p), factors.mantissa(k), p);
    result.reference(k) = sub(result.reference(k), scale(mean, result.residual.exponent), p);
    for (Index i = 0; i < M.rows(); ++i)
      result.residual.mantissa(i, k) = mul(M(i, k), factors.mantissa(k), p);
  }
  return result;
}

}  // namespace

NormalisationWeights weights(const Normalisation& norm, Index width, const std::string& place, Precision p) {
  return {norm.of, Ball(norm.epsilon, p), filled(norm.scale, width, Ball(1), p),
          filled(norm.shift, width, Ball(), p), place};
}

ResidualState apply(const NormalisationWeights& norm, const ResidualState& state, Precision p) {
  ResidualState result = norm.of == Normalisation::Of::token ? apply_to_tokens(norm, state, p)
                                                             : apply_to_columns(norm, state, p);
  normalise(result.residual);
  return result;
}

BallVector token_deviations(const NormalisationWeights& norm, const ResidualState& state, Precision p) {
  return Centred(norm, state, p).deviations();
}

ColumnFactors column_factors(const NormalisationWeights& norm, const ResidualState& state, Precision p) {
  const BallMatrix& M = state.residual.mantissa;
  const Integer& exponent = state.residual.exponent;
  const bool relative = is_zero(norm.epsilon);  // then the factors grow as the state shrinks
  ColumnFactors result{BallVector(M.cols()), relative ? Integer(-exponent) : Integer(0)};
  for (Index k = 0; k < M.cols(); ++k) {
    const Ball mean = column_mean(M, k, p);
    Ball variance;
    bool equal = true;
    for (Index i = 0; i < M.rows(); ++i) {
      const Ball deviation = sub(M(i, k), mean, p);
      arb_addmul(variance.raw(), deviation.raw(), deviation.raw(), p.bits);
      equal = equal && arb_equal(M(i, k).raw(), M(0, k).raw()) && is_exact(M(i, k));
    }
    variance = equal ? Ball() : div(variance, Ball(static_cast<long>(M.rows())), p);
    const Ball rho_squared = relative ? variance : add(scale(variance, 2 * exponent), norm.epsilon, p);
    require_positive(rho_squared, norm, fmt::format("column {}", k));
    result.mantissa(k) = div(norm.scale(k), sqrt(rho_squared, p), p);
  }
  return result;
}

}  // namespace rankfall
