#pragma once
#include "numerics/san/arithmetic.hpp"

namespace rankfall {

/// An unevaluated sum of two doubles, |low| at most half a unit in the last place of high: some 106 bits on
/// the exponents of double.
struct DoubleDouble {
  double high = 0, low = 0;
};

namespace double_double {

/// a + b exactly, when |a| >= |b| or a is zero.
inline DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
/// a + b exactly.
inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
inline DoubleDouble sum(const DoubleDouble& a, const DoubleDouble& b) {
  DoubleDouble s = exact_sum(a.high, b.high);
  const DoubleDouble t = exact_sum(a.low, b.low);
  s = ordered_sum(s.high, s.low + t.high);
  return ordered_sum(s.high, s.low + t.low);
}
inline DoubleDouble negative(const DoubleDouble& a) {
  return {-a.high, -a.low};
}
inline DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  const double high = a.high * b.high;
  return ordered_sum(high, std::fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high));
}
/// Three quotients in double, each of what the ones before leave.
inline DoubleDouble quotient(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  DoubleDouble left = sum(a, negative(product(b, {first, 0})));
  const double second = left.high / b.high;
  left = sum(left, negative(product(b, {second, 0})));
  return sum(exact_sum(first, second), {left.high / b.high, 0});
}
inline DoubleDouble scaled(const DoubleDouble& a, int exponent) {
  return {std::ldexp(a.high, exponent), std::ldexp(a.low, exponent)};
}
/// e^a - 1 for |a| at most about 0.7: a power series at a / 256, then (1 + x)^2 - 1 = 2 x + x^2, eight times.
inline DoubleDouble small_expm1(const DoubleDouble& a) {
  constexpr int halvings = 8, terms = 12;
  const DoubleDouble x = scaled(a, -halvings);
  DoubleDouble result, term{1, 0};
  for (int k = 1; k <= terms; ++k) {
    term = quotient(product(term, x), {static_cast<double>(k), 0});
    result = sum(result, term);
  }
  for (int k = 0; k < halvings; ++k) result = sum(scaled(result, 1), product(result, result));
  return result;
}

}  // namespace double_double

template <>
struct Arithmetic<DoubleDouble> {
  using S = DoubleDouble;
  using Exponent = long;
  using Shift = long;
  using Part = Arithmetic<double>;

  static S of(const Rational& value) {
    const double high = value.convert_to<double>();
    if (!std::isfinite(high)) return {high, 0};
    return double_double::exact_sum(high, Rational(value - Rational(high)).convert_to<double>());
  }
  static S of(long value) { return of(Rational(value)); }
  static void add_to(S& sum, const S& term) { sum = double_double::sum(sum, term); }
  static void subtract_from(S& sum, const S& term) {
    sum = double_double::sum(sum, double_double::negative(term));
  }
  static void add_product(S& sum, const S& a, const S& b) { add_to(sum, double_double::product(a, b)); }
  static void multiply_by(S& a, const S& factor) { a = double_double::product(a, factor); }
  static void divide_by(S& a, const S& divisor) { a = double_double::quotient(a, divisor); }
  static S abs(const S& a) { return less(a, S{}) ? double_double::negative(a) : a; }
  /// The root of the high part, and one step of Newton.
  static S sqrt(const S& a) {
    const double root = std::sqrt(a.high);
    if (!(root > 0) || !std::isfinite(root)) return {root, 0};
    const S left =
        double_double::sum(a, double_double::negative(double_double::product({root, 0}, {root, 0})));
    return double_double::exact_sum(root, left.high / (2 * root));
  }
  static S exp(const S& a) {
    static const S ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    const double turns = std::nearbyint(a.high / ln2.high);
    if (!(std::fabs(turns) < 2000)) return {std::exp(a.high), 0};
    const S rest = double_double::sum(a, double_double::negative(double_double::product(ln2, {turns, 0})));
    return double_double::scaled(double_double::sum({1, 0}, double_double::small_expm1(rest)),
                                 static_cast<int>(turns));
  }
  static S max(const S& a, const S& b) { return less(a, b) ? b : a; }
  static bool is_zero(const S& a) { return a.high == 0; }
  static bool less(const S& a, const S& b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }
  static Exponent exponent(const S& a) { return Part::exponent(a.high); }
  static Shift shift(const Integer& exponent) { return Part::shift(exponent); }
  static S scaled(const S& a, Shift shift) { return double_double::scaled(a, static_cast<int>(shift)); }
  static S scaled_expm1(const S& a, Shift shift) {
    const S score = scaled(a, shift);
    if (std::fabs(score.high) < 0x1p-120) return a;
    if (std::fabs(score.high) < 0.5) return scaled(double_double::small_expm1(score), -shift);
    return scaled(double_double::sum(exp(score), {-1, 0}), -shift);
  }
};

}  // namespace rankfall
