#pragma once
#include "numerics/san/generate.hpp"

namespace rankfall {

/// The network of `rankfall generate` with so many layers: 16 tokens of width 16, one head.
inline Network network_of(Index depth, std::uint64_t seed = GenerateSpec{}.seed) {
  GenerateSpec spec;
  spec.depth = depth;
  spec.seed = seed;
  return generate(spec);
}

}  // namespace rankfall
