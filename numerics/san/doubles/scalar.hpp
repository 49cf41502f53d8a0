#pragma once
#include <array>
#include <cmath>

#include "numerics/san/arithmetic_double_double.hpp"

namespace rankfall::doubles {

/// Arithmetic of the two kinds of midpoint under the same names. Operations on pairs are those of Joldes,
/// Muller and Popescu (ACM TOMS 44, 2017), with relative errors of at most 16 u^2.

[[gnu::always_inline]] inline double plus(double a, double b) {
  return a + b;
}
[[gnu::always_inline]] inline double minus(double a, double b) {
  return a - b;
}
[[gnu::always_inline]] inline double times(double a, double b) {
  return a * b;
}
[[gnu::always_inline]] inline double over(double a, double b) {
  return a / b;
}
[[gnu::always_inline]] inline DoubleDouble plus(const DoubleDouble& a, const DoubleDouble& b) {
  return double_double::sum(a, b);
}
[[gnu::always_inline]] inline DoubleDouble minus(const DoubleDouble& a, const DoubleDouble& b) {
  return double_double::sum(a, {-b.high, -b.low});
}
[[gnu::always_inline]] inline DoubleDouble times(const DoubleDouble& a, const DoubleDouble& b) {
  return double_double::product(a, b);
}
[[gnu::always_inline]] inline DoubleDouble over(const DoubleDouble& a, const DoubleDouble& b) {
  return double_double::quotient(a, b);
}
[[gnu::always_inline]] inline double nearest(double a) {
  return a;
}
[[gnu::always_inline]] inline double nearest(const DoubleDouble& a) {
  return a.high;
}
template <class T>
[[gnu::always_inline]] inline T number(double a);
template <>
[[gnu::always_inline]] inline double number<double>(double a) {
  return a;
}
template <>
[[gnu::always_inline]] inline DoubleDouble number<DoubleDouble>(double a) {
  return {a, 0};
}
/// a * power of two.
[[gnu::always_inline]] inline double moved(double a, double power) {
  return a * power;
}
[[gnu::always_inline]] inline DoubleDouble moved(const DoubleDouble& a, double power) {
  return {a.high * power, a.low * power};
}

/// 1/k! for k = 1, 2, ...: as many as (e^s - 1)/s needs for |s| <= 0.35.
template <class T>
struct Series;
template <>
struct Series<double> {
  static constexpr std::size_t terms = 14;
};
template <>
struct Series<DoubleDouble> {
  static constexpr std::size_t terms = 25;
};
template <class T>
const std::array<T, Series<T>::terms>& coefficients() {
  static const auto values = [] {
    std::array<T, Series<T>::terms> c{};
    T factorial = number<T>(1);
    for (std::size_t k = 0; k < c.size(); ++k) {
      factorial = times(factorial, number<T>(static_cast<double>(k + 1)));
      c[k] = over(number<T>(1), factorial);
    }
    return c;
  }();
  return values;
}

/// (e^s - 1)/s for |s| <= 0.35. The terms left out are below 2^-8 units; in Horner's scheme the coefficient
/// of s^k is rounded 2 k + 2 times, in all at most 2.2 units beside a sum of at least 0.84: a relative 3
/// units.
template <class T>
[[gnu::always_inline]] inline T series(const T& s) {
  const auto& c = coefficients<T>();
  T sum = c.back();
  for (std::size_t k = c.size() - 1; k-- > 0;) sum = plus(times(sum, s), c[k]);
  return sum;
}

/// s - k ln 2, k times each of the first two parts of ln 2 being exact. The first difference is exact, since
/// both numbers are within a factor of two of each other.
inline constexpr double ln2_parts[] = {0x1.62e42feep-1, 0x1.a39ef358p-33, -0x1.b0e2633fe0685p-67};
[[gnu::always_inline]] inline double reduced(double s, double k) {
  return ((s - k * ln2_parts[0]) - k * ln2_parts[1]) - k * ln2_parts[2];
}
[[gnu::always_inline]] inline DoubleDouble reduced(const DoubleDouble& s, double k) {
  const DoubleDouble first = double_double::exact_sum(s.high - k * ln2_parts[0], s.low);
  const DoubleDouble second = minus(first, DoubleDouble{k * ln2_parts[1], 0});
  return minus(second, times(DoubleDouble{k, 0}, DoubleDouble{ln2_parts[2], 0}));
}

/// e^s for |s| <= 600: off by at most a relative 8 units.
template <class T>
[[gnu::always_inline]] inline T exponential(const T& s) {
  if (std::fabs(nearest(s)) <= 0.35) return plus(number<T>(1), times(s, series(s)));
  const double k = std::nearbyint(nearest(s) / 0x1.62e42fefa39efp-1);
  const T f = reduced(s, k);
  return moved(plus(number<T>(1), times(f, series(f))), std::ldexp(1.0, static_cast<int>(k)));
}

/// e^s - 1 for |s| <= 600: off by at most a relative 32 units.
template <class T>
[[gnu::always_inline]] inline T exponential_minus_one(const T& s) {
  return std::fabs(nearest(s)) <= 0.35 ? times(s, series(s)) : minus(exponential(s), number<T>(1));
}

}  // namespace rankfall::doubles
