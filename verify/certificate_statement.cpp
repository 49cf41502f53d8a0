#include "verify/certificate_statement.hpp"

#include <nlohmann/json.hpp>

#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/print.hpp"
#include "verify/certificate_claims.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using Sorted = nlohmann::json;

Sorted json_of(const std::vector<Hypothesis>& of_statement, const std::vector<Hypothesis>& of_bound) {
  Sorted result = Sorted::array();
  for (const auto* list : {&of_statement, &of_bound})
    for (const Hypothesis& h : *list)
      result.push_back(
          {{"name", h.name}, {"words", h.words}, {"value", to_text(h.value)}, {"bound", to_text(h.bound)}});
  return result;
}

const char* name_of(References references) {
  return references == References::propagated ? "propagated"
         : references == References::minimal  ? "minimal"
                                              : "none";
}

/// The inequalities of a family, for every index (docs/formats): D is P less the row q, `out` the residual of
/// the output about the propagated reference, `osc` and `mixed` the oscillation of a column of X and of P X,
/// `beyond` the distance of a token from its leading order.
Sorted members(const Bound& bound) {
  const std::string right = to_text(bound.right);
  switch (*bound.family) {
    case Family::perturbation:  // (1 - rho_i) P_ij <= q_j <= (1 + 2 rho_i) P_ij
      return {{{"left", "D[i,j]"}, {"right", "rho[i]*P[i,j]"}}, {{"left", "-D[i,j]"}, {"right", right}}};
    case Family::proof_step_printed:
    case Family::proof_step:
      return Sorted::array({{{"left", "abs(out[i,j])"}, {"right", right}}});
    case Family::dobrushin:
    case Family::dobrushin_rows:
      return Sorted::array({{{"left", "mixed[k]"}, {"right", right}}});
    case Family::leading_order_1:
    case Family::leading_order_2:
    case Family::leading_order_inf:
      return Sorted::array({{{"left", "beyond[i]"}, {"right", right}}});
  }
  return nullptr;
}

}  // namespace

std::string statement_text(const Statement& s, const Bound& bound) {
  const Scope& scope = bound.scope ? *bound.scope : s.scope;
  Sorted middle = Sorted::array();
  for (const Expression& m : bound.middle) middle.push_back(to_text(m));
  Sorted spoken_of = {{"words", scope.words},
                      {"one_head", scope.one_head},
                      {"common_d_qk", scope.common_d_qk},
                      {"skip", scope.skip},
                      {"any_skip", scope.any_skip}};
  if (scope.feature == Feature::causal_mask) spoken_of["causal"] = true;
  if (scope.feature == Feature::causal_mask || scope.scores == Scores::any) spoken_of["shared_keys"] = false;
  const Sorted result = {
      {"id", s.id},
      {"title", s.title},
      {"words", s.words},
      {"source", s.source},
      {"status", name(s.status)},
      {"scope", spoken_of},
      {"references", name_of(s.references)},
      {"span", bound.span == Bound::Span::layer ? "layer" : "depth"},
      {"quantity", name(bound.quantity)},
      {"variant", bound.variant},
      {"relation", bound.from_below ? ">=" : "<="},
      {"middle", middle},
      {"right", to_text(bound.right)},
      {"members", bound.family ? members(bound) : Sorted(nullptr)},
      {"constant", bound.constant ? Sorted(to_text(*bound.constant)) : Sorted(nullptr)},
      {"hypotheses", json_of(s.hypotheses, bound.hypotheses)},
      {"hypotheses_at_the_minimal_residual", json_of(s.minimal_hypotheses, bound.hypotheses)}};
  return result.dump();
}

std::vector<std::string> catalogue_texts(const std::string& id) {
  std::vector<std::string> result;
  for (const Statement& statement : catalogue())
    if (statement.id == id)
      for (const Bound& bound : statement.bounds) result.push_back(statement_text(statement, bound));
  for (const RefutedClaim& claim : refuted_claims())
    if (claim.id == id) result.push_back(statement_text(claim));
  return result;
}

std::string beyond_certificates(const Statement& s, const Bound& bound) {
  const Scope& scope = bound.scope ? *bound.scope : s.scope;
  if (scope.mlp) return "MLP blocks are not rechecked";
  if (scope.feature != Feature::none && scope.feature != Feature::causal_mask)
    return name(scope.feature) + " is not rechecked";
  return {};
}

}  // namespace rankfall::verify
