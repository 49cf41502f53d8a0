#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "numerics/io/safetensors.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// The "model_type" of a config.json that is an outline.
inline constexpr std::string_view outline_type = "rankfall-network/1";

/// A block without its matrices, which lie in a checkpoint.
struct BlockOutline {
  Block block;                ///< an attention block without heads, an MLP block without layers
  Index parts = 0;            ///< how many of those
  std::optional<Index> d_qk;  ///< of heads in the form W_QK, W
};

/// Reads the text of a config.json of this type: {"model_type": "rankfall-network/1", "blocks": [...]}, the
/// blocks as in a network file but for "heads" and "layers", which are counts, and for matrices and vectors,
/// which are absent; heads in the form W_QK, W have one "d_qk" for the block. Throws InputError "name: place:
/// what was found; what is allowed".
std::vector<BlockOutline> parse_outline(std::string_view text, std::string_view name);

/// The network whose matrices are tensors under the names of their places ("input",
/// "blocks.2.heads.0.W_K", "blocks.3.layers.1.b", "blocks.4.scale", "blocks.2.pre_norm.shift"), of any
/// floating-point dtype, exactly. `vectors` stand for "input". Throws InputError naming the tensor that is
/// absent, is not one of a matrix (two dimensions; a vector may have one), holds a number that is not finite,
/// or has no place in the outline; and for shapes that break.
Network outlined_network(const Safetensors& tensors, const std::vector<BlockOutline>& outline,
                         const std::optional<ExactMatrix>& vectors);

}  // namespace rankfall
