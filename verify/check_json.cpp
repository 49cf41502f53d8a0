#include "verify/check_json.hpp"

#include <nlohmann/json.hpp>

#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

Json json(const EnclosureText& text) {
  return {{text.unit, {text.low, text.high}}};
}

template <class Value>
Json log10(const Value& value, int digits) {
  return json(log10_text(value, digits));
}

Json state_json(const CheckResult& result, std::size_t k, int digits) {
  const StateMeasures& state = result.states[k];
  Json residual, diameter;
  for (const Reference reference : all_references)
    residual[name(reference)] = log10(state.residual[static_cast<std::size_t>(reference)], digits);
  residual["minimal"] = log10(state.minimal, digits);
  for (const VectorNorm norm : all_vector_norms)
    diameter[name(norm)] = log10(state.diameter[static_cast<std::size_t>(norm)], digits);
  diameter["composite"] = log10(state.composite_diameter, digits);
  return {{"index", k},
          {"kind", result.kinds[k]},
          {"norm", log10(state.norm, digits)},
          {"residual", residual},
          {"relative", state.has_relative ? log10(state.relative, digits) : Json(nullptr)},
          {"diameter", diameter}};
}

Json lipschitz_json(const Lipschitz& lambda, int digits) {
  Json local;
  for (const Reference reference : all_references)
    local[name(reference)] = log10(lambda.local[static_cast<std::size_t>(reference)], digits);
  return {{"block", lambda.block}, {"local", local}, {"global", log10(lambda.global, digits)}};
}

/// A side of an inequality; a bound of one's own may lie below zero.
Json side(const Decision& d, const Bracket& value, int digits) {
  if (!d.compared) return nullptr;
  return json(d.statement->file.empty() ? log10_text(value, digits) : signed_text(value, digits));
}

Json optional(const std::optional<bool>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json decision_json(const Decision& d, int digits) {
  Json hypotheses = Json::array();
  for (const HypothesisResult& h : d.hypotheses)
    hypotheses.push_back({{"name", h.name},
                          {"holds", optional(h.holds)},
                          {"value", json(signed_text(h.value, digits))},
                          {"margin", json(value_text(h.margin, digits))}});
  Json gamma = nullptr;
  if (d.gamma)
    gamma = {{"definition", name(*d.gamma)},
             {"value", d.gamma_value ? json(value_text(*d.gamma_value, digits)) : Json(nullptr)}};
  return {{"id", d.statement->id},
          {"claim_status", name(d.claim())},
          {"from", d.from},
          {"to", d.to},
          {"depth", d.depth},
          {"reference", d.reference.empty() ? Json(nullptr) : Json(d.reference)},
          {"quantity", d.subject()},
          {"gamma", gamma},
          {"verdict", name(d.verdict)},
          {"reason", d.reason.empty() ? Json(nullptr) : Json(d.reason)},
          {"hypotheses", hypotheses},
          {"left", side(d, d.left, digits)},
          {"right", side(d, d.right, digits)},
          {"slack_decades", d.compared ? json(value_text(d.slack, digits)) : Json(nullptr)},
          {"looseness", d.looseness ? json(value_text(*d.looseness, digits)) : Json(nullptr)},
          {"non_contracting", optional(d.non_contracting)},
          {"vacuous", optional(d.vacuous)},
          {"bits", d.bits}};
}

}  // namespace

std::string check_json(const CheckResult& result, const Source& source, const std::string& engine,
                       int digits) {
  Json states = Json::array(), lambdas = Json::array(), statements = Json::array();
  for (std::size_t k = 0; k < result.states.size(); ++k) states.push_back(state_json(result, k, digits));
  for (const Lipschitz& lambda : result.lipschitz) lambdas.push_back(lipschitz_json(lambda, digits));
  for (const Decision& decision : result.decisions) statements.push_back(decision_json(decision, digits));
  const Json document = {{"format", "rankfall-check/1"},
                         {"network",
                          {{"file", source.file},
                           {"tokens", result.tokens},
                           {"dim", result.dim},
                           {"depth", result.depth},
                           {"blocks", result.blocks},
                           {"sha256", source.sha256}}},
                         {"arithmetic", {{"engine", engine}, {"bits", result.bits}}},
                         {"states", states},
                         {"lambda", lambdas},
                         {"statements", statements}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rankfall::verify
