#include "numerics/errors.hpp"
#include "numerics/flint_integer.hpp"
#include "numerics/magnitude_parts.hpp"

namespace rankfall {
namespace {

using Sign = Magnitude::Sign;

constexpr long least_exponent = -(1L << 60);   // smaller magnitudes are not formed as balls
constexpr long most_log2_exponent = 1L << 20;  // of an exponent that is held as an integer
constexpr long most_whole_bits = 1L << 16;     // of a logarithm that are kept before the point

/// Encloses log2(tanh(2^l)) for exact l.
Ball log2_tanh(const Ball& l, Precision p) {
  // t (1 - t^2/3) <= tanh t <= t, hence log2 falls by at most t^2.
  if (certainly_less(l, Ball(-p.bits / 2 - 4)))
    return add(l, neg(between_zero_and(scale(Ball(1), -p.bits - 7))), absolute_precision(l, p));
  constexpr long saturation = 40;  // tanh 2^40 > 1 - 2^(-2^41)
  if (certainly_less(Ball(saturation), l)) return neg(between_zero_and(scale(Ball(1), -p.bits - 7)));
  return log2(tanh(power_of_two(l, p), p), p);
}

}  // namespace

Precision absolute_precision(const Ball& log2, Precision p) {
  if (is_zero(log2) || !is_finite(log2)) return p;
  const Integer whole = binary_exponent(log2);
  if (whole <= 0) return p;
  return Precision(p.bits + (whole < most_whole_bits ? whole.convert_to<long>() : most_whole_bits));
}

Ball power_of_two(const Ball& log2, Precision p) {
  Integer whole = 0;
  Ball fraction = log2;
  if (is_finite(log2) && !is_zero(log2)) {
    if (binary_exponent(log2) > most_log2_exponent)
      throw DomainError("2^x for x in [" + lower_text(log2, 6) + ", " + upper_text(log2, 6) +
                        "]; |x| below 2^(2^20) is allowed");
    fmpz_t nearest;
    fmpz_init(nearest);
    arf_get_fmpz(nearest, arb_midref(log2.raw()), ARF_RND_NEAR);
    whole = to_integer(nearest);
    arb_sub_fmpz(fraction.raw(), fraction.raw(), nearest, ARF_PREC_EXACT);
    fmpz_clear(nearest);
  }
  return scale(exp(mul(fraction, ln2(p), p), p), whole);
}

Ball ball_or_bound(const Magnitude& a, Precision p) {
  if (a.is_zero()) return {};
  const bool unknown = a.sign() == Sign::unknown;
  const Ball top = upper(a.log2(), absolute_precision(a.log2(), p));
  if (certainly_less(top, Ball(least_exponent))) {
    const Ball least = scale(Ball(1), least_exponent);
    if (unknown) return symmetric(least);
    return a.sign() == Sign::negative ? neg(between_zero_and(least)) : between_zero_and(least);
  }
  const Ball value = power_of_two(unknown ? top : a.log2(), p);
  if (unknown) return symmetric(value);
  return a.sign() == Sign::negative ? neg(value) : value;
}

Magnitude sqrt(const Magnitude& a, Precision p) {
  return power(a, Rational(1, 2), p);
}

Magnitude exp(const Magnitude& a, Precision p) {
  return Magnitude::from_log2(div(ball_or_bound(a, p), ln2(p), p));
}

Magnitude log(const Magnitude& a, Precision p) {
  if (!a.certainly_positive()) throw DomainError("logarithm of a magnitude that may be zero or negative");
  return Magnitude(mul(a.log2(), ln2(p), p), p);
}

Magnitude tanh(const Magnitude& a, Precision p) {
  if (a.is_zero()) return a;
  const MagnitudeEnds x(a, p);
  const Ball top = log2_tanh(x.high, p);
  if (a.sign() == Sign::unknown) return unknown_up_to(upper(top, p));
  return Magnitude::from_log2(hull(log2_tanh(x.low, p), top, p), a.sign());
}

Magnitude power(const Magnitude& a, const Rational& exponent, Precision p) {
  if (exponent == 0) return Magnitude::from_log2(Ball());
  if (a.is_zero()) {
    if (exponent < 0) throw UndefinedError("zero to the negative power " + to_text(exponent));
    return a;
  }
  const bool integer = denominator(exponent) == 1;
  const bool even = integer && numerator(exponent) % 2 == 0;
  if (a.sign() == Sign::negative && !integer)
    throw UndefinedError("a negative number to the fractional power " + to_text(exponent));
  if (a.sign() == Sign::unknown && exponent < 0)
    throw DomainError("a number that may be zero to the negative power " + to_text(exponent));
  const Ball log2 = mul(a.log2(), Ball(exponent, Precision(p.bits + 8)), p);
  if (a.sign() == Sign::unknown) return Magnitude::from_log2(log2, Sign::unknown);
  return Magnitude::from_log2(log2, even ? Sign::positive : a.sign());
}

Magnitude power(const Magnitude& a, const Magnitude& exponent, Precision p) {
  if (exponent.is_zero()) return Magnitude::from_log2(Ball());
  if (!a.certainly_positive()) throw DomainError("a power with an inexact exponent needs a positive base");
  return Magnitude::from_log2(ball_or_bound(mul(Magnitude(a.log2(), p), exponent, p), p));
}

}  // namespace rankfall
