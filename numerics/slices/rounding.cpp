#include "numerics/slices/rounding.hpp"

#include <bit>
#include <cstdint>

#include "numerics/slices/power_of_two.hpp"

namespace rankfall::slices {
namespace {

constexpr int most_words = (most_slices * 26 + 64) / 64 + 2;

/// The least mag above value 2^exponent or equal or one unit above; value is a normal double, mag is zero.
void set_upper(mag_ptr mag, double value, long exponent) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  std::uint64_t mantissa = ((bits & 0xfffffffffffffULL) | 0x10000000000000ULL) >> (53 - MAG_BITS);
  long e = static_cast<long>(bits >> 52) - 1022 + exponent;
  if (++mantissa >> MAG_BITS) {
    mantissa >>= 1;
    ++e;
  }
  MAG_MAN(mag) = mantissa;
  MAG_EXP(mag) = e;
}

}  // namespace

Rounding::Rounding(int bits, int diagonals, Index stride, Precision p)
    : bits_(bits),
      diagonals_(diagonals),
      words_((bits * (diagonals - 1) + 55) / 64 + 1),
      stride_(stride),
      p_(p.bits) {}

void Rounding::set(arb_ptr ball, const double* sums, double radius, long frame) const {
  // The integer sum_t sums[t] 2^(bits (diagonals - 1 - t)), in two's complement.
  std::uint64_t words[most_words];
  const std::int64_t mask = (std::int64_t(1) << bits_) - 1;
  std::int64_t carry = 0;
  std::uint64_t word = 0;
  int count = 0, bit = 0;
  for (int t = diagonals_ - 1; t > 0; --t) {
    const std::int64_t sum = static_cast<std::int64_t>(sums[t * stride_]) + carry;
    const auto field = static_cast<std::uint64_t>(sum & mask);
    carry = sum >> bits_;
    word |= field << bit;
    bit += bits_;
    if (bit >= 64) {
      words[count++] = word;
      bit -= 64;
      word = field >> (bits_ - bit);
    }
  }
  const std::int64_t top = static_cast<std::int64_t>(sums[0]) + carry;
  words[count] = word | static_cast<std::uint64_t>(top) << bit;
  words[count + 1] = static_cast<std::uint64_t>((top >> 1) >> (63 - bit));
  // The absolute value, without a branch that would be wrong half of the time.
  const auto sign = static_cast<std::uint64_t>(top >> 63);
  std::uint64_t add = sign & 1;
  for (int w = 0; w < words_; ++w) {
    words[w] = (words[w] ^ sign) + add;
    add &= static_cast<std::uint64_t>(words[w] == 0);
  }
  int size = words_;
  while (size > 0 && words[size - 1] == 0) --size;
  if (size > 0) {
    mp_limb_t limbs[most_words];
    for (int w = 0; w < size; ++w) limbs[w] = words[w];
    slong shift;
    const bool inexact = _arf_set_round_mpn(arb_midref(ball), &shift, limbs, size, static_cast<int>(sign & 1),
                                            p_, ARF_RND_NEAR) != 0;
    // Of the number in units of 2^frame.
    const long exponent = 64L * size + shift - static_cast<long>(bits_) * (diagonals_ + 1);
    ARF_EXP(arb_midref(ball)) = exponent + frame;
    if (inexact) radius = (radius + power_of_two(exponent - p_ - 1)) * (1 + 0x1p-50);
  }
  if (radius > 0) set_upper(arb_radref(ball), radius, frame);
}

}  // namespace rankfall::slices
