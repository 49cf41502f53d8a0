#include "numerics/san/surgery.hpp"

#include <fmt/format.h>

#include <utility>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

template <class Kind>
Kind trimmed(Kind block, const Surgery& surgery) {
  if (surgery.skip) block.skip = 0;
  if (surgery.layernorm) block.pre_norm.reset();
  return block;
}

bool is_affine_map(const MlpBlock& block) {
  return block.layers.size() == 1 && block.skip == 0 && block.activation == Activation::identity;
}

}  // namespace

Surgery surgery(const std::vector<std::string_view>& words) {
  Surgery result;
  for (const std::string_view word : words) {
    if (word == "skip")
      result.skip = true;
    else if (word == "mlp")
      result.mlp = true;
    else if (word == "layernorm")
      result.layernorm = true;
    else
      throw InputError(fmt::format("found {}; what can be removed is skip, mlp, layernorm", in_quotes(word)));
  }
  return result;
}

Network operated(Network network, const Surgery& surgery) {
  std::vector<Block> kept;
  Index width = network.dim();
  for (std::size_t b = 0; b < network.blocks.size(); ++b) {
    Block& block = network.blocks[b];
    const Index before = std::exchange(width, output_width(block, width));
    if (auto* attention = std::get_if<AttentionBlock>(&block)) {
      kept.emplace_back(trimmed(std::move(*attention), surgery));
    } else if (auto* mlp = std::get_if<MlpBlock>(&block)) {
      if (!surgery.mlp || is_affine_map(*mlp))
        kept.emplace_back(trimmed(std::move(*mlp), surgery));
      else if (before != width)
        throw InputError(
            fmt::format("blocks[{}]: this mlp block turns {} columns into {}, so it cannot be removed", b,
                        before, width));
    } else if (!surgery.layernorm) {
      kept.push_back(std::move(block));
    }
  }
  network.blocks = std::move(kept);
  return network;
}

}  // namespace rankfall
