#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "numerics/slices/kernel.hpp"
#include "numerics/slices/plan.hpp"
#include "numerics/slices/power_of_two.hpp"

// Bodies that are compiled once for each kind of instructions. Nothing is fused and nothing reordered, so
// that all give the same bits.

#define RANKFALL_EVERY_KIND [[gnu::always_inline]] inline

namespace rankfall::slices {

constexpr double to_integer_shift = 0x1.8p52;  // adding and taking away rounds |x| < 2^51 to an integer

/// hi + lo = a + b, hi = a + b rounded.
RANKFALL_EVERY_KIND void two_sum(double a, double b, double& hi, double& lo) {
  const double sum = a + b, rest = sum - a;
  lo = (a - (sum - rest)) + (b - rest);
  hi = sum;
}

/// kernel.hpp, split
RANKFALL_EVERY_KIND bool split_body(const double* x, const double* y, int slices, int bits, double* out,
                                    Index stride) {
  constexpr int lanes = 8;
  const double base = power_of_two(bits);
  double high[lanes], low[lanes];
  for (int l = 0; l < lanes; ++l) two_sum(x[l], y[l], high[l], low[l]);
  for (int t = 0; t < slices; ++t) {
    double digits[lanes];
    for (int l = 0; l < lanes; ++l) {
      const double scaled = high[l] * base, digit = (scaled + to_integer_shift) - to_integer_shift;
      digits[l] = digit;
      two_sum(scaled - digit, low[l] * base, high[l], low[l]);
    }
    std::copy_n(digits, lanes, out + t * stride);
  }
  bool left = false;
  for (const double rest : high) left = left || rest != 0;
  return !left;
}

/// kernel.hpp, join
RANKFALL_EVERY_KIND void join_body(const double* sums, int diagonals, int bits, const long* exponents,
                                   double* hi, double* lo) {
  constexpr int lanes = 8;
  const double base = power_of_two(bits), inverse = power_of_two(-bits);
  for (int first = 0; first < right_width; first += lanes) {
    double digits[most_slices][lanes], carry[lanes] = {};
    for (int t = diagonals - 1; t > 0; --t)
      for (int l = 0; l < lanes; ++l) {
        const double sum = sums[t * tile_size + first + l] + carry[l];
        carry[l] = (sum * inverse + to_integer_shift) - to_integer_shift;
        digits[t][l] = sum - carry[l] * base;
      }
    for (int l = 0; l < lanes; ++l) digits[0][l] = sums[first + l] + carry[l];
    double unit = power_of_two(-static_cast<long>(bits) * (diagonals + 1)), sum[lanes] = {}, rest[lanes] = {};
    for (int t = diagonals - 1; t >= 0; --t, unit *= base)
      for (int l = 0; l < lanes; ++l) {
        double error;
        two_sum(digits[t][l] * unit, sum[l], sum[l], error);
        rest[l] += error;
      }
    double high[lanes], low[lanes];
    for (int l = 0; l < lanes; ++l) {
      two_sum(sum[l], rest[l], high[l], low[l]);
      // In two steps, each a normal double.
      const auto exponent = static_cast<std::uint64_t>(std::max(exponents[first + l], -2000L) + 2046);
      const std::uint64_t half = exponent >> 1;
      const double one = std::bit_cast<double>(half << 52),
                   other = std::bit_cast<double>((exponent - half) << 52);
      high[l] = high[l] * one * other;
      low[l] = low[l] * one * other;
    }
    std::copy_n(high, lanes, hi + first);
    std::copy_n(low, lanes, lo + first);
  }
}

#undef RANKFALL_EVERY_KIND

}  // namespace rankfall::slices
