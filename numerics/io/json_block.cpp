#include "numerics/io/json_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/io/activation_names.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/message.hpp"

namespace rankfall::json {
namespace {

using Words = std::vector<std::string_view>;

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const Words& factored_keys() {
  static const Words keys{"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V"};
  return keys;
}
const Words& fused_keys() {
  static const Words keys{"W_QK", "d_qk", "W"};
  return keys;
}
Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

ExactMatrix& part(Head& head, std::string_view key) {
  static constexpr std::pair<std::string_view, ExactMatrix Head::*> parts[] = {
      {"W_Q", &Head::W_Q}, {"W_K", &Head::W_K},   {"W_V", &Head::W_V},
      {"W_O", &Head::W_O}, {"b_Q", &Head::b_Q},   {"b_K", &Head::b_K},
      {"b_V", &Head::b_V}, {"W_QK", &Head::W_QK}, {"W", &Head::W}};
  return head.*std::find_if(std::begin(parts), std::end(parts), [&](auto& entry) {
                 return entry.first == key;
               })->second;
}

const Words& attention_keys() {
  static const Words keys{"kind", "skip", "heads", "b_O"};
  return keys;
}
const Words& mlp_keys() {
  static const Words keys{"kind", "skip", "activation", "layers"};
  return keys;
}
/// Part of the format, not yet of this program.
const Words& unsupported_keys() {
  static const Words keys{"mask", "pre_norm"};
  return keys;
}
const Words& norm_keys() {
  static const Words keys{"of", "epsilon", "scale", "shift"};
  return keys;
}

}  // namespace

HeadReader::HeadReader(SizeBudget& budget)
    : ObjectReader(joined(factored_keys(), fused_keys())),
      budget_(budget),
      matrix_(budget),
      vector_(budget),
      d_qk_(budget, 1, max_d_qk) {}

ValueReader& HeadReader::value_of(std::string_view key) {
  const bool fused = contains(fused_keys(), key);
  for (const std::string_view other : fused ? factored_keys() : fused_keys())
    if (seen(other))
      throw InputError(
          fmt::format("found {} beside {}; a head takes either {} (biases and W_O may be absent) or {}, "
                      "without biases",
                      in_quotes(key), in_quotes(other), listed(factored_keys()), listed(fused_keys())));
  head_.fused = fused;
  if (key == "d_qk") return d_qk_;
  ExactMatrix& target = part(head_, key);
  if (key.starts_with("b_")) return vector_.into(target);
  return matrix_.into(target);
}

void HeadReader::finish() {
  const std::string why = fmt::format("a head has {} (biases and W_O may be absent) or {}",
                                      listed(factored_keys()), listed(fused_keys()));
  for (const std::string_view key : head_.fused ? fused_keys() : Words{"W_Q", "W_K", "W_V"})
    require(key, why);
  budget_.charge(8 * sizeof(Head));
  head_.d_qk = head_.fused ? d_qk_.value : head_.W_Q.cols();
  heads.push_back(std::move(head_));
}

MlpLayerReader::MlpLayerReader(SizeBudget& budget)
    : ObjectReader({"W", "b"}), budget_(budget), matrix_(budget), vector_(budget) {}

ValueReader& MlpLayerReader::value_of(std::string_view key) {
  if (key == "b") return vector_.into(layer_.b);
  return matrix_.into(layer_.W);
}

void MlpLayerReader::finish() {
  require("W", "a layer has W, and b unless it is zero");
  budget_.charge(8 * sizeof(MlpBlock::Layer));
  layers.push_back(std::move(layer_));
}

KindReader::KindReader() : WordReader({"attention", "mlp"}) {}

void KindReader::text(std::string_view characters) {
  if (characters == "norm")
    throw InputError("found \"norm\"; norm blocks are not supported yet. Supported: \"attention\", \"mlp\"");
  WordReader::text(characters);
}

BlockReader::BlockReader(SizeBudget& budget)
    : ObjectReader({"kind", "skip", "heads", "b_O", "activation", "layers"}),
      budget_(budget),
      skip_(budget),
      activation_(activation_names()),
      head_(budget),
      heads_(head_, "a list of heads"),
      layer_(budget),
      layers_(layer_, "a list of layers"),
      vector_(budget) {}

void BlockReader::start() {
  skip_.value = 0;
  b_O_ = {};
  head_.heads.clear();
  layer_.layers.clear();
}

ValueReader& BlockReader::member(std::string_view key) {
  if (contains(unsupported_keys(), key))
    throw InputError(fmt::format("found the key {}, which is not supported yet", in_quotes(key)));
  if (contains(norm_keys(), key))
    throw InputError(fmt::format(
        "found the key {}, which only norm blocks have, and these are not supported yet", in_quotes(key)));
  return ObjectReader::member(key);
}

ValueReader& BlockReader::value_of(std::string_view key) {
  if (seen("kind")) require_key_of_kind(key);
  if (key == "kind") return kind_;
  if (key == "skip") return skip_;
  if (key == "heads") return heads_;
  if (key == "b_O") return vector_.into(b_O_);
  if (key == "activation") return activation_;
  return layers_;
}

void BlockReader::require_key_of_kind(std::string_view key) const {
  const Words& allowed = kind_.value == "attention" ? attention_keys() : mlp_keys();
  if (!contains(allowed, key))
    throw InputError(fmt::format("found the key {} in a block of kind {}. Keys allowed here: {}",
                                 in_quotes(key), in_quotes(kind_.value), listed(allowed)));
}

void BlockReader::finish() {
  require("kind", "it is \"attention\" or \"mlp\"");
  for (const std::string_view key : {"heads", "b_O", "activation", "layers"})
    if (seen(key)) require_key_of_kind(key);
  budget_.charge(8 * sizeof(Block));
  if (kind_.value == "attention")
    finish_attention();
  else
    finish_mlp();
}

void BlockReader::finish_attention() {
  require("heads", "an attention block has a list of heads");
  AttentionBlock block;
  block.skip = std::move(skip_.value);
  block.heads = std::exchange(head_.heads, {});
  block.b_O = std::move(b_O_);
  blocks.emplace_back(std::move(block));
}

void BlockReader::finish_mlp() {
  require("activation", "an mlp block names its activation");
  require("layers", "an mlp block has a list of layers");
  MlpBlock block;
  block.skip = std::move(skip_.value);
  block.activation = *activation_from_name(activation_.value);
  block.layers = std::exchange(layer_.layers, {});
  blocks.emplace_back(std::move(block));
}

}  // namespace rankfall::json
