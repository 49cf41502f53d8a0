#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "numerics/ball.hpp"
#include "numerics/slices/plan.hpp"

namespace rankfall::slices {

/// Numbers as balanced digits, eight at a time. A number x in a frame F, |x| <= 2^(F-1), becomes integers
/// |d_t| <= 2^(bits-1) with |x - 2^F sum_t d_t 2^(-bits (t+1))| <= 2^F truncation(slices, bits), and equal
/// when x is a multiple of 2^(F - bits slices).
class Digits {
 public:
  static constexpr int lanes = 8;
  Digits(int slices, int bits);
  /// x is finite, its exponent small.
  void put(int lane, arf_srcptr x, long frame);
  void put_zero(int lane);
  /// Digit t of every lane to out + t * stride.
  void write(double* out, Index stride) const;

 private:
  static constexpr int most_words = (most_slices * 26 + 9) / 64 + 1;
  int slices_, bits_, words_;
  std::array<std::uint64_t, most_words> bias_{};  // half a unit, and half the base in every digit
  alignas(64) std::uint64_t lane_words_[most_words + 1][lanes] = {};
};

}  // namespace rankfall::slices
