#include "verify/report/instances.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// What a bound of a statement with several of them is about.
std::string subject(const Bound& bound) {
  if (bound.family == Family::leading_order_1) return "p = 1";
  if (bound.family == Family::leading_order_2) return "p = 2";
  if (bound.family == Family::leading_order_inf) return "p = inf";
  return name(bound.quantity) + (bound.from_below ? " from below" : "");
}

/// Layers of a generated network that end no earlier than the decision.
std::size_t layers_to(const Decision& decision, const LayerForm& form) {
  const auto blocks = static_cast<std::size_t>(form.blocks());
  return (decision.to + blocks - 1) / blocks;
}

bool same_claim(const Claim& claim, const Decision& decision) {
  return claim.bound == decision.bound && claim.gamma == decision.gamma;
}

}  // namespace

std::string Claim::label() const {
  std::string text = statement->id;
  if (gamma) text += ", gamma " + name(*gamma);
  if (statement->bounds.size() > 1) text += ", " + subject(*bound);
  return text;
}

std::vector<Instance> instances(const CellResult& result, const Grid& grid) {
  std::vector<Instance> all;
  for (const Decision& decision : result.check.decisions) {
    const auto depth = static_cast<long>(decision.depth);
    const bool at_depth = decision.bound->span == Bound::Span::layer ||
                          std::find(grid.depth.begin(), grid.depth.end(), depth) != grid.depth.end();
    const bool asked = !grid.options.statements.empty() || decision.compared;
    if (at_depth && asked) all.push_back({&result, &decision});
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
    auto claim =
        std::find_if(all.begin(), all.end(), [&](const Claim& c) { return same_claim(c, decision); });
    if (claim == all.end())
      claim = all.insert(all.end(), {decision.statement, decision.bound, decision.gamma, {}});
    claim->instances.push_back(instance);
  }
  return all;
}

const Claim* find_claim(const std::vector<Claim>& claims, std::string_view id, Gamma::Kind gamma) {
  const auto found = std::find_if(claims.begin(), claims.end(), [&](const Claim& claim) {
    const Quantity quantity = claim.bound->quantity;
    return claim.statement->id == id &&
           (quantity == Quantity::residual || quantity == Quantity::residual_about) &&
           (!claim.gamma || claim.gamma->kind == gamma);
  });
  return found == claims.end() ? nullptr : &*found;
}

bool applies(const Decision& decision) {
  return decision.verdict != Verdict::inapplicable;
}

long query_width(const GenerateSpec& spec) {
  return spec.d_qk > 0 ? spec.d_qk : spec.dim / spec.heads;
}

std::string beta_text(const GenerateSpec& spec) {
  return spec.beta ? to_text(*spec.beta) : "";
}

std::string cell_text(const GenerateSpec& spec) {
  std::string text =
      fmt::format("n {}, d {}, {} head{}", spec.tokens, spec.dim, spec.heads, spec.heads > 1 ? "s" : "");
  if (spec.d_qk > 0) text += fmt::format(", d_qk {}", spec.d_qk);
  text += spec.beta ? ", beta " + beta_text(spec) : ", beta unscaled";
  const GenerateSpec defaults;
  if (spec.law != defaults.law) text += ", " + spec.law + " weights";
  if (spec.input_law != defaults.input_law) text += ", " + spec.input_law + " input";
  if (spec.blocks != defaults.blocks) text += ", " + spec.blocks + " blocks";
  return text + fmt::format(", seed {}", spec.seed);
}

std::string reproduction(const Instance& instance) {
  const GenerateSpec& spec = instance.cell->cell.spec;
  const Decision& decision = *instance.decision;
  const GenerateSpec defaults;
  std::string text = fmt::format("rankfall generate --tokens {} --dim {} --heads {} --depth {}", spec.tokens,
                                 spec.dim, spec.heads, layers_to(decision, layer_form(spec.blocks)));
  if (spec.d_qk > 0) text += fmt::format(" --d-qk {}", spec.d_qk);
  if (spec.beta) text += " --beta " + beta_text(spec);
  if (spec.law != defaults.law) text += " --law " + spec.law;
  if (spec.input_law != defaults.input_law) text += " --input-law " + spec.input_law;
  if (spec.blocks != defaults.blocks) text += " --blocks " + spec.blocks;
  text += fmt::format(" --seed {} | rankfall check - --statement {}", spec.seed, decision.statement->id);
  if (!decision.statement->file.empty()) text += " --define " + decision.statement->file;
  if (decision.gamma) text += " --gamma " + name(*decision.gamma);
  return text;
}

}  // namespace rankfall::verify
