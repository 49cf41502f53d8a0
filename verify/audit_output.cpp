#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "verify/audit_words.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using Json = nlohmann::ordered_json;

Json evidence(const AuditedClaim& claim) {
  Json constants = Json::array();
  for (const Constant& constant : claim.constants) {
    const EnclosureText text = enclosed(constant);
    constants.push_back(
        {{"name", constant.name},
         {"words", constant.words},
         {"value", {text.low, text.high}},
         {"above", constant.stand_in ? Json(rankfall::to_text(*constant.stand_in)) : Json(nullptr)}});
  }
  Json instances = Json::array();
  for (const Refutation& r : claim.refutations) {
    Json values = Json::object();
    for (const Parameter& parameter : r.parameters)
      values[parameter.name] = rankfall::to_text(parameter.value);
    const EnclosureText left = log10_text(r.left, audit_digits), right = log10_text(r.right, audit_digits);
    instances.push_back({{"description", r.description},
                         {"parameters", values},
                         {"left", {{"log10", {left.low, left.high}}}},
                         {"right", {{"log10", {right.low, right.high}}}}});
  }
  Json inductions = Json::array();
  for (const Proof& proof : claim.symbolic) {
    Json steps = Json::array();
    for (const ProofStep& step : proof.steps) steps.push_back(step.words + ": " + step.text);
    inductions.push_back({{"claim", proof.claim}, {"proved", proof.proved()}, {"steps", steps}});
  }
  const auto counted = [](const std::optional<std::size_t>& count) {
    return count ? Json(*count) : Json(nullptr);
  };
  return {{"proof", claim.proof.empty() ? Json(nullptr) : Json(claim.proof)},
          {"sampled", claim.sampled},
          {"constants", constants},
          {"instances", instances},
          {"symbolic", inductions},
          {"intervals", counted(claim.intervals)},
          {"constructions", counted(claim.constructions)}};
}

}  // namespace

std::string audit_text(const std::vector<AuditedClaim>& claims) {
  std::string text;
  const AuditedClaim* last = nullptr;
  for (const AuditedClaim& claim : claims) {
    if (!last || last->of_paper != claim.of_paper)
      text += claim.of_paper ? "Claims of the paper, in its order\n" : "\nOther statements and variants\n";
    last = &claim;
    text += fmt::format("{:<26} {:<8} {}\n", claim.id, name(claim.verdict), ground_words(claim));
    for (const Refutation& r : claim.refutations) {
      text += fmt::format("  {}: {}\n", description_words(r), ratio_words(r));
      if (!r.parameters.empty()) text += "    " + parameter_words(r) + "\n";
    }
    for (const Constant& constant : claim.constants) text += "  " + constant_words(constant) + "\n";
    if (!claim.replaced_by.empty()) text += "  true instead: " + joined(claim.replaced_by) + "\n";
  }
  return text;
}

std::string audit_markdown(const std::vector<AuditedClaim>& claims) {
  std::string text =
      "# Audit\n\n| claim | source | verdict | ground | true instead |\n|---|---|---|---|---|\n";
  for (const AuditedClaim& claim : claims)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", claim.id, claim.source, name(claim.verdict),
                        ground_words(claim), joined(claim.replaced_by));
  text += "\n## Certified instances\n\n";
  for (const AuditedClaim& claim : claims)
    for (const Refutation& r : claim.refutations)
      text += fmt::format("- `{}`: {}; {}; {}\n", claim.id, description_words(r), ratio_words(r),
                          parameter_words(r));
  return text;
}

std::string audit_json(const std::vector<AuditedClaim>& claims) {
  Json list = Json::array();
  for (const AuditedClaim& claim : claims)
    list.push_back({{"id", claim.id},
                    {"title", claim.title},
                    {"words", claim.words},
                    {"source", claim.source},
                    {"of_paper", claim.of_paper},
                    {"verdict", name(claim.verdict)},
                    {"ground", claim.ground.empty() ? Json(nullptr) : Json(claim.ground)},
                    {"evidence", evidence(claim)},
                    {"replaced_by", claim.replaced_by}});
  return Json{{"format", "rankfall-audit/1"}, {"claims", list}}.dump(2) + "\n";
}

}  // namespace rankfall::verify
