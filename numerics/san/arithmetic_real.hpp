#pragma once
#include "numerics/real.hpp"
#include "numerics/san/arithmetic.hpp"

namespace rankfall {

/// MPFR at the precision of the PrecisionScope that must be open around every use.
template <>
struct Arithmetic<Real> {
  using Exponent = long;
  using Shift = long;

  static Real of(const Rational& value) { return rounded<Real>(value); }
  static Real of(long value) { return Real(value); }
  static void add_to(Real& sum, const Real& term) { sum += term; }
  static void subtract_from(Real& sum, const Real& term) { sum -= term; }
  static void add_product(Real& sum, const Real& a, const Real& b) { sum += a * b; }
  static void multiply_by(Real& a, const Real& factor) { a *= factor; }
  static void divide_by(Real& a, const Real& divisor) { a /= divisor; }
  static Real abs(const Real& a) { return a < 0 ? Real(-a) : a; }
  static Real sqrt(const Real& a) { return boost::multiprecision::sqrt(a); }
  static Real exp(const Real& a) { return boost::multiprecision::exp(a); }
  static Real max(const Real& a, const Real& b) { return a < b ? b : a; }
  static bool is_zero(const Real& a) { return a == 0; }
  static bool less(const Real& a, const Real& b) { return a < b; }
  static Exponent exponent(const Real& a) { return mpfr_get_exp(a.backend().data()); }
  static Shift shift(const Integer& exponent) {
    constexpr long most = 1L << 61;
    return exponent < -most ? -most : exponent > most ? most : exponent.convert_to<long>();
  }
  /// 2^shift a; zero or infinite outside MPFR's range.
  static Real scaled(const Real& a, Shift shift) {
    Real result = a;
    mpfr_mul_2si(result.backend().data(), result.backend().data(), shift, MPFR_RNDN);
    return result;
  }
  static Real scaled_expm1(const Real& a, Shift shift) {
    if (a == 0 || exponent(a) + shift < -current_bits()) return a;
    Real result = scaled(a, shift);
    mpfr_expm1(result.backend().data(), result.backend().data(), MPFR_RNDN);
    return scaled(result, -shift);
  }
};

}  // namespace rankfall
