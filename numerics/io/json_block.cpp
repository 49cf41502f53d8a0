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
/// Scores that depend on the row; the first two need the factored form.
const Words& row_keys() {
  static const Words keys{"relative_keys", "b_R", "score_bias"};
  return keys;
}
Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

ExactMatrix& part(Head& head, std::string_view key) {
  static constexpr std::pair<std::string_view, ExactMatrix Head::*> parts[] = {
      {"W_Q", &Head::W_Q}, {"W_K", &Head::W_K},
      {"W_V", &Head::W_V}, {"W_O", &Head::W_O},
      {"b_Q", &Head::b_Q}, {"b_K", &Head::b_K},
      {"b_V", &Head::b_V}, {"W_QK", &Head::W_QK},
      {"W", &Head::W},     {"relative_keys", &Head::relative_keys},
      {"b_R", &Head::b_R}, {"score_bias", &Head::score_bias}};
  return head.*std::find_if(std::begin(parts), std::end(parts), [&](auto& entry) {
                 return entry.first == key;
               })->second;
}

/// The keys of a block of each kind.
const Words& keys_of(std::string_view kind) {
  static const Words attention{"kind", "skip", "mask", "pre_norm", "heads", "b_O"};
  static const Words mlp{"kind", "skip", "pre_norm", "activation", "layers"};
  static const Words norm = joined({"kind"}, normalisation_keys());
  return kind == "attention" ? attention : kind == "mlp" ? mlp : norm;
}
const Words& all_keys() {
  static const Words keys = joined(
      {"kind", "skip", "mask", "pre_norm", "heads", "b_O", "activation", "layers"}, normalisation_keys());
  return keys;
}

}  // namespace

HeadReader::HeadReader(SizeBudget& budget)
    : ObjectReader(joined(joined(factored_keys(), fused_keys()), row_keys())),
      budget_(budget),
      matrix_(budget),
      vector_(budget),
      d_qk_(budget, 1, max_d_qk) {}

ValueReader& HeadReader::value_of(std::string_view key) {
  if (contains(row_keys(), key)) {
    ExactMatrix& biases = part(head_, key);
    if (key == "b_R") return vector_.into(biases);
    return matrix_.into(biases);
  }
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

BlockReader::BlockReader(SizeBudget& budget)
    : ObjectReader(all_keys()),
      budget_(budget),
      kind_({"attention", "mlp", "norm"}),
      skip_(budget),
      activation_(activation_names()),
      head_(budget),
      heads_(head_, "a list of heads"),
      layer_(budget),
      layers_(layer_, "a list of layers"),
      vector_(budget),
      mask_(budget),
      pre_norm_(budget),
      norm_(budget) {}

void BlockReader::start() {
  skip_.value = 0;
  b_O_ = {};
  mask_.value = {};
  norm_.start();
  head_.heads.clear();
  layer_.layers.clear();
}

ValueReader& BlockReader::value_of(std::string_view key) {
  if (seen("kind")) require_key_of_kind(key);
  if (key == "kind") return kind_;
  if (key == "skip") return skip_;
  if (key == "heads") return heads_;
  if (key == "b_O") return vector_.into(b_O_);
  if (key == "activation") return activation_;
  if (key == "layers") return layers_;
  if (key == "mask") return mask_;
  if (key == "pre_norm") return pre_norm_;
  return norm_.reader_of(key);
}

void BlockReader::require_key_of_kind(std::string_view key) const {
  const Words& allowed = keys_of(kind_.value);
  if (!contains(allowed, key))
    throw InputError(fmt::format("found the key {} in a block of kind {}. Keys allowed here: {}",
                                 in_quotes(key), in_quotes(kind_.value), listed(allowed)));
}

void BlockReader::finish() {
  require("kind", "it is \"attention\", \"mlp\" or \"norm\"");
  for (const std::string_view key : all_keys())
    if (seen(key)) require_key_of_kind(key);
  budget_.charge(8 * sizeof(Block));
  if (kind_.value == "attention")
    finish_attention();
  else if (kind_.value == "mlp")
    finish_mlp();
  else
    finish_norm();
}

template <class Kind>
void BlockReader::finish_common(Kind& block) {
  block.skip = std::exchange(skip_.value, 0);
  if (seen("pre_norm")) block.pre_norm = std::move(pre_norm_.value);
  blocks.emplace_back(std::move(block));
}

void BlockReader::finish_attention() {
  require("heads", "an attention block has a list of heads");
  AttentionBlock block;
  block.heads = std::exchange(head_.heads, {});
  block.b_O = std::move(b_O_);
  block.mask = std::move(mask_.value);
  finish_common(block);
}

void BlockReader::finish_mlp() {
  require("activation", "an mlp block names its activation");
  require("layers", "an mlp block has a list of layers");
  MlpBlock block;
  block.activation = *activation_from_name(activation_.value);
  block.layers = std::exchange(layer_.layers, {});
  finish_common(block);
}

void BlockReader::finish_norm() {
  require("of", why_of);
  blocks.emplace_back(norm_.take());
}

}  // namespace rankfall::json
