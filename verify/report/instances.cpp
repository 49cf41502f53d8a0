#include "verify/report/instances.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// About which reference a residual is taken is a matter of the instance, not of the claim.
Quantity bounded(Quantity quantity) {
  return quantity == Quantity::residual_about ? Quantity::residual : quantity;
}

bool same_claim(const Claim& claim, const Decision& decision) {
  return claim.statement == decision.statement && claim.gamma == decision.gamma &&
         claim.bound == &bound_of(decision);
}

}  // namespace

std::string Claim::label() const {
  std::string text = statement->id;
  if (gamma) text += ", gamma " + name(*gamma);
  if (statement->bounds.size() > 1) text += ", " + name(bounded(bound->quantity));
  return text;
}

std::vector<Instance> instances(const CellResult& result, const Grid& grid) {
  std::vector<Instance> all;
  for (const Decision& decision : result.check.decisions) {
    const auto depth = static_cast<long>(decision.depth);
    const bool asked = bound_of(decision).span == Bound::Span::layer ||
                       std::find(grid.depth.begin(), grid.depth.end(), depth) != grid.depth.end();
    if (asked) all.push_back({&result, &decision});
  }
  return all;
}

std::vector<Instance> instances(const std::vector<CellResult>& results, const Grid& grid) {
  std::vector<Instance> all;
  for (const CellResult& result : results) {
    const std::vector<Instance> more = instances(result, grid);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<Claim> claims(const std::vector<Instance>& instances) {
  std::vector<Claim> all;
  for (const Instance& instance : instances) {
    const Decision& decision = *instance.decision;
    auto claim = std::find_if(all.begin(), all.end(), [&](const Claim& c) { return same_claim(c, decision); });
    if (claim == all.end())
      claim = all.insert(all.end(), {decision.statement, &bound_of(decision), decision.gamma, {}});
    claim->instances.push_back(instance);
  }
  return all;
}

const Claim* find_claim(const std::vector<Claim>& claims, std::string_view id, Gamma::Kind gamma) {
  const auto found = std::find_if(claims.begin(), claims.end(), [&](const Claim& claim) {
    return claim.statement->id == id && bounded(claim.bound->quantity) == Quantity::residual &&
           (!claim.gamma || claim.gamma->kind == gamma);
  });
  return found == claims.end() ? nullptr : &*found;
}

const Bound& bound_of(const Decision& decision) {
  const auto& bounds = decision.statement->bounds;
  const auto found = std::find_if(bounds.begin(), bounds.end(), [&](const Bound& bound) {
    return bounded(bound.quantity) == bounded(decision.quantity);
  });
  if (found == bounds.end()) throw Error(decision.statement->id + " has no bound on " + name(decision.quantity));
  return *found;
}

bool applies(const Decision& decision) { return decision.verdict != Verdict::inapplicable; }

long query_width(const GenerateSpec& spec) { return spec.d_qk > 0 ? spec.d_qk : spec.dim / spec.heads; }

std::string beta_text(const GenerateSpec& spec) { return spec.beta ? to_text(*spec.beta) : ""; }

std::string cell_text(const GenerateSpec& spec) {
  std::string text = fmt::format("n {}, d {}, {} head{}", spec.tokens, spec.dim, spec.heads, spec.heads > 1 ? "s" : "");
  if (spec.d_qk > 0) text += fmt::format(", d_qk {}", spec.d_qk);
  text += spec.beta ? ", beta " + beta_text(spec) : ", beta unscaled";
  const GenerateSpec defaults;
  if (spec.law != defaults.law) text += ", " + spec.law + " weights";
  if (spec.input_law != defaults.input_law) text += ", " + spec.input_law + " input";
  return text + fmt::format(", seed {}", spec.seed);
}

std::string reproduction(const Instance& instance) {
  const GenerateSpec& spec = instance.cell->cell.spec;
  const Decision& decision = *instance.decision;
  const GenerateSpec defaults;
  std::string text = fmt::format("rankfall generate --tokens {} --dim {} --heads {} --depth {}", spec.tokens, spec.dim,
                                 spec.heads, decision.to);
  if (spec.d_qk > 0) text += fmt::format(" --d-qk {}", spec.d_qk);
  if (spec.beta) text += " --beta " + beta_text(spec);
  if (spec.law != defaults.law) text += " --law " + spec.law;
  if (spec.input_law != defaults.input_law) text += " --input-law " + spec.input_law;
  text += fmt::format(" --seed {} | rankfall check - --statement {}", spec.seed, decision.statement->id);
  if (decision.gamma) text += " --gamma " + name(*decision.gamma);
  return text;
}

}  // namespace rankfall::verify
