#include "numerics/softmax.hpp"

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

/// Up to this exponent of the scores e^score is formed without shifting the row.
constexpr long unshifted_exponent = 12;

Index largest(const BallVector& v) {
  Index best = 0;
  for (Index j = 1; j < v.size(); ++j)
    if (midpoint_less(v(best), v(j))) best = j;
  return best;
}

/// 2^-shift expm1(2^shift t) for t a mantissa on the exponent `shift`.
Ball scaled_expm1(const Ball& t, const Integer& shift, Precision p) {
  if (is_zero(t)) return {};
  const Integer size = binary_exponent(t) + shift;  // |2^shift t| <= 2^size
  if (size >= -p.bits - 2) return scale(expm1(scale(t, shift), p), -shift);
  Ball result = t;  // |expm1(s) - s| <= s^2 for |s| <= 1
  arb_add_error(result.raw(), scale(symmetric(t), size).raw());
  return result;
}

/// The row D_i, relative to `hot`: with the row constant chosen so that E_i,hot = 0, no term of m_i cancels against the
/// weight of `hot`.
void deviation_row(const BallVector& q, const BallVector& E, const Integer& shift, Precision p, BallMatrix& D, Index i) {
  const Index n = q.size();
  BallVector e(n);
  Ball m;
  for (Index j = 0; j < n; ++j) {
    e(j) = scaled_expm1(E(j), shift, p);
    arb_addmul(m.raw(), q(j).raw(), e(j).raw(), p.bits);
  }
  const Ball total = add(Ball(1), scaled_value(m, shift, p), p);
  for (Index j = 0; j < n; ++j) {
    arb_sub(e(j).raw(), e(j).raw(), m.raw(), p.bits);
    arb_mul(e(j).raw(), e(j).raw(), q(j).raw(), p.bits);
    arb_div(D(i, j).raw(), e(j).raw(), total.raw(), p.bits);
  }
}

/// The same for scores so far apart that e^E must be formed from the largest down: D_i = P_i - q, the entry of `hot`
/// from the others, whose sum it balances.
void distant_row(const BallVector& q, const BallVector& E, const Integer& shift, Index hot, Precision p, BallMatrix& D,
                 Index i) {
  const Index n = q.size();
  const Ball top = E(largest(E));
  BallVector weight(n);
  Ball total, rest;
  for (Index j = 0; j < n; ++j) {
    weight(j) = mul(q(j), exp(scale(sub(E(j), top, p), shift), p), p);
    total = add(total, weight(j), p);
  }
  for (Index j = 0; j < n; ++j) {
    if (j == hot) continue;
    D(i, j) = scale(sub(div(weight(j), total, p), q(j), p), -shift);
    rest = add(rest, D(i, j), p);
  }
  D(i, hot) = neg(rest);
}

}  // namespace

Ball scaled_value(const Ball& a, const Integer& exponent, Precision p) {
  if (is_zero(a)) return {};
  const long floor = -2 * p.bits - 64;
  if (binary_exponent(a) + exponent >= floor) return scale(a, exponent);
  return symmetric(scale(Ball(1), floor));
}

BallVector softmax(const BallVector& scores, Precision p) {
  if (scores.size() == 0) throw DomainError("softmax of no scores");
  const Ball top = scores(largest(scores));
  BallVector weight(scores.size());
  Ball total;
  for (Index j = 0; j < scores.size(); ++j) {
    weight(j) = exp(sub(scores(j), top, p), p);
    total = add(total, weight(j), p);
  }
  for (Index j = 0; j < scores.size(); ++j) weight(j) = div(weight(j), total, p);
  return weight;
}

ScaledMatrix softmax_deviation(const BallVector& q, const ScaledMatrix& E, Precision p) {
  const Index n = E.mantissa.rows();
  const Index hot = largest(q);
  const Integer shift = E.exponent < 0 ? E.exponent : Integer(0);
  ScaledMatrix D{BallMatrix(n, n), shift};
  BallVector row(n);
  for (Index i = 0; i < n; ++i) {
    bool distant = false;
    for (Index j = 0; j < n; ++j) {
      arb_sub(row(j).raw(), E.mantissa(i, j).raw(), E.mantissa(i, hot).raw(), p.bits);
      if (j == hot) row(j) = Ball();
      if (E.exponent > 0) row(j) = scale(row(j), E.exponent);
      if (!is_zero(row(j)) && binary_exponent(row(j)) + shift > unshifted_exponent) distant = true;
    }
    if (distant)
      distant_row(q, row, shift, hot, p, D.mantissa, i);
    else
      deviation_row(q, row, shift, p, D.mantissa, i);
  }
  return D;
}

}  // namespace rankfall
