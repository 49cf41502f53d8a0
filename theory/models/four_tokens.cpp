#include "theory/models/four_tokens.hpp"

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall::theory {
namespace {

void check(const FourTokens& model) {
  if (model.tokens < 4)
    throw DomainError("the model with three unit tokens has " + std::to_string(model.tokens) +
                      " tokens: at least 4 are needed");
}

}  // namespace

OneLayer layer(const FourTokens& model, const RationalTable& u) {
  check(model);
  OneLayer result{RationalTable(model.tokens, 3),
                  RationalTable(3, 3),
                  {0, model.logit, model.logit},
                  RationalTable(3, u.cols())};
  for (Index i = 0; i < 3; ++i) result.X(i, i) = 1;
  result.A(0, 1) = model.w;
  result.A(0, 2) = -model.w;
  for (Index j = 0; j < u.cols(); ++j) {
    result.W(1, j) = u(0, j);
    result.W(2, j) = -u(0, j);
  }
  return result;
}

Ball attended_difference(const FourTokens& model, Precision p) {
  check(model);
  const Ball w(model.w, p);
  Ball cosh;
  arb_cosh(cosh.raw(), w.raw(), p.bits);
  const Ball others = mul(Ball(model.tokens - 2), exp(Ball(Rational(-model.logit), p), p), p);
  return div(tanh(w, p), add(Ball(1), div(others, scale(cosh, 1), p), p), p);
}

Rational one_token_bound(long tokens, long m, const Rational& sigma) {
  const Rational others(tokens - 2), sum = 1 + sigma;
  const Rational at_zero = sum - (m - sigma) / others;
  const Rational at_half = sum * sum * (1 + others / 2) / (2 * Rational(m + 1));
  return std::min(at_zero, at_half);
}

Ball layer_cubic_quotient(const FourTokens& model, Precision p) {
  const Ball size = sqrt(Ball(one_token_bound(model.tokens, 0, 0), p), p);
  const Ball left = mul(attended_difference(model, p), size, p);
  return div(left, mul(Ball(Rational(4 * model.w), p), sqrt(Ball(2), p), p), p);  // |W| = sqrt2, residual 1
}

}  // namespace rankfall::theory
