#include "numerics/magnitude.hpp"

#include <bit>

#include "numerics/errors.hpp"
#include "numerics/magnitude_parts.hpp"

namespace rankfall {
namespace {

using Sign = Magnitude::Sign;

Sign times(Sign a, Sign b) {
  if (a == Sign::zero || b == Sign::zero) return Sign::zero;
  if (a == Sign::unknown || b == Sign::unknown) return Sign::unknown;
  return a == b ? Sign::positive : Sign::negative;
}

Sign opposite(Sign s) {
  if (s == Sign::positive) return Sign::negative;
  if (s == Sign::negative) return Sign::positive;
  return s;
}

}  // namespace

Magnitude::Magnitude(const Ball& mantissa, const Integer& exponent, Precision p) {
  if (rankfall::is_zero(mantissa)) return;
  const Ball shift(exponent);
  const Precision sum = absolute_precision(shift, p);  // the digits of the exponent come before those of p
  if (rankfall::certainly_positive(mantissa)) {
    sign_ = Sign::positive;
    log2_ = rankfall::add(rankfall::log2(mantissa, p), shift, sum);
  } else if (certainly_negative(mantissa)) {
    sign_ = Sign::negative;
    log2_ = rankfall::add(rankfall::log2(rankfall::neg(mantissa), p), shift, sum);
  } else {
    sign_ = Sign::unknown;
    const Ball bound = upper(rankfall::symmetric(mantissa), p);
    log2_ = is_finite(bound) ? upper(rankfall::add(rankfall::log2(bound, p), shift, sum), sum) : bound;
  }
}

Magnitude::Magnitude(const Ball& value, Precision p) : Magnitude(value, Integer(0), p) {}
Magnitude::Magnitude(const Rational& value, Precision p) : Magnitude(Ball(value, Precision(p.bits + 8)), p) {}

Magnitude Magnitude::from_log2(const Ball& log2, Sign sign) {
  Magnitude result;
  result.sign_ = sign;
  if (sign != Sign::zero) result.log2_ = log2;
  return result;
}

const Ball& Magnitude::log2() const {
  if (is_zero()) throw UndefinedError("logarithm of a magnitude that is exactly zero");
  return log2_;
}

Ball Magnitude::log10(Precision p) const {
  Ball ten;
  // Arb keeps its constants, and computes them anew for every bit more: precisions that grow bit by bit with
  // the depth had better double.
  thread_local long computed = 0;
  if (p.bits + 8 > computed) {
    computed = static_cast<long>(std::bit_ceil(static_cast<unsigned long>(p.bits + 8)));
    arb_const_log10(ten.raw(), computed);
    ln2(Precision(computed));
  }
  arb_const_log10(ten.raw(), p.bits + 8);
  return div(mul(log2(), ln2(Precision(p.bits + 8)), Precision(p.bits + 8)), ten, p);
}

Ball Magnitude::to_ball(Precision p) const {
  const Ball limit = scale(Ball(1), 60L);
  const bool large = !is_zero() && !certainly_less(upper(log2_, p), limit);
  const bool small =
      !is_zero() && sign_ != Sign::unknown && !certainly_less(rankfall::neg(limit), lower(log2_, p));
  if (large || small)
    throw DomainError("a magnitude with log2 in [" + (small ? lower_text(log2_, 6) + ", " : "-inf, ") +
                      upper_text(log2_, 6) + "] has no ball; |log2| below 2^60 is allowed");
  return ball_or_bound(*this, p);
}

Magnitude mul(const Magnitude& a, const Magnitude& b, Precision p) {
  const Sign sign = times(a.sign(), b.sign());
  if (sign == Sign::zero) return {};
  return Magnitude::from_log2(add(a.log2(), b.log2(), p), sign);
}

Magnitude div(const Magnitude& a, const Magnitude& b, Precision p) {
  if (b.is_zero()) throw UndefinedError("division by a magnitude that is exactly zero");
  if (b.sign() == Sign::unknown) throw DomainError("division by a magnitude that may be zero");
  if (a.is_zero()) return {};
  return Magnitude::from_log2(sub(a.log2(), b.log2(), p), times(a.sign(), b.sign()));
}

Magnitude neg(const Magnitude& a) {
  if (a.is_zero()) return a;
  return Magnitude::from_log2(a.log2(), opposite(a.sign()));
}

Magnitude abs(const Magnitude& a) {
  return a.sign() == Sign::negative ? neg(a) : a;
}

Magnitude max(const Magnitude& a, const Magnitude& b, Precision p) {
  if (certainly_less_equal(a, b)) return b;
  if (certainly_less_equal(b, a)) return a;
  if (a.sign() == b.sign() && a.certainly_positive())
    return Magnitude::from_log2(max(a.log2(), b.log2(), absolute_precision(a.log2(), p)));
  if (a.sign() == b.sign() && a.sign() == Sign::negative)
    return Magnitude::from_log2(min(a.log2(), b.log2(), absolute_precision(a.log2(), p)), Sign::negative);
  if (b.certainly_positive()) return max(b, a, p);
  if (!a.certainly_positive()) return hull(a, b, p);
  // a > 0, and b may exceed it: the maximum is at least a.
  return Magnitude::from_log2(hull(a.log2(), upper(b.log2(), absolute_precision(b.log2(), p)), p));
}

Magnitude min(const Magnitude& a, const Magnitude& b, Precision p) {
  return neg(max(neg(a), neg(b), p));
}

bool certainly_less(const Magnitude& a, const Magnitude& b) {
  switch (a.sign()) {
    case Sign::zero:
      return b.sign() == Sign::positive;
    case Sign::positive:
      return b.sign() == Sign::positive && certainly_less(a.log2(), b.log2());
    case Sign::negative:
      if (b.sign() == Sign::negative) return certainly_less(b.log2(), a.log2());
      if (b.sign() == Sign::unknown) return certainly_less(upper(b.log2(), Precision(64)), a.log2());
      return true;
    case Sign::unknown:
      return b.sign() == Sign::positive && certainly_less(upper(a.log2(), Precision(64)), b.log2());
  }
  return false;
}

bool certainly_less_equal(const Magnitude& a, const Magnitude& b) {
  if (a.is_zero() && b.is_zero()) return true;
  if (a.certainly_positive() && b.certainly_positive()) return certainly_less_equal(a.log2(), b.log2());
  if (a.sign() == Sign::negative && b.sign() == Sign::negative)
    return certainly_less_equal(b.log2(), a.log2());
  return certainly_less(a, b);
}

bool overlap(const Magnitude& a, const Magnitude& b) {
  return !certainly_less(a, b) && !certainly_less(b, a);
}

Magnitude hull(const Magnitude& a, const Magnitude& b, Precision p) {
  if (a.is_zero() && b.is_zero()) return a;
  if (a.sign() == b.sign() && a.sign() != Sign::unknown)
    return Magnitude::from_log2(hull(a.log2(), b.log2(), p), a.sign());
  if (a.is_zero()) return Magnitude::from_log2(upper(b.log2(), p), Sign::unknown);
  if (b.is_zero()) return Magnitude::from_log2(upper(a.log2(), p), Sign::unknown);
  return Magnitude::from_log2(max(upper(a.log2(), p), upper(b.log2(), p), p), Sign::unknown);
}

}  // namespace rankfall
