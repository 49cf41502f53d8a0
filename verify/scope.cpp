#include "verify/scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "theory/instance.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// The normalisation that the scope wants behind its layers.
std::optional<Normalisation::Of> behind(const Scope& scope) {
  if (scope.feature == Feature::token_norm) return Normalisation::Of::token;
  if (scope.feature == Feature::column_norm) return Normalisation::Of::column;
  return std::nullopt;
}

bool is_behind(const Scope& scope, const Block& block) {
  const auto* norm = std::get_if<Normalisation>(&block);
  return norm && behind(scope) == norm->of;
}

bool has_row_biases(const AttentionBlock& block) {
  return std::any_of(block.heads.begin(), block.heads.end(),
                     [](const Head& head) { return head.has_row_biases(); });
}

std::string wrong_pre_norm(const Scope& scope, const AttentionBlock& block) {
  if (scope.feature == Feature::token_pre_norm) {
    if (!block.pre_norm) return "has no pre_norm, which the statement is about";
    if (block.pre_norm->of == Normalisation::Of::column)
      return "normalises columns, the statement is about tokens";
    return {};
  }
  return block.pre_norm ? "has a pre_norm, outside the scope" : "";
}

std::string wrong_scores(const Scope& scope, const AttentionBlock& block, Index tokens) {
  if (scope.feature == Feature::causal_mask) {
    if (tokens < 2) return "sees one token only, the statement is about the first two";
    return block.mask.acts_causally(tokens) ? "" : "has no causal mask, which the statement is about";
  }
  if (scope.scores == Scores::any) return {};
  if (!block.mask.shared_keys(tokens)) return "has a mask that differs between queries, outside the scope";
  if (scope.scores == Scores::shared && has_row_biases(block))
    return "has score biases that depend on the query, outside the scope";
  return {};
}

std::string wrong_attention(const Scope& scope, const AttentionBlock& block, Index tokens) {
  if (!scope.any_skip) {
    if (!scope.skip && block.skip != 0) return "has a skip connection, outside the scope";
    if (scope.skip && block.skip == 0) return "has no skip connection, which the statement is about";
  }
  if (scope.one_head && block.heads.size() != 1)
    return fmt::format("has {} heads, the statement is about one", block.heads.size());
  const std::string pre_norm = wrong_pre_norm(scope, block);
  return pre_norm.empty() ? wrong_scores(scope, block, tokens) : pre_norm;
}

std::string wrong_block(const Scope& scope, const Block& block, bool first, Index tokens) {
  if (const auto* attention = std::get_if<AttentionBlock>(&block))
    return wrong_attention(scope, *attention, tokens);
  const auto* mlp = std::get_if<MlpBlock>(&block);
  if (!(mlp && scope.mlp) && !is_behind(scope, block))
    return fmt::format("is of kind {}, outside the scope", kind(block));
  if (first) return "comes before any attention";
  return mlp && mlp->pre_norm ? "has a pre_norm, outside the scope" : "";
}

}  // namespace

std::string outside_scope(const Scope& scope, const Network& network, std::size_t from, std::size_t to) {
  bool any_mlp = false, any_norm = false;
  for (std::size_t block = from; block < to; ++block) {
    const std::string wrong = wrong_block(scope, network.blocks[block], block == from, network.tokens());
    if (!wrong.empty()) return fmt::format("blocks[{}] {}", block, wrong);
    any_mlp = any_mlp || std::holds_alternative<MlpBlock>(network.blocks[block]);
    any_norm = any_norm || std::holds_alternative<Normalisation>(network.blocks[block]);
  }
  if (scope.mlp && !any_mlp) return "no MLP block follows the attention, which the statement is about";
  if (behind(scope) && !any_norm)
    return fmt::format("no normalisation of {} follows the attention, which the statement is about",
                       scope.feature == Feature::token_norm ? "tokens" : "columns");
  if (scope.common_d_qk && !common_d_qk(network, from, to)) return "d_qk differs between heads";
  return {};
}

std::size_t end_of_layer(const Scope& scope, const Network& network, const std::vector<std::size_t>& layers,
                         std::size_t l) {
  if (scope.mlp) return l + 1 < layers.size() ? layers[l + 1] : network.blocks.size();
  std::size_t end = layers[l] + 1;
  while (end < network.blocks.size() && is_behind(scope, network.blocks[end])) ++end;
  return end;
}

}  // namespace rankfall::verify
