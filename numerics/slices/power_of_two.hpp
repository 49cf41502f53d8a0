#pragma once
#include <bit>
#include <cstdint>

namespace rankfall::slices {

/// 2^exponent, for exponents of normal doubles.
inline double power_of_two(long exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace rankfall::slices
