#include "numerics/softmax.hpp"

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

/// Scores up to 2^this are exponentiated as they are; a row with larger ones is divided by its largest
/// exponential.
constexpr long unshifted_exponent = 12;

Index largest(const BallVector& v) {
  Index best = 0;
  for (Index j = 1; j < v.size(); ++j)
    if (midpoint_less(v(best), v(j))) best = j;
  return best;
}

/// Whether an enclosure of a number in [-1, 1] still says something about it.
bool tells(const Ball& a) {
  return certainly_less(abs(a), Ball(2));
}

/// The exponents of scores as machine integers: clamped, which weakens bounds that no precision could see.
long clamped(const Integer& exponent) {
  constexpr long limit = 1L << 40;
  return exponent < -limit ? -limit : exponent > limit ? limit : exponent.convert_to<long>();
}

/// Scores 2^shift t and what is needed to take 2^-shift (e^score - 1) of them.
class ScaledExponential {
 public:
  ScaledExponential(const Integer& shift, Precision p) : shift_(shift), clamped_(clamped(shift)), p_(p) {}

  Ball score(const Ball& t) const { return scale(t, shift_); }
  Ball unscaled(const Ball& a) const { return scale(a, -shift_); }

  /// Whether e^score is out of reach without dividing by a larger one.
  bool is_large(const Ball& t) const {
    return !is_finite(t) || (!is_zero(t) && binary_exponent(t) + shift_ > unshifted_exponent);
  }

  /// Whether 2^shift a tells something about a number in [-1, 1].
  bool tells(const Ball& a) const {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, a.raw());
    const bool result = mag_cmp_2exp_si(size, 1 - clamped_) < 0;
    mag_clear(size);
    return result;
  }

  Ball expm1(const Ball& t) const {
    if (is_zero(t)) return {};
    mag_t size;
    mag_init(size);
    arb_get_mag(size, t.raw());
    Ball result;
    if (mag_cmp_2exp_si(size, -p_.bits - 2 - clamped_) > 0) {
      result = unscaled(rankfall::expm1(score(t), p_));
    } else {  // |e^s - 1 - s| <= s^2 for |s| <= 1
      result = t;
      mag_mul(size, size, size);
      mag_mul_2exp_si(size, size, clamped_);
      mag_add(arb_radref(result.raw()), arb_radref(result.raw()), size);
    }
    mag_clear(size);
    return result;
  }

 private:
  Integer shift_;
  long clamped_;
  Precision p_;
};

/// One row of D relative to `hot`: with the row constant chosen so that E_hot = 0, no term of m cancels
/// against the weight of `hot`. In a row with a large score all of e, m and 1 + m are divided by the largest
/// exponential, however little is known of its size: its own e is then 1 - 1/e^top, free of that doubt.
struct DeviationRow {
  const BallVector& q;
  const ScaledExponential& exponential;
  Precision p;
  BallVector e;

  void operator()(const BallVector& E, const Integer& shift, Ball* D) {
    const Index top = largest(E);
    const bool divided = exponential.is_large(E(top));
    const Ball unit = divided ? exp(neg(exponential.score(E(top))), p) : Ball(1);
    Ball m;
    for (Index j = 0; j < q.size(); ++j) {
      if (!divided)
        e(j) = exponential.expm1(E(j));
      else if (j == top)
        e(j) = exponential.unscaled(sub(Ball(1), unit, p));
      else
        e(j) = divided_expm1(E(j), E(top), unit);
      arb_addmul(m.raw(), q(j).raw(), e(j).raw(), p.bits);
    }
    // Beside 1 a tiny m is replaced by a bound; a unit far below 1 leaves no room for that.
    const Ball total = add(unit, divided ? exponential.score(m) : scaled_value(m, shift, p), p);
    for (Index j = 0; j < q.size(); ++j) {
      arb_sub(e(j).raw(), e(j).raw(), m.raw(), p.bits);
      arb_mul(e(j).raw(), e(j).raw(), q(j).raw(), p.bits);
      arb_div(D[j].raw(), e(j).raw(), total.raw(), p.bits);
    }
  }

  Ball divided_expm1(const Ball& t, const Ball& top, const Ball& unit) const {
    if (exponential.is_large(t) && certainly_positive(t))
      return exponential.unscaled(sub(exp(exponential.score(sub(t, top, p)), p), unit, p));
    return mul(unit, exponential.expm1(t), p);
  }
};

}  // namespace

Ball scaled_value(const Ball& a, const Integer& exponent, Precision p) {
  if (is_zero(a)) return {};
  const long floor = -2 * p.bits - 64;
  if (!is_finite(a) || binary_exponent(a) + exponent >= floor) return scale(a, exponent);
  return symmetric(scale(Ball(1), floor));
}

BallVector softmax(const BallVector& scores, Precision p) {
  if (scores.size() == 0) throw DomainError("softmax of no scores");
  const Index hot = largest(scores);
  BallVector q(scores.size());
  Ball total;
  for (Index j = 0; j < scores.size(); ++j) {
    q(j) = j == hot ? Ball(1) : exp(sub(scores(j), scores(hot), p), p);
    arb_add(total.raw(), total.raw(), q(j).raw(), p.bits);
  }
  for (Index j = 0; j < scores.size(); ++j) {
    Ball weight = q(j);
    arb_div(q(j).raw(), weight.raw(), total.raw(), p.bits);
    // The exact total is at least 1, whatever its enclosure.
    if (!tells(q(j))) q(j) = between_zero_and(tells(weight) ? weight : Ball(1));
  }
  return q;
}

ScaledMatrix softmax_deviation(const BallVector& q, const ScaledMatrix& E, Precision p) {
  const Index rows = E.mantissa.rows(), n = q.size(), hot = largest(q);
  const Integer shift = std::min(E.exponent, Integer(0));
  const ScaledExponential exponential(shift, p);
  ScaledMatrix D{BallMatrix(rows, n), shift};
  DeviationRow deviation{q, exponential, p, BallVector(n)};
  BallVector row(n);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (j == hot) continue;
      arb_sub(row(j).raw(), E.mantissa(i, j).raw(), E.mantissa(i, hot).raw(), p.bits);
      if (E.exponent > 0) row(j) = scale(row(j), E.exponent);
    }
    deviation(row, shift, &D.mantissa(i, 0));
    // P - q lies in [-q, 1 - q], also where the scores are too blurred to tell.
    for (Index j = 0; j < n; ++j) {
      Ball& entry = D.mantissa(i, j);
      if (!exponential.tells(entry)) entry = scale(sub(between_zero_and(Ball(1)), q(j), p), -shift);
    }
  }
  return D;
}

}  // namespace rankfall
