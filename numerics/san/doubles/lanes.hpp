#pragma once
#include <cstring>

#include "numerics/matrix.hpp"

namespace rankfall::doubles {

inline constexpr Index lanes = 8;
/// Eight doubles that stay in registers, on every machine in the same order; arrays of them go through
/// memory.
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

[[gnu::always_inline]] inline void load(Lanes& into, const double* from) {
  std::memcpy(&into, from, sizeof(Lanes));
}
[[gnu::always_inline]] inline void store(double* to, const Lanes& from) {
  std::memcpy(to, &from, sizeof(Lanes));
}

/// The eight, summed by pairs.
[[gnu::always_inline]] inline double total(const Lanes& sums) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace rankfall::doubles
