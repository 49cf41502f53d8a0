#include "numerics/io/network_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/io/activation_names.hpp"
#include "numerics/io/json_block.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

constexpr std::int64_t most_parts = 1'000'000;

class TypeReader final : public json::ValueReader {
 public:
  std::string expected() const override { return in_quotes(outline_type); }
  void text(std::string_view characters) override {
    if (characters != outline_type) refuse(in_quotes(characters));
  }
};

/// Reads a block without its matrices and appends it to `blocks`. The kind may come last.
class BlockOutlineReader final : public json::ObjectReader {
 public:
  explicit BlockOutlineReader(json::SizeBudget& budget)
      : ObjectReader(
            {"kind", "skip", "mask", "pre_norm", "heads", "d_qk", "activation", "layers", "of", "epsilon"}),
        budget_(budget),
        kind_({"attention", "mlp", "norm"}),
        activation_(activation_names()),
        of_({"token", "column"}),
        skip_(budget),
        epsilon_(budget),
        heads_(budget, 1, most_parts),
        layers_(budget, 1, most_parts),
        d_qk_(budget, 1, max_d_qk),
        mask_(budget),
        pre_norm_(budget) {}
  std::vector<BlockOutline> blocks;

 private:
  void start() override {
    skip_.value = epsilon_.value = 0;
    mask_.value = {};
  }
  ValueReader& value_of(std::string_view key) override {
    if (key == "kind") return kind_;
    if (key == "skip") return skip_;
    if (key == "mask") return mask_;
    if (key == "pre_norm") return pre_norm_;
    if (key == "heads") return heads_;
    if (key == "d_qk") return d_qk_;
    if (key == "activation") return activation_;
    if (key == "layers") return layers_;
    return key == "of" ? static_cast<ValueReader&>(of_) : epsilon_;
  }
  void finish() override {
    require("kind", "it is \"attention\", \"mlp\" or \"norm\"");
    budget_.charge(8 * sizeof(BlockOutline));
    if (kind_.value == "attention") return finish_attention();
    if (kind_.value == "mlp") return finish_mlp();
    allow({"of", "epsilon"});
    require("of", json::why_of);
    Normalisation norm;
    norm.of = of_.value == "token" ? Normalisation::Of::token : Normalisation::Of::column;
    norm.epsilon = epsilon_.value;
    blocks.push_back({std::move(norm), 0, {}});
  }
  void finish_attention() {
    allow({"skip", "mask", "pre_norm", "heads", "d_qk"});
    require("heads", "an attention block says how many heads it has");
    AttentionBlock block;
    block.mask = std::move(mask_.value);
    add(std::move(block), heads_.value, seen("d_qk") ? std::optional<Index>(d_qk_.value) : std::nullopt);
  }
  void finish_mlp() {
    allow({"skip", "pre_norm", "activation", "layers"});
    require("activation", "an mlp block names its activation");
    require("layers", "an mlp block says how many layers it has");
    MlpBlock block;
    block.activation = *activation_from_name(activation_.value);
    add(std::move(block), layers_.value, {});
  }
  template <class Kind>
  void add(Kind block, Index parts, std::optional<Index> d_qk) {
    block.skip = std::exchange(skip_.value, 0);
    if (seen("pre_norm")) {
      block.pre_norm = std::move(pre_norm_.value);
      if (!block.pre_norm->scale.empty() || !block.pre_norm->shift.empty())
        throw InputError("pre_norm: found \"scale\" or \"shift\"; they are tensors of the checkpoint");
    }
    blocks.push_back({std::move(block), parts, d_qk});
  }
  void allow(const std::vector<std::string_view>& keys) const {
    for (const std::string_view key :
         {"skip", "mask", "pre_norm", "heads", "d_qk", "activation", "layers", "of", "epsilon"})
      if (seen(key) && std::find(keys.begin(), keys.end(), key) == keys.end())
        throw InputError(fmt::format("found the key {} in a block of kind {}. Keys allowed here: kind, {}",
                                     in_quotes(key), in_quotes(kind_.value), listed(keys)));
  }

  json::SizeBudget& budget_;
  json::WordReader kind_, activation_, of_;
  json::SingleNumberReader skip_, epsilon_;
  json::WholeNumberReader heads_, layers_, d_qk_;
  json::MaskReader mask_;
  json::NormalisationReader pre_norm_;
};

