#pragma once
#include <vector>

#include "numerics/matrix.hpp"

namespace rankfall {

/// The encoding of a distance that Transformer-XL and XLNet use: sin(distance/10000^(2k/dim)) for k below
/// dim/2, then the cosines; each the double nearest to the exact value, the same on every machine.
std::vector<double> sinusoid(Index distance, Index dim);

}  // namespace rankfall
