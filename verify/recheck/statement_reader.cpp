#include "verify/recheck/statement_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall::recheck {
namespace {

Formula formula(const Json& value) {
  try {
    return Formula(value.as_text());
  } catch (const InputError& error) {
    throw InputError(value.place + ": " + error.what());
  }
}

std::vector<Hypothesis> hypotheses(const Json& value) {
  std::vector<Hypothesis> result;
  for (const Json& each : value.as_list()) {
    each.require_keys({"name", "words", "value", "bound"});
    result.push_back({each.at("name").as_text(), formula(each.at("value")), formula(each.at("bound"))});
  }
  return result;
}

/// One of the words, which stands for true when it is the first.
bool first_of(const Json& value, std::initializer_list<std::string_view> words) {
  const auto found = std::find(words.begin(), words.end(), value.as_text());
  if (found == words.end()) value.refuse(fmt::format("one of {}", fmt::join(words, ", ")));
  return found == words.begin();
}

void read_scope(const Json& value, Statement& statement) {
  const auto optional = [&](const char* key, bool otherwise) {
    const Json* found = value.find(key);
    return found ? found->as_truth() : otherwise;
  };
  value.require_keys({"words", "one_head", "common_d_qk", "skip", "any_skip", "causal", "shared_keys"});
  value.at("words").as_text();
  statement.one_head = value.at("one_head").as_truth();
  statement.common_d_qk = value.at("common_d_qk").as_truth();
  statement.skip = value.at("skip").as_truth();
  statement.any_skip = value.at("any_skip").as_truth();
  statement.causal = optional("causal", false);
  statement.shared_keys = optional("shared_keys", true);
}

}  // namespace

Statement read_statement(const Json& value) {
  value.require_keys({"id", "title", "words", "source", "status", "scope", "references", "span", "quantity",
                      "variant", "relation", "middle", "right", "members", "constant", "hypotheses",
                      "hypotheses_at_the_minimal_residual"});
  for (const char* key : {"title", "words", "source", "status", "variant"}) value.at(key).as_text();
  Statement result;
  result.id = value.at("id").as_text();
  read_scope(value.at("scope"), result);
  result.propagated = first_of(value.at("references"), {"propagated", "minimal", "none"});
  result.layer_span = first_of(value.at("span"), {"layer", "depth"});
  result.quantity = value.at("quantity").as_text();
  result.from_below = first_of(value.at("relation"), {">=", "<="});
  result.right = formula(value.at("right"));
  for (const Json& middle : value.at("middle").as_list()) result.middle.push_back(formula(middle));
  if (const Json& members = value.at("members"); members.kind != Json::Kind::null) {
    for (const Json& member : members.as_list()) {
      member.require_keys({"left", "right"});
      result.members.push_back({formula(member.at("left")), formula(member.at("right"))});
    }
    if (result.members.empty()) members.refuse("at least one member");
    if (!result.layer_span) members.refuse("members of a layer's bound only");
  }
  if (const Json& constant = value.at("constant"); constant.kind != Json::Kind::null)
    result.constant = formula(constant);
  result.hypotheses = hypotheses(value.at("hypotheses"));
  result.minimal_hypotheses = hypotheses(value.at("hypotheses_at_the_minimal_residual"));
  return result;
}

Reading read_reading(const Json& value, const Statement& statement, std::size_t layers) {
  value.require_keys({"from", "to", "reference", "gamma"});
  const long last = static_cast<long>(layers);
  Reading result;
  result.to = static_cast<std::size_t>(value.at("to").as_count(last, last));
  const long first = statement.layer_span ? last - 1 : 0;
  result.from = static_cast<std::size_t>(value.at("from").as_count(first, first));
  if (result.from == result.to) value.refuse("a network with a layer");
  const Json& reference = value.at("reference");
  if (reference.kind != Json::Kind::null && !first_of(reference, {"minimal", "mean", "median", "midrange"}))
    result.reference = reference.text;
  if (!result.reference.empty() && !statement.propagated)
    reference.refuse("no reference, of a statement that is not read at one");
  if (const Json& gamma = value.at("gamma"); gamma.kind != Json::Kind::null) result.gamma = gamma.as_text();
  return result;
}

std::string outside_scope(const Statement& statement, const Reading& reading, const Network& network) {
  std::vector<long> widths;
  for (std::size_t l = reading.from; l < reading.to; ++l) {
    const Layer& layer = network.layers[l];
    if (!statement.any_skip && (layer.skip != 0) != statement.skip)
      return fmt::format("layer {} {} a skip connection", l, statement.skip ? "has not" : "has");
    if (statement.one_head && layer.heads.size() != 1)
      return fmt::format("layer {} has {} heads, the statement is about one", l, layer.heads.size());
    if (statement.causal && (network.input.rows < 2 || !layer.is_causal()))
      return fmt::format("layer {} has no causal mask on two tokens or more", l);
    if (statement.shared_keys && !layer.keys_are_shared())
      return fmt::format("layer {} has a mask that differs between queries", l);
    for (const Head& head : layer.heads) widths.push_back(head.d_qk);
  }
  if (statement.common_d_qk &&
      std::count(widths.begin(), widths.end(), widths.front()) != static_cast<std::ptrdiff_t>(widths.size()))
    return "d_qk differs between heads";
  return {};
}

}  // namespace rankfall::recheck
