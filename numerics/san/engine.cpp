#include "numerics/san/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/parallel.hpp"

namespace rankfall {
namespace {

MlpWeights weights_of(const MlpBlock& block, Index, const std::string& place, Precision p) {
  return weights(block, p, place);
}
AttentionWeights weights_of(const AttentionBlock& block, Index, const std::string& place, Precision p) {
  return weights(block, p, place);
}
NormalisationWeights weights_of(const Normalisation& block, Index width, const std::string& place,
                                Precision p) {
  return weights(block, width, place, p);
}

}  // namespace

ResidualState input_state(const ExactMatrix& input, Reference reference, Precision p) {
  const Index n = input.rows(), d = input.cols();
  ResidualState state{BallVector(d), {BallMatrix(n, d), 0}};
  std::vector<Rational> column(static_cast<std::size_t>(n));
  for (Index j = 0; j < d; ++j) {
    for (Index i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = input(i, j);
    Rational y = 0;
    if (reference == Reference::mean) {
      for (const Rational& value : column) y += value;
      y /= Rational(static_cast<long>(n));
    } else {
      std::vector<Rational> sorted = column;
      std::sort(sorted.begin(), sorted.end());
      const std::size_t last = sorted.size() - 1;
      y = reference == Reference::median ? Rational(sorted[last / 2] + sorted[(last + 1) / 2])
                                         : Rational(sorted.front() + sorted.back());
      y /= 2;
    }
    state.reference(j) = Ball(y, p);
    for (Index i = 0; i < n; ++i)
      state.residual.mantissa(i, j) = Ball(Rational(column[static_cast<std::size_t>(i)] - y), p);
  }
  normalise(state.residual);
  return state;
}

ResidualEngine::ResidualEngine(const Network& network, Precision p) : input_(network.input), precision_(p) {
  validate(network);
  std::vector<Index> widths{network.dim()};
  for (const Block& block : network.blocks) widths.push_back(output_width(block, widths.back()));
  blocks_.resize(network.blocks.size());
  in_parallel(blocks_.size(), [&](std::size_t k) {
    const std::string place = fmt::format("blocks[{}]", k);
    std::visit([&](const auto& kind) { blocks_[k] = weights_of(kind, widths[k], place, p); },
               network.blocks[k]);
  });
}

BlockTrace ResidualEngine::apply(std::size_t block, const ResidualState& state, Precision p) const {
  if (const auto* attention = std::get_if<AttentionWeights>(&blocks_[block]))
    return rankfall::apply(*attention, state, p);
  return {{}, advance(block, state, p)};
}

ResidualState ResidualEngine::advance(std::size_t block, const ResidualState& state, Precision p) const {
  if (const auto* attention = std::get_if<AttentionWeights>(&blocks_[block]))
    return rankfall::advance(*attention, state, p);
  if (const auto* mlp = std::get_if<MlpWeights>(&blocks_[block])) return rankfall::apply(*mlp, state, p);
  return rankfall::apply(std::get<NormalisationWeights>(blocks_[block]), state, p);
}

std::vector<ResidualState> mean_states(const ResidualEngine& engine) {
  std::vector<ResidualState> states{engine.input(Reference::mean)};
  for (std::size_t block = 0; block < engine.blocks(); ++block)
    states.push_back(recentred(engine.advance(block, states.back()), Reference::mean, engine.precision()));
  return states;
}

}  // namespace rankfall
