#pragma once
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "numerics/san/arithmetic.hpp"

namespace rankfall {

/// Boost's own binary floating point, with the 113 bits of IEEE's quadruple precision and wider exponents.
using Quadruple = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

template <>
struct Arithmetic<Quadruple> {
  using S = Quadruple;
  using Exponent = long;
  using Shift = long;

  static S of(const Rational& value) { return S(numerator(value).str()) / S(denominator(value).str()); }
  static S of(long value) { return S(value); }
  static void add_to(S& sum, const S& term) { sum += term; }
  static void subtract_from(S& sum, const S& term) { sum -= term; }
  static void add_product(S& sum, const S& a, const S& b) { sum += a * b; }
  static void multiply_by(S& a, const S& factor) { a *= factor; }
  static void divide_by(S& a, const S& divisor) { a /= divisor; }
  static S abs(const S& a) { return a < 0 ? S(-a) : a; }
  static S sqrt(const S& a) { return boost::multiprecision::sqrt(a); }
  static S exp(const S& a) { return boost::multiprecision::exp(a); }
  static S max(const S& a, const S& b) { return a < b ? b : a; }
  static bool is_zero(const S& a) { return a == 0; }
  static bool less(const S& a, const S& b) { return a < b; }
  static Exponent exponent(const S& a) {
    return (boost::multiprecision::isfinite)(a) ? boost::multiprecision::ilogb(a) + 1 : 0;
  }
  static Shift shift(const Integer& exponent) {
    constexpr long most = 40'000;
    return exponent < -most ? -most : exponent > most ? most : exponent.convert_to<long>();
  }
  static S scaled(const S& a, Shift shift) {
    return boost::multiprecision::ldexp(a, static_cast<int>(shift));
  }
  static S scaled_expm1(const S& a, Shift shift) {
    const S score = scaled(a, shift);
    if (abs(score) < S(0x1p-130)) return a;
    if (abs(score) > S(0.25)) return scaled(S(exp(score) - 1), -shift);
    S sum = 0, term = 1;
    for (int k = 1; k <= 28; ++k) {  // 0.25^29 / 29! is below 2^-113 of the first term
      term *= score / k;
      sum += term;
    }
    return scaled(sum, -shift);
  }
};

}  // namespace rankfall
