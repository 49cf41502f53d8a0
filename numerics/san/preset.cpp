#include "numerics/san/preset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"
#include "numerics/random.hpp"
#include "numerics/san/sinusoid.hpp"

namespace rankfall {
namespace {

constexpr double deviation = 0.02;
constexpr Index narrow_embedding = 128;
constexpr std::uint64_t cell = 1;  // apart from the laws of san/laws.cpp

/// Weights drawn one matrix after the other.
class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : seed_(seed) {}

  ExactMatrix normal(Index rows, Index cols, double size = deviation) {
    const Stream stream(seed_, cell, 0, next_++);
    std::vector<double> entries(static_cast<std::size_t>(rows * cols));
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = size * stream.normal(i);
    return ExactMatrix::from(rows, cols, std::move(entries));
  }

 private:
  std::uint64_t seed_, next_ = 0;
};

ExactMatrix rows_of(const ExactMatrix& a, Index first, Index count) {
  const Matrix<double> part = a.nearest().middleRows(first, count);
  return ExactMatrix::from(count, a.cols(), std::vector<double>(part.data(), part.data() + part.size()));
}

ExactMatrix sum(const ExactMatrix& a, const ExactMatrix& b) {
  const Matrix<double> total = a.nearest() + b.nearest();
  return ExactMatrix::from(a.rows(), a.cols(),
                           std::vector<double>(total.data(), total.data() + total.size()));
}

class Model {
 public:
  Model(const Preset& preset, const PresetSpec& spec)
      : preset_(preset),
        tokens_(spec.tokens),
        dim_(spec.dim.value_or(preset.dim)),
        heads_(spec.heads.value_or(preset.heads)),
        depth_(spec.depth.value_or(preset.depth)),
        draw_(spec.seed) {
    for (const auto& [name, value] :
         {std::pair{"tokens", tokens_}, {"dim", dim_}, {"heads", heads_}, {"depth", depth_}})
      if (value < 1)
        throw InputError(fmt::format("{} = {} is not allowed; it must be at least 1", name, value));
    if (dim_ % heads_ != 0)
      throw InputError(fmt::format("dim = {} is not divisible by heads = {}", dim_, heads_));
    const Integer layer =
        12 * Integer(dim_) * dim_ + (preset.relative ? Integer(2 * tokens_) * dim_ : Integer(0));
    const Integer numbers = layer * depth_ + Integer(tokens_) * dim_;
    if (numbers > spec.most_numbers)
      throw InputError(
          fmt::format("{} in this size has about {} numbers, {} at most {}; give a smaller --dim, --depth or "
                      "--tokens",
                      preset.name, numbers.str(),
                      spec.most_numbers == max_network_numbers ? "a network file" : "the memory holds",
                      spec.most_numbers));
  }

  Network build() {
    Network network;
    network.input = embedding(network.blocks);
    std::vector<Block> layer;
    for (Index l = 0; l < depth_; ++l) {
      if (l == 0 || !preset_.shared) layer = preset_.pre_norm ? pre_norm_layer() : post_norm_layer();
      network.blocks.insert(network.blocks.end(), layer.begin(), layer.end());
    }
    if (preset_.pre_norm) network.blocks.emplace_back(norm());
    return network;
  }

 private:
  Normalisation norm() const { return {Normalisation::Of::token, Rational(preset_.epsilon)}; }

  /// The input, and the blocks that belong to the embedding.
  ExactMatrix embedding(std::vector<Block>& blocks) {
    const Index width = preset_.shared ? std::min(dim_, narrow_embedding) : dim_;
    if (preset_.images)  // a linear map of the 768 pixels of a patch, and a position
      return sum(draw_.normal(tokens_, width, deviation * std::sqrt(768.0)), draw_.normal(tokens_, width));
    ExactMatrix words = draw_.normal(tokens_, width);
    if (preset_.relative) return words;  // no positions, no normalisation
    words = sum(words, draw_.normal(tokens_, width));
    if (preset_.causal) return words;
    const Matrix<double> type = draw_.normal(1, width).nearest().replicate(tokens_, 1);
    words = sum(words, ExactMatrix::from(tokens_, width,
                                         std::vector<double>(type.data(), type.data() + type.size())));
    blocks.emplace_back(norm());
    if (preset_.shared)
      blocks.emplace_back(
          MlpBlock{0, Activation::identity, {{draw_.normal(width, dim_), ExactMatrix(1, dim_)}}});
    return words;
  }

