#include "numerics/io/float_bytes.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace rankfall {
namespace {

/// sign, exponent and fraction of a format with 16 bits.
double small_value(std::uint64_t bits, int fraction_bits) {
  const int exponent_bits = 15 - fraction_bits;
  const std::uint64_t fraction = bits & ((1ULL << fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> fraction_bits & ((1ULL << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  double size = 0;
  if (exponent == top)
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    size = std::ldexp(static_cast<double>(fraction), 1 - bias - fraction_bits);
  else
    size =
        std::ldexp(static_cast<double>(fraction + (1ULL << fraction_bits)), exponent - bias - fraction_bits);
  return bits >> 15 ? -size : size;
}

}  // namespace

std::size_t bytes_of(FloatFormat format) {
  switch (format) {
    case FloatFormat::f64:
      return 8;
    case FloatFormat::f32:
      return 4;
    case FloatFormat::f16:
    case FloatFormat::bf16:
      return 2;
  }
  return 0;
}

double float_value(const char* bytes, FloatFormat format, bool big_endian) {
  const std::size_t size = bytes_of(format);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i)
    bits = bits << 8 | static_cast<unsigned char>(bytes[big_endian ? i : size - 1 - i]);
  switch (format) {
    case FloatFormat::f64:
      return std::bit_cast<double>(bits);
    case FloatFormat::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case FloatFormat::f16:
      return small_value(bits, 10);
    case FloatFormat::bf16:
      return small_value(bits, 7);
  }
  return 0;
}

}  // namespace rankfall
