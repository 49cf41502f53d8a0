#pragma once
#include <algorithm>
#include <cmath>

#include "numerics/random.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::test {

/// Small random networks of every kind that the reader takes: one to three heads, factored and fused, with
/// and without biases, skips and MLP blocks, odd shapes, one-hot attention, large common shifts, repeated
/// tokens, dead values; with `whole_layers` also normalisations, pre_norms, masks and score biases. The same
/// seed gives the same network.
class RandomNetwork {
 public:
  explicit RandomNetwork(std::uint64_t seed, bool mlp_allowed = true, bool whole_layers = false)
      : stream_(seed, 0, 0, whole_layers ? 1 : 0), mlp_allowed_(mlp_allowed), whole_layers_(whole_layers) {}

  Network draw() {
    Network network;
    Index width = 1 + below(5);
    network.input = input(1 + below(6), width);
    const Index blocks = 1 + below(4);
    for (Index k = 0; k < blocks; ++k) {
      if (whole_layers_ && k > 0 && below(3) == 0)
        network.blocks.emplace_back(normalisation(width));
      else if (mlp_allowed_ && k > 0 && below(4) == 0)
        network.blocks.emplace_back(mlp(width));
      else
        network.blocks.emplace_back(attention(width, network.tokens()));
      width = output_width(network.blocks.back(), width);
    }
    return network;
  }

 private:
  Index below(Index bound) {
    return std::min(bound - 1, static_cast<Index>(stream_.uniform(next_++) * static_cast<double>(bound)));
  }
  bool chance(int one_in) { return below(one_in) == 0; }

  ExactMatrix matrix(Index rows, Index cols, double deviation) {
    std::vector<double> entries(static_cast<std::size_t>(rows * cols));
    for (double& entry : entries)
      entry = std::ldexp(std::round(std::ldexp(deviation * stream_.normal(next_++), 20)), -20);
    return ExactMatrix::from(rows, cols, std::move(entries));
  }

  ExactMatrix input(Index tokens, Index width) {
    const ExactMatrix drawn = matrix(tokens, width, chance(6) ? 4.0 : 0.7);
    const bool shifted = chance(6), repeated = chance(6), constant = chance(12);
    std::vector<double> entries;
    for (Index i = 0; i < tokens; ++i)
      for (Index j = 0; j < width; ++j) {
        const Index row = constant ? 0 : repeated ? i / 2 : i;
        entries.push_back(drawn(row, j).convert_to<double>() +
                          (shifted ? 1024.0 * static_cast<double>(j + 1) : 0.0));
      }
    return ExactMatrix::from(tokens, width, std::move(entries));
  }

  Head head(Index width, Index output) {
    Head h;
    const double logits = chance(8) ? 6.0 : chance(2) ? 0.2 : 1.0;
    h.d_qk = 1 + below(3);
    if (chance(3)) {
      h.fused = true;
      h.W_QK = matrix(width, width, logits);
      h.W = chance(12) ? ExactMatrix(width, output) : matrix(width, output, 0.7);
      return h;
    }
    h.W_Q = matrix(width, h.d_qk, logits);
    h.W_K = matrix(width, h.d_qk, 1.0);
    const Index values = chance(3) ? output : 1 + below(3);
    h.W_V = matrix(width, values, 0.8);
    if (values != output || chance(2)) h.W_O = matrix(values, output, 0.8);
    if (chance(2)) h.b_Q = matrix(1, h.d_qk, chance(4) ? 30.0 : 1.0);  // large: attention near one-hot
    if (chance(2)) h.b_K = matrix(1, h.d_qk, 1.0);
    if (chance(2)) h.b_V = matrix(1, values, 1.0);
    return h;
  }

  Normalisation normalisation(Index width) {
    Normalisation norm;
    norm.of = chance(2) ? Normalisation::Of::token : Normalisation::Of::column;
    norm.epsilon = chance(2) ? Rational(1, 100000) : Rational(1, 2);
    if (chance(2)) norm.scale = matrix(1, width, 1.0);
    if (chance(2)) norm.shift = matrix(1, width, 1.0);
    return norm;
  }

  /// Causal, a set of keys for all queries, or any.
  Mask mask(Index tokens) {
    if (chance(2)) return Mask::causal();
    const bool shared = chance(2);
    std::vector<bool> allowed, keys;
    for (Index j = 0; j < tokens; ++j) keys.push_back(j == 0 || chance(2));
    for (Index i = 0; i < tokens; ++i)
      for (Index j = 0; j < tokens; ++j)
        allowed.push_back(shared ? keys[static_cast<std::size_t>(j)] : i == j || chance(2));
    return Mask::listed(tokens, allowed);
  }

  void add_row_biases(Head& h, Index tokens) {
    if (chance(2)) h.score_bias = matrix(tokens, tokens, 1.0);
    if (h.fused || chance(2)) return;
    h.relative_keys = matrix(2 * tokens - 1, h.d_qk, 1.0);
    if (chance(2)) h.b_R = matrix(1, h.d_qk, 1.0);
  }

  AttentionBlock attention(Index width, Index tokens) {
    AttentionBlock block;
    const bool skip = chance(4);
    const Index output = skip || chance(2) ? width : 1 + below(5);
    if (skip) block.skip = Rational(static_cast<long>(below(5)) - 2, 2);
    const Index heads = 1 + below(3);
    for (Index h = 0; h < heads; ++h) block.heads.push_back(head(width, output));
    if (chance(3)) block.b_O = matrix(1, output, 1.0);
    if (!whole_layers_) return block;
    if (chance(2)) block.mask = mask(tokens);
    if (chance(3)) block.pre_norm = normalisation(width);
    if (chance(4)) add_row_biases(block.heads.front(), tokens);
    return block;
  }

  MlpBlock mlp(Index width) {
    MlpBlock block;
    if (whole_layers_ && chance(2)) block.pre_norm = normalisation(width);
    const bool skip = chance(3);
    if (skip) block.skip = Rational(1, 2);
    constexpr Activation kinds[] = {Activation::relu, Activation::gelu, Activation::gelu_tanh,
                                    Activation::tanh, Activation::silu, Activation::identity};
    block.activation = kinds[below(6)];
    const Index hidden = 1 + below(5), output = skip ? width : 1 + below(5);
    block.layers.push_back({matrix(width, hidden, 0.7), chance(2) ? matrix(1, hidden, 0.5) : ExactMatrix()});
    if (chance(3)) block.layers.push_back({matrix(hidden, hidden, 0.7), ExactMatrix()});
    block.layers.push_back({matrix(hidden, output, 0.7), chance(2) ? matrix(1, output, 0.5) : ExactMatrix()});
    return block;
  }

  Stream stream_;
  std::uint64_t next_ = 0;
  bool mlp_allowed_, whole_layers_;
};

}  // namespace rankfall::test
