#include "numerics/san/doubles/follow.hpp"

#include <utility>

namespace rankfall::doubles {

std::optional<Network> Network::of(const rankfall::Network& network, bool wide) {
  Network result;
  result.wide_ = wide;
  for (const Block& block : network.blocks) {
    if (!is_plain_attention(block)) return std::nullopt;
    auto weights = layer(std::get<AttentionBlock>(block), wide);
    if (!weights) return std::nullopt;
    result.layers_.push_back(*std::move(weights));
  }
  return result;
}

std::optional<std::vector<State>> Network::states(State start, bool to_mean) const {
  std::vector<State> result{std::move(start)};
  for (const Layer& layer : layers_) {
    auto next = advance(layer, result.back(), to_mean);
    if (!next) return std::nullopt;
    result.push_back(*std::move(next));
  }
  return result;
}

}  // namespace rankfall::doubles
