#include "numerics/io/model.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

using Family = ModelConfig::Family;

/// Rows [row, row + rows) and columns [col, col + cols) of a.
ExactMatrix part(const ExactMatrix& a, Index row, Index rows, Index col, Index cols) {
  const Matrix<double> entries = a.nearest();
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(rows * cols));
  for (Index i = row; i < row + rows; ++i)
    for (Index j = col; j < col + cols; ++j) result.push_back(entries(i, j));
  return ExactMatrix::from(rows, cols, std::move(result));
}

ExactMatrix transposed(const ExactMatrix& a) {
  const Matrix<double> entries = a.nearest().transpose();
  return ExactMatrix::from(a.cols(), a.rows(),
                           std::vector<double>(entries.data(), entries.data() + entries.size()));
}

/// The tensors of one model, by names without prefix. Every number of a checkpoint is a double, so that
/// ExactMatrix::nearest is exact.
class Weights {
 public:
  Weights(const Safetensors& tensors, const ModelConfig& config) : tensors_(tensors), config_(config) {
    const char* prefixes[] = {"bert.", "albert.", "transformer."};
    const std::string prefix = prefixes[static_cast<int>(config.family)];
    for (const std::string& name : tensors.names())
      if (name.starts_with(prefix)) prefix_ = prefix;
  }

  /// `key` is where the config says how many rows the tensor has; 0 rows: it does not.
  void require_rows(const std::string& name, Index rows, const char* key) const {
    const auto& shape = tensors_.shape(prefix_ + name);
    if (rows != 0 && !shape.empty() && shape.front() != static_cast<std::uint64_t>(rows))
      tensors_.refuse(prefix_ + name,
                      fmt::format("found {} rows; {} in the config is {}", shape.front(), key, rows));
  }
  /// Refuses layers (groups of layers) that the config does not count: names that go on with their number.
  void require_no_more(const std::string& stem, Index count, const char* key) const {
    for (const std::string& name : tensors_.names()) {
      if (!name.starts_with(prefix_ + stem)) continue;
      Index number = 0;
      const char* const begin = name.data() + prefix_.size() + stem.size();
      if (std::from_chars(begin, name.data() + name.size(), number).ec == std::errc() && number >= count)
        tensors_.refuse(name, fmt::format("has no place in the model: {} in the config is {}", key, count));
    }
  }

  ExactMatrix matrix(const std::string& name, Index rows, Index cols) const {
    return tensors_.matrix(prefix_ + name, rows, cols);
  }
  ExactMatrix row(const std::string& name, Index row, Index cols) const {
    return tensors_.row(prefix_ + name, row, cols);
  }
  ExactMatrix bias(const std::string& module, Index width) const {
    return matrix(module + ".bias", 1, width);
  }
  /// Of a Linear module, which holds the transpose; d x d'.
  ExactMatrix linear(const std::string& module, Index in, Index out) const {
    return transposed(matrix(module + ".weight", out, in));
  }
  MlpBlock::Layer linear_layer(const std::string& module, Index in, Index out) const {
    return {linear(module, in, out), bias(module, out)};
  }
  /// Of a Conv1D module, which does not.
  MlpBlock::Layer conv_layer(const std::string& module, Index in, Index out) const {
    return {matrix(module + ".weight", in, out), bias(module, out)};
  }
  /// Older files call its weight gamma and its bias beta.
  Normalisation norm(const std::string& module, Index width) const {
    const bool elder = tensors_.has(prefix_ + module + ".gamma");
    return {Normalisation::Of::token, config_.epsilon,
            matrix(module + (elder ? ".gamma" : ".weight"), 1, width),
            matrix(module + (elder ? ".beta" : ".bias"), 1, width)};
  }

 private:
  const Safetensors& tensors_;
  const ModelConfig& config_;
  std::string prefix_;
};

/// Heads from whole projections d x d and their biases.
std::vector<Head> heads_of(const ModelConfig& config, const MlpBlock::Layer& query,
                           const MlpBlock::Layer& key, const MlpBlock::Layer& value,
                           const ExactMatrix& output) {
  const Index d = config.dim, width = config.head_width();
  std::vector<Head> heads;
  for (Index h = 0; h < config.heads; ++h) {
    const Index at = h * width;
    Head head;
    head.W_Q = part(query.W, 0, d, at, width);
    head.W_K = part(key.W, 0, d, at, width);
    head.W_V = part(value.W, 0, d, at, width);
    head.W_O = part(output, at, width, 0, d);
    head.b_Q = part(query.b, 0, 1, at, width);
    head.b_K = part(key.b, 0, 1, at, width);
    head.b_V = part(value.b, 0, 1, at, width);
    head.d_qk = width;
    heads.push_back(std::move(head));
  }
  return heads;
}

/// The names of an encoder layer's modules, which BERT and ALBERT choose differently.
struct EncoderNames {
  std::string query, key, value, output, attention_norm, first, second, norm;
};

EncoderNames bert_names(Index layer) {
  const std::string at = fmt::format("encoder.layer.{}.", layer), self = at + "attention.self.";
  return {self + "query",
          self + "key",
          self + "value",
          at + "attention.output.dense",
          at + "attention.output.LayerNorm",
          at + "intermediate.dense",
          at + "output.dense",
          at + "output.LayerNorm"};
}

EncoderNames albert_names(Index group) {
  const std::string at = fmt::format("encoder.albert_layer_groups.{}.albert_layers.0.", group);
  return {at + "attention.query", at + "attention.key",        at + "attention.value",
          at + "attention.dense", at + "attention.LayerNorm",  at + "ffn",
          at + "ffn_output",      at + "full_layer_layer_norm"};
}

