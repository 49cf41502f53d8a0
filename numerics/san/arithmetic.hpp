#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>

#include "numerics/ball.hpp"

namespace rankfall {

/// What the recursion needs of a kind of number. This one serves float, double and long double; Real has its
/// own in san/arithmetic_real.hpp. Nothing is certified except for Ball, of which every operation encloses.
template <class Scalar>
struct Arithmetic {
  static_assert(std::floating_point<Scalar>, "include the arithmetic of this scalar");
  using Exponent = long;
  using Shift = long;

  /// The nearest number, or nearly so.
  static Scalar of(const Rational& value) {
    const double head = value.convert_to<double>();
    if (!std::isfinite(head)) return static_cast<Scalar>(head);
    return static_cast<Scalar>(head) +
           static_cast<Scalar>(Rational(value - Rational(head)).convert_to<double>());
  }
  static Scalar of(long value) { return static_cast<Scalar>(value); }
  static void add_to(Scalar& sum, const Scalar& term) { sum += term; }
  static void subtract_from(Scalar& sum, const Scalar& term) { sum -= term; }
  static void add_product(Scalar& sum, const Scalar& a, const Scalar& b) { sum += a * b; }
  static void multiply_by(Scalar& a, const Scalar& factor) { a *= factor; }
  static void divide_by(Scalar& a, const Scalar& divisor) { a /= divisor; }
  static Scalar abs(const Scalar& a) { return std::fabs(a); }
  static Scalar sqrt(const Scalar& a) { return std::sqrt(a); }
  static Scalar exp(const Scalar& a) { return std::exp(a); }
  static Scalar max(const Scalar& a, const Scalar& b) { return std::max(a, b); }
  static bool is_zero(const Scalar& a) { return a == 0; }
  /// For choosing, never for deciding.
  static bool less(const Scalar& a, const Scalar& b) { return a < b; }
  /// An e with |a| < 2^e; a is not zero.
  static Exponent exponent(const Scalar& a) { return std::isfinite(a) ? std::ilogb(a) + 1 : 0; }
  /// The exponent of a scaling, made ready for many numbers.
  static Shift shift(const Integer& exponent) {
    return exponent < -most ? -most : exponent > most ? most : exponent.convert_to<long>();
  }
  /// 2^shift a.
  static Scalar scaled(const Scalar& a, Shift shift) { return std::ldexp(a, static_cast<int>(shift)); }
  /// 2^-shift expm1(2^shift a) for shift <= 0, as accurate as a.
  static Scalar scaled_expm1(const Scalar& a, Shift shift) {
    const Scalar score = scaled(a, shift);
    if (std::fabs(score) < negligible) return a;
    return scaled(std::expm1(score), -shift);
  }

 private:
  static constexpr long most = 40'000;                                // beyond the exponents of long double
  static constexpr Scalar negligible = static_cast<Scalar>(0x1p-70);  // e^s - 1 is s
};

/// Enclosures at p bits.
template <>
struct Arithmetic<Ball> {
  using Exponent = Integer;
  using Shift = Integer;
  Precision p;

  explicit Arithmetic(Precision precision) : p(precision) {}

  Ball of(const Rational& value) const { return Ball(value, p); }
  static Ball of(long value) { return Ball(value); }
  void add_to(Ball& sum, const Ball& term) const { arb_add(sum.raw(), sum.raw(), term.raw(), p.bits); }
  void subtract_from(Ball& sum, const Ball& term) const { arb_sub(sum.raw(), sum.raw(), term.raw(), p.bits); }
  void add_product(Ball& sum, const Ball& a, const Ball& b) const {
    arb_addmul(sum.raw(), a.raw(), b.raw(), p.bits);
  }
  void multiply_by(Ball& a, const Ball& factor) const { arb_mul(a.raw(), a.raw(), factor.raw(), p.bits); }
  void divide_by(Ball& a, const Ball& divisor) const { arb_div(a.raw(), a.raw(), divisor.raw(), p.bits); }
  static Ball abs(const Ball& a) { return rankfall::abs(a); }
  Ball sqrt(const Ball& a) const { return rankfall::sqrt(a, p); }
  Ball exp(const Ball& a) const { return rankfall::exp(a, p); }
  Ball max(const Ball& a, const Ball& b) const { return rankfall::max(a, b, p); }
  static bool is_zero(const Ball& a) { return rankfall::is_zero(a); }
  static bool less(const Ball& a, const Ball& b) { return midpoint_less(a, b); }
  static Exponent exponent(const Ball& a) { return is_finite(a) ? binary_exponent(a) : Integer(0); }
  static const Integer& shift(const Integer& exponent) { return exponent; }
  static Ball scaled(const Ball& a, const Integer& shift) { return scale(a, shift); }
  Ball scaled_expm1(const Ball& a, const Integer& shift) const {
    if (rankfall::is_zero(a) || !is_finite(a)) return a;
    const Integer size = binary_exponent(a) + shift;
    if (size >= -p.bits) return scale(expm1(scale(a, shift), p), -shift);
    Ball factor(1);  // expm1(s) / s lies within |s| of 1 for |s| <= 1
    arb_add_error(factor.raw(), scale(Ball(1), size).raw());
    return mul(a, factor, p);
  }
};

}  // namespace rankfall