  AttentionBlock attention() {
    const Index width = dim_ / heads_;
    const double output_size =
        preset_.scaled_outputs ? deviation / std::sqrt(2.0 * static_cast<double>(depth_)) : deviation;
    AttentionBlock block;
    block.skip = 1;
    if (preset_.causal) block.mask = Mask::causal();
    const ExactMatrix output = draw_.normal(dim_, dim_, output_size);
    for (Index h = 0; h < heads_; ++h) {
      Head head;
      head.W_Q = draw_.normal(dim_, width);
      head.W_K = draw_.normal(dim_, width);
      head.W_V = draw_.normal(dim_, width);
      head.W_O = rows_of(output, h * width, width);
      head.d_qk = width;
      if (preset_.relative) {
        head.relative_keys = relative_keys(draw_.normal(dim_, width));
        head.b_Q = draw_.normal(1, width);
        head.b_R = draw_.normal(1, width);
      }
      block.heads.push_back(std::move(head));
    }
    return block;
  }

  /// Sinusoids of the distances i - j, in a linear map.
  ExactMatrix relative_keys(const ExactMatrix& W) const {
    const Matrix<double> weights = W.nearest();
    std::vector<double> entries;
    for (Index distance = 1 - tokens_; distance < tokens_; ++distance) {
      const std::vector<double> wave = sinusoid(distance, dim_);
      for (Index j = 0; j < weights.cols(); ++j) {
        double total = 0;
        for (Index k = 0; k < dim_; ++k) total += wave[static_cast<std::size_t>(k)] * weights(k, j);
        entries.push_back(total);
      }
    }
    return ExactMatrix::from(2 * tokens_ - 1, weights.cols(), std::move(entries));
  }

  MlpBlock mlp() {
    const double output_size =
        preset_.scaled_outputs ? deviation / std::sqrt(2.0 * static_cast<double>(depth_)) : deviation;
    MlpBlock block;
    block.skip = 1;
    block.activation = preset_.activation;
    block.layers.push_back({draw_.normal(dim_, 4 * dim_), {}});
    block.layers.push_back({draw_.normal(4 * dim_, dim_, output_size), {}});
    return block;
  }

  std::vector<Block> post_norm_layer() {
    std::vector<Block> layer;
    layer.emplace_back(attention());
    layer.emplace_back(norm());
    layer.emplace_back(mlp());
    layer.emplace_back(norm());
    return layer;
  }

  std::vector<Block> pre_norm_layer() {
    AttentionBlock first = attention();
    MlpBlock second = mlp();
    first.pre_norm = second.pre_norm = norm();
    return {std::move(first), std::move(second)};
  }

  const Preset& preset_;
  Index tokens_, dim_, heads_, depth_;
  Drawer draw_;
};

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {{"bert-base", 768, 12, 12, Activation::gelu, 1e-12},
                                          {"bert-large", 1024, 16, 24, Activation::gelu, 1e-12},
                                          {"distilbert", 768, 12, 6, Activation::gelu, 1e-12},
                                          {.name = "albert-base",
                                           .dim = 768,
                                           .heads = 12,
                                           .depth = 12,
                                           .activation = Activation::gelu_tanh,
                                           .epsilon = 1e-12,
                                           .shared = true},
                                          {.name = "xlnet-base",
                                           .dim = 768,
                                           .heads = 12,
                                           .depth = 12,
                                           .activation = Activation::gelu,
                                           .epsilon = 1e-12,
                                           .relative = true},
                                          {.name = "gpt2",
                                           .dim = 768,
                                           .heads = 12,
                                           .depth = 12,
                                           .activation = Activation::gelu_tanh,
                                           .epsilon = 1e-5,
                                           .pre_norm = true,
                                           .causal = true,
                                           .scaled_outputs = true},
                                          {.name = "vit-b",
                                           .dim = 768,
                                           .heads = 12,
                                           .depth = 12,
                                           .activation = Activation::gelu,
                                           .epsilon = 1e-12,
                                           .pre_norm = true,
                                           .images = true}};
  return all;
}

const Preset& find_preset(std::string_view name) {
  std::vector<std::string> names;
  std::string list;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names.emplace_back(preset.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string near = nearest(std::string(name), names);
  throw InputError(fmt::format("unknown model {}{} Allowed: {}", in_quotes(name),
                               near.empty() ? "." : fmt::format("; did you mean {}?", in_quotes(near)),
                               list));
}

Network generate(const PresetSpec& spec) {
  return Model(find_preset(spec.model), spec).build();
}

}  // namespace rankfall