class OutlineReader final : public json::ObjectReader {
 public:
  OutlineReader()
      : ObjectReader({"model_type", "comment", "blocks"}),
        budget_(max_network_bits),
        block_(budget_),
        blocks_(block_, "a list of blocks") {}
  std::vector<BlockOutline> take() { return std::move(block_.blocks); }

 private:
  ValueReader& value_of(std::string_view key) override {
    if (key == "model_type") return type_;
    return key == "comment" ? static_cast<ValueReader&>(comment_) : blocks_;
  }
  void finish() override {
    require("model_type", fmt::format("it is {}", in_quotes(outline_type)));
    require("blocks", "it holds the list of blocks");
  }
  json::SizeBudget budget_;
  TypeReader type_;
  json::CommentReader comment_;
  BlockOutlineReader block_;
  json::ListReader blocks_;
};

/// The tensors of a checkpoint, each of which is to be used.
class Places {
 public:
  explicit Places(const Safetensors& tensors) : tensors_(tensors) {
    for (std::string& name : tensors.names()) unused_.insert(std::move(name));
  }
  bool has(const std::string& name) const { return tensors_.has(name); }
  ExactMatrix required(const std::string& name) {
    unused_.erase(name);
    return tensors_.matrix(name);
  }
  /// Empty when there is none.
  ExactMatrix optional(const std::string& name) { return has(name) ? required(name) : ExactMatrix(); }
  void require_all_used() const {
    if (!unused_.empty())
      tensors_.refuse(*unused_.begin(), "this tensor has no place in the network that the config describes");
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
    tensors_.refuse(name, why);
  }

 private:
  const Safetensors& tensors_;
  std::set<std::string> unused_;
};

Head head(Places& places, const std::string& at, const std::optional<Index>& d_qk) {
  Head result;
  result.fused = places.has(at + "W_QK");
  if (result.fused) {
    if (!d_qk) places.refuse(at + "W_QK", "the block has no \"d_qk\", which scores in this form need");
    result.W_QK = places.required(at + "W_QK");
    result.W = places.required(at + "W");
    result.d_qk = *d_qk;
  } else {
    result.W_Q = places.required(at + "W_Q");
    result.W_K = places.required(at + "W_K");
    result.W_V = places.required(at + "W_V");
    result.W_O = places.optional(at + "W_O");
    result.b_Q = places.optional(at + "b_Q");
    result.b_K = places.optional(at + "b_K");
    result.b_V = places.optional(at + "b_V");
    result.relative_keys = places.optional(at + "relative_keys");
    result.b_R = places.optional(at + "b_R");
    result.d_qk = result.W_Q.cols();
  }
  result.score_bias = places.optional(at + "score_bias");
  return result;
}

void fill(Normalisation& norm, Places& places, const std::string& at) {
  norm.scale = places.optional(at + "scale");
  norm.shift = places.optional(at + "shift");
}

Block filled(const BlockOutline& outline, Places& places, const std::string& at) {
  Block block = outline.block;
  if (auto* attention = std::get_if<AttentionBlock>(&block)) {
    for (Index h = 0; h < outline.parts; ++h)
      attention->heads.push_back(head(places, fmt::format("{}heads.{}.", at, h), outline.d_qk));
    attention->b_O = places.optional(at + "b_O");
    if (attention->pre_norm) fill(*attention->pre_norm, places, at + "pre_norm.");
  } else if (auto* mlp = std::get_if<MlpBlock>(&block)) {
    for (Index l = 0; l < outline.parts; ++l) {
      const std::string layer = fmt::format("{}layers.{}.", at, l);
      mlp->layers.push_back({places.required(layer + "W"), places.optional(layer + "b")});
    }
    if (mlp->pre_norm) fill(*mlp->pre_norm, places, at + "pre_norm.");
  } else {
    fill(std::get<Normalisation>(block), places, at);
  }
  return block;
}

}  // namespace

std::vector<BlockOutline> parse_outline(std::string_view text, std::string_view name) {
  OutlineReader reader;
  json::read_json(text, name, reader);
  return reader.take();
}

Network outlined_network(const Safetensors& tensors, const std::vector<BlockOutline>& outline,
                         const std::optional<ExactMatrix>& vectors) {
  Places places(tensors);
  Network network;
  if (!vectors || places.has("input")) network.input = places.required("input");
  if (vectors) network.input = *vectors;
  for (std::size_t b = 0; b < outline.size(); ++b)
    network.blocks.emplace_back(filled(outline[b], places, fmt::format("blocks.{}.", b)));
  places.require_all_used();
  validate(network);
  return network;
}

}  // namespace rankfall
