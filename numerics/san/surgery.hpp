#pragma once
#include <string_view>
#include <vector>

#include "numerics/san/network.hpp"

namespace rankfall {

/// What the paper takes out of a network to see attention alone.
struct Surgery {
  bool skip = false;       ///< every skip becomes 0
  bool mlp = false;        ///< MLP blocks go, their skips with them; affine maps (see operated) stay
  bool layernorm = false;  ///< normalisations go, as blocks and as pre_norm, over tokens and columns
};

/// The words "skip", "mlp", "layernorm"; throws InputError naming any other.
Surgery surgery(const std::vector<std::string_view>& words);

/// The network without these parts. A block of one layer, without skip and with activation identity, is an
/// affine map such as ALBERT has behind its embeddings, no MLP, and stays. Throws InputError for an MLP block
/// that changes the width: nothing can stand in its place.
Network operated(Network network, const Surgery& surgery);

}  // namespace rankfall
