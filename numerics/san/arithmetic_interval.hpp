#pragma once
#include <boost/multiprecision/mpfi.hpp>

#include "numerics/default_digits.hpp"
#include "numerics/san/arithmetic_real.hpp"

namespace rankfall {

/// Intervals of MPFR numbers, rounded outward: MPFI through Boost.
using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<0>,
                                               boost::multiprecision::et_off>;

/// While it lives, Intervals are made with at least `p` bits and the widest exponents, as Reals in a
/// PrecisionScope.
class IntervalScope {
 public:
  explicit IntervalScope(Precision p) : scope_(p), digits_(default_digits<Interval>()) {
    set_default_digits<Interval>(default_digits<Real>());
  }
  ~IntervalScope() { set_default_digits<Interval>(digits_); }
  IntervalScope(const IntervalScope&) = delete;
  IntervalScope& operator=(const IntervalScope&) = delete;

 private:
  PrecisionScope scope_;
  unsigned digits_;
};

/// Enclosures at the precision of the IntervalScope that must be open around every use.
template <>
struct Arithmetic<Interval> {
  using Exponent = long;
  using Shift = long;

  static Interval of(const Rational& value) {
    Interval result;
    mpfi_set_q(result.backend().data(), value.backend().data());
    return result;
  }
  static Interval of(long value) { return Interval(value); }
  static void add_to(Interval& sum, const Interval& term) { sum += term; }
  static void subtract_from(Interval& sum, const Interval& term) { sum -= term; }
  static void add_product(Interval& sum, const Interval& a, const Interval& b) { sum += a * b; }
  static void multiply_by(Interval& a, const Interval& factor) { a *= factor; }
  static void divide_by(Interval& a, const Interval& divisor) { a /= divisor; }
  static Interval abs(const Interval& a) { return applied(a, mpfi_abs); }
  static Interval sqrt(const Interval& a) { return applied(a, mpfi_sqrt); }
  static Interval exp(const Interval& a) { return applied(a, mpfi_exp); }
  static Interval max(const Interval& a, const Interval& b) {
    Interval result;
    mpfr_max(low(result), low(a), low(b), MPFR_RNDD);
    mpfr_max(high(result), high(a), high(b), MPFR_RNDU);
    return result;
  }
  static bool is_zero(const Interval& a) { return mpfi_is_zero(a.backend().data()) > 0; }
  static bool less(const Interval& a, const Interval& b) { return mpfr_less_p(high(a), high(b)) != 0; }
  static Exponent exponent(const Interval& a) {
    Exponent most = mpfr_get_emin();
    for (const mpfr_srcptr end : {low(a), high(a)})
      if (mpfr_regular_p(end)) most = std::max(most, mpfr_get_exp(end));
    return most;
  }
  static Shift shift(const Integer& exponent) { return Arithmetic<Real>::shift(exponent); }
  /// 2^shift a; of infinite size outside MPFR's range.
  static Interval scaled(const Interval& a, Shift shift) {
    Interval result;
    mpfi_mul_2si(result.backend().data(), a.backend().data(), shift);
    return result;
  }
  static Interval scaled_expm1(const Interval& a, Shift shift) {
    if (is_zero(a)) return a;
    if (const long bits = current_bits(); exponent(a) + shift < -bits) {
      // |s| < 2^-bits for s = 2^shift a, and (e^s - 1)/s lies within |s| of 1.
      Interval near = of(1L), hair = scaled(of(1L), -bits);
      mpfr_sub(low(near), low(near), high(hair), MPFR_RNDD);
      mpfr_add(high(near), high(near), high(hair), MPFR_RNDU);
      return a * near;
    }
    return scaled(applied(scaled(a, shift), mpfi_expm1), -shift);
  }

  static mpfr_srcptr low(const Interval& a) { return &a.backend().data()->left; }
  static mpfr_srcptr high(const Interval& a) { return &a.backend().data()->right; }

 private:
  static mpfr_ptr low(Interval& a) { return &a.backend().data()->left; }
  static mpfr_ptr high(Interval& a) { return &a.backend().data()->right; }
  static Interval applied(const Interval& a, int (*function)(mpfi_ptr, mpfi_srcptr)) {
    Interval result;
    function(result.backend().data(), a.backend().data());
    return result;
  }
};

}  // namespace rankfall
