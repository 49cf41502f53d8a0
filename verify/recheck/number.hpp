#pragma once
#include <mpfr.h>

#include "numerics/exact.hpp"

namespace rankfall::recheck {

/// Bits of an end.
struct Bits {
  long count;
};

/// A real number known to lie in [low, high] * 2^exponent: two MPFR ends, rounded outward by every operation,
/// and an integer exponent beside them, so that no size over- or underflows. A zero end is exact.
class Number {
 public:
  Number();  ///< exactly zero
  Number(const Number& other);
  Number(Number&& other) noexcept;
  Number& operator=(Number other) noexcept;
  ~Number();

  explicit Number(long value);
  Number(const Rational& value, Bits p);
  /// Uninitialised ends of so many bits, at the given exponent.
  static Number blank(Bits p, Integer exponent = 0);

  mpfr_ptr low() { return low_; }
  mpfr_ptr high() { return high_; }
  mpfr_srcptr low() const { return low_; }
  mpfr_srcptr high() const { return high_; }
  const Integer& exponent() const { return exponent_; }

  /// The one form of a value: the exponent is 0 where the larger end lies within 2^(+-2^20), else that end
  /// lies between 1/2 and 1. Throws DomainError when an end is no number.
  Number& settle();

 private:
  mpfr_t low_, high_;
  Integer exponent_;
};

Number add(const Number& a, const Number& b, Bits p);
Number sub(const Number& a, const Number& b, Bits p);
Number mul(const Number& a, const Number& b, Bits p);
/// Throws DomainError when b may be zero.
Number div(const Number& a, const Number& b, Bits p);
Number neg(const Number& a);
Number abs(const Number& a);
Number min(const Number& a, const Number& b);
Number max(const Number& a, const Number& b);
/// a * 2^exponent.
Number scale(const Number& a, const Integer& exponent);
/// [low end of a, high end of b].
Number between(const Number& a, const Number& b, Bits p);
Number lower(const Number& a);  ///< the end alone
Number upper(const Number& a);

/// What lies below zero is taken as zero; throws DomainError for certainly negative numbers.
Number sqrt(const Number& a, Bits p);
Number exp(const Number& a, Bits p);
Number expm1(const Number& a, Bits p);
/// e^a - 1 - a.
Number expm2(const Number& a, Bits p);
Number tanh(const Number& a, Bits p);
/// Throw DomainError unless a is certainly positive.
Number log(const Number& a, Bits p);
Number log10(const Number& a, Bits p);
/// a^exponent: any exponent for a >= 0, whole ones otherwise.
Number power(const Number& a, const Rational& exponent, Bits p);

/// For every choice of points.
bool certainly_less(const Number& a, const Number& b);
bool certainly_less_equal(const Number& a, const Number& b);
bool overlap(const Number& a, const Number& b);
bool is_zero(const Number& a);  ///< exactly
bool certainly_positive(const Number& a);
/// Orders by the low (high) ends.
bool low_end_less(const Number& a, const Number& b);
bool high_end_less(const Number& a, const Number& b);

}  // namespace rankfall::recheck
