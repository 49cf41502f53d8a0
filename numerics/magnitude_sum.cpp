// Sums in the logarithm: log2(2^a + 2^b) and log2(2^a - 2^b) are monotone in a and in b, so their values at
// the ends give the whole range, without the loss that a repeated operand costs in ball arithmetic.
#include "numerics/magnitude_parts.hpp"

namespace rankfall {
namespace {

using Sign = Magnitude::Sign;

/// Encloses log2(1 + 2^d) for a narrow d of at most about 0.
Ball log2_one_plus(const Ball& d, Precision p) {
  if (certainly_less(d, Ball(-p.bits - 8)))  // log2(1 + t) < 2t
    return between_zero_and(scale(Ball(1), -p.bits - 7));
  Ball result = power_of_two(d, p);
  arb_log1p(result.raw(), result.raw(), p.bits);
  return div(result, ln2(p), p);
}

/// Encloses log2(1 - 2^d) for a narrow d < 0.
Ball log2_one_minus(const Ball& d, Precision p) {
  const Precision guarded(p.bits + 16);
  if (certainly_less(d, Ball(-p.bits - 8)))  // -log2(1 - t) < 2t for t < 1/2
    return neg(between_zero_and(scale(Ball(1), -p.bits - 7)));
  return log2(neg(expm1(mul(d, ln2(guarded), guarded), guarded)), p);
}

/// Encloses log2(2^a + 2^b) for exact a, b.
Ball log2_sum(const Ball& a, const Ball& b, Precision p) {
  const bool first = midpoint_less(b, a);
  const Ball& big = first ? a : b;
  const Ball& small = first ? b : a;
  if (!is_finite(big)) return big;
  return add(big, log2_one_plus(sub(small, big, p), p), absolute_precision(big, p));
}

/// Encloses log2(2^a - 2^b) for exact a > b.
Ball log2_difference(const Ball& a, const Ball& b, Precision p) {
  if (!is_finite(a)) return a;
  return add(a, log2_one_minus(sub(b, a, Precision(p.bits + 16)), p), absolute_precision(a, p));
}

Sign opposite(Sign s) {
  if (s == Sign::positive) return Sign::negative;
  if (s == Sign::negative) return Sign::positive;
  return s;
}

/// x + y for x, y of one known sign.
Magnitude like_sum(const MagnitudeEnds& x, const MagnitudeEnds& y, Sign sign, Precision p) {
  return Magnitude::from_log2(hull(log2_sum(x.low, y.low, p), log2_sum(x.high, y.high, p), p), sign);
}

/// x - y for positive x, y, times `sign`.
Magnitude unlike_sum(const MagnitudeEnds& x, const MagnitudeEnds& y, Sign sign, Precision p) {
  if (certainly_less(y.high, x.low))
    return Magnitude::from_log2(hull(log2_difference(x.low, y.high, p), log2_difference(x.high, y.low, p), p),
                                sign);
  if (certainly_less(x.high, y.low)) return unlike_sum(y, x, opposite(sign), p);
  const bool above = certainly_less(y.low, x.high), below = certainly_less(x.low, y.high);
  if (!above && !below) return is_finite(x.low) ? Magnitude() : unknown_up_to(x.low);
  if (!below) return unknown_up_to(upper(log2_difference(x.high, y.low, p), p));
  const Ball under = upper(log2_difference(y.high, x.low, p), p);
  if (!above) return unknown_up_to(under);
  return unknown_up_to(max(upper(log2_difference(x.high, y.low, p), p), under, p));
}

/// x + y for |y| of unknown sign.
Magnitude blurred_sum(const MagnitudeEnds& x, const MagnitudeEnds& y, Sign sign, Precision p) {
  const Ball top = log2_sum(x.high, y.high, p);
  if (sign != Sign::unknown && certainly_less(y.high, x.low))
    return Magnitude::from_log2(hull(log2_difference(x.low, y.high, p), top, p), sign);
  return unknown_up_to(upper(top, p));
}

}  // namespace

Magnitude add(const Magnitude& a, const Magnitude& b, Precision p) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const MagnitudeEnds x(a, p), y(b, p);
  if (b.sign() == Sign::unknown) return blurred_sum(x, y, a.sign(), p);
  if (a.sign() == Sign::unknown) return blurred_sum(y, x, b.sign(), p);
  return a.sign() == b.sign() ? like_sum(x, y, a.sign(), p) : unlike_sum(x, y, a.sign(), p);
}

Magnitude sub(const Magnitude& a, const Magnitude& b, Precision p) {
  return add(a, neg(b), p);
}

}  // namespace rankfall
