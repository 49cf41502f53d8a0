#pragma once
#include <cstdint>
#include <cstring>

#include "numerics/san/arithmetic.hpp"

namespace rankfall {

/// A number of 8 significant bits on the exponents of float (bfloat16). Every result is rounded to it, to
/// nearest, ties to even; sums are not kept in more bits on the way.
struct BFloat16 {
  float value = 0;

  BFloat16() = default;
  explicit BFloat16(float wide) : value(wide) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &wide, sizeof bits);
    if (!std::isfinite(wide)) return;
    bits += 0x7FFFU + ((bits >> 16U) & 1U);
    bits &= 0xFFFF0000U;
    std::memcpy(&value, &bits, sizeof bits);
  }
};

template <>
struct Arithmetic<BFloat16> {
  using Exponent = long;
  using Shift = long;
  using Wide = Arithmetic<float>;

  static BFloat16 of(const Rational& value) { return BFloat16(Wide::of(value)); }
  static BFloat16 of(long value) { return BFloat16(static_cast<float>(value)); }
  static void add_to(BFloat16& sum, const BFloat16& term) { sum = BFloat16(sum.value + term.value); }
  static void subtract_from(BFloat16& sum, const BFloat16& term) { sum = BFloat16(sum.value - term.value); }
  static void add_product(BFloat16& sum, const BFloat16& a, const BFloat16& b) {
    sum = BFloat16(sum.value + BFloat16(a.value * b.value).value);
  }
  static void multiply_by(BFloat16& a, const BFloat16& factor) { a = BFloat16(a.value * factor.value); }
  static void divide_by(BFloat16& a, const BFloat16& divisor) { a = BFloat16(a.value / divisor.value); }
  static BFloat16 abs(const BFloat16& a) { return BFloat16(Wide::abs(a.value)); }
  static BFloat16 sqrt(const BFloat16& a) { return BFloat16(Wide::sqrt(a.value)); }
  static BFloat16 exp(const BFloat16& a) { return BFloat16(Wide::exp(a.value)); }
  static BFloat16 max(const BFloat16& a, const BFloat16& b) { return a.value < b.value ? b : a; }
  static bool is_zero(const BFloat16& a) { return a.value == 0; }
  static bool less(const BFloat16& a, const BFloat16& b) { return a.value < b.value; }
  static Exponent exponent(const BFloat16& a) { return Wide::exponent(a.value); }
  static Shift shift(const Integer& exponent) { return Wide::shift(exponent); }
  static BFloat16 scaled(const BFloat16& a, Shift shift) { return BFloat16(Wide::scaled(a.value, shift)); }
  static BFloat16 scaled_expm1(const BFloat16& a, Shift shift) {
    return BFloat16(Wide::scaled_expm1(a.value, shift));
  }
};

}  // namespace rankfall