void add_encoder_layer(const Weights& weights, const ModelConfig& config, const EncoderNames& names,
                       std::vector<Block>& blocks) {
  const Index d = config.dim;
  AttentionBlock attention;
  attention.skip = 1;
  const MlpBlock::Layer query = weights.linear_layer(names.query, d, d),
                        key = weights.linear_layer(names.key, d, d),
                        value = weights.linear_layer(names.value, d, d),
                        output = weights.linear_layer(names.output, d, d);
  attention.heads = heads_of(config, query, key, value, output.W);
  attention.b_O = output.b;
  blocks.emplace_back(std::move(attention));
  blocks.emplace_back(weights.norm(names.attention_norm, d));
  blocks.emplace_back(MlpBlock{1,
                               config.activation,
                               {weights.linear_layer(names.first, d, config.mlp_width),
                                weights.linear_layer(names.second, config.mlp_width, d)}});
  blocks.emplace_back(weights.norm(names.norm, d));
}

void add_decoder_layer(const Weights& weights, const ModelConfig& config, Index layer,
                       std::vector<Block>& blocks) {
  const Index d = config.dim;
  const std::string at = fmt::format("h.{}.", layer);
  const MlpBlock::Layer fused = weights.conv_layer(at + "attn.c_attn", d, 3 * d);
  const auto third = [&](Index i) {
    return MlpBlock::Layer{part(fused.W, 0, d, i * d, d), part(fused.b, 0, 1, i * d, d)};
  };
  const MlpBlock::Layer output = weights.conv_layer(at + "attn.c_proj", d, d);
  AttentionBlock attention;
  attention.skip = 1;
  attention.mask = Mask::causal();
  attention.pre_norm = weights.norm(at + "ln_1", d);
  attention.heads = heads_of(config, third(0), third(1), third(2), output.W);
  attention.b_O = output.b;
  blocks.emplace_back(std::move(attention));
  MlpBlock mlp{1,
               config.activation,
               {weights.conv_layer(at + "mlp.c_fc", d, config.mlp_width),
                weights.conv_layer(at + "mlp.c_proj", config.mlp_width, d)}};
  mlp.pre_norm = weights.norm(at + "ln_2", d);
  blocks.emplace_back(std::move(mlp));
}

/// The exact sum of the embeddings of every token.
ExactMatrix embedded(const Weights& weights, const ModelConfig& config, const std::vector<Index>& ids) {
  const Index width = config.embedding_width, tokens = static_cast<Index>(ids.size());
  const bool encoder = config.family != Family::gpt2;
  weights.require_rows(encoder ? "embeddings.word_embeddings.weight" : "wte.weight", config.vocabulary,
                       "vocab_size");
  weights.require_rows(encoder ? "embeddings.position_embeddings.weight" : "wpe.weight", config.positions,
                       encoder ? "max_position_embeddings" : "n_positions");
  if (encoder)
    weights.require_rows("embeddings.token_type_embeddings.weight", config.token_types, "type_vocab_size");
  std::vector<Rational> sums;
  for (Index i = 0; i < tokens; ++i) {
    std::vector<ExactMatrix> terms;
    terms.push_back(weights.row(encoder ? "embeddings.word_embeddings.weight" : "wte.weight",
                                ids[static_cast<std::size_t>(i)], width));
    terms.push_back(weights.row(encoder ? "embeddings.position_embeddings.weight" : "wpe.weight", i, width));
    if (encoder) terms.push_back(weights.row("embeddings.token_type_embeddings.weight", 0, width));
    for (Index j = 0; j < width; ++j) {
      Rational sum = 0;
      for (const ExactMatrix& term : terms) sum += term(0, j);
      sums.push_back(std::move(sum));
    }
  }
  return ExactMatrix::from(tokens, width, std::move(sums));
}

void add_embedding(const Weights& weights, const ModelConfig& config, const ModelInput& input,
                   Network& network) {
  if (input.token_ids.empty()) throw InputError("no tokens: give vectors or token ids");
  network.input = embedded(weights, config, input.token_ids);
  if (config.family == Family::gpt2) return;
  network.blocks.emplace_back(weights.norm("embeddings.LayerNorm", config.embedding_width));
  if (config.family == Family::albert)
    network.blocks.emplace_back(MlpBlock{
        0,
        Activation::identity,
        {weights.linear_layer("encoder.embedding_hidden_mapping_in", config.embedding_width, config.dim)}});
}

}  // namespace

Network model_network(const Safetensors& tensors, const ModelConfig& config, const ModelInput& input) {
  const Weights weights(tensors, config);
  Network network;
  if (input.vectors) {
    network.input = *input.vectors;
    if (network.dim() != config.dim)
      throw InputError(fmt::format("{}: found shape {} x {}; it must have {} columns, as the config says",
                                   input.name, network.tokens(), network.dim(), config.dim));
  } else {
    add_embedding(weights, config, input, network);
  }
  if (config.family == Family::gpt2)
    weights.require_no_more("h.", config.layers, "n_layer");
  else if (config.family == Family::bert)
    weights.require_no_more("encoder.layer.", config.layers, "num_hidden_layers");
  else
    weights.require_no_more("encoder.albert_layer_groups.", config.groups, "num_hidden_groups");
  for (Index layer = 0; layer < config.layers; ++layer) {
    if (config.family == Family::gpt2)
      add_decoder_layer(weights, config, layer, network.blocks);
    else
      add_encoder_layer(weights, config,
                        config.family == Family::bert ? bert_names(layer)
                                                      : albert_names(layer / (config.layers / config.groups)),
                        network.blocks);
  }
  if (config.family == Family::gpt2) network.blocks.emplace_back(weights.norm("ln_f", config.dim));
  validate(network);
  return network;
}

}  // namespace rankfall
