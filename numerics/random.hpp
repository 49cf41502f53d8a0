#pragma once
#include <array>
#include <cstdint>

namespace rankfall {

/// Philox4x64-10 of Random123: four words from a counter and a key.
std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key);

/// Random numbers as a pure function of (seed, cell, block, matrix, index): any one of them can be drawn
/// alone and in any order, and has the same bits on every machine (no libm, no fused multiply-add). Numbers
/// at different places are independent, and so are uniform(i) and normal(i).
class Stream {
 public:
  constexpr Stream(std::uint64_t seed, std::uint64_t cell, std::uint64_t block, std::uint64_t matrix)
      : seed_(seed), cell_(cell), block_(block), matrix_(matrix) {}

  /// Uniform on the multiples of 2^-53 in [0, 1).
  double uniform(std::uint64_t index) const;
  /// Standard normal; never zero, below 12.2 in absolute value.
  double normal(std::uint64_t index) const;

 private:
  enum class Kind : std::uint64_t { uniform, normal };
  std::array<std::uint64_t, 4> bits(Kind kind, std::uint64_t index, std::uint64_t attempt) const;

  std::uint64_t seed_, cell_, block_, matrix_;
};

}  // namespace rankfall
