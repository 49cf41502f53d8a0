#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "verify/audit.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using Json = nlohmann::ordered_json;

constexpr int shown_digits = 10, constant_digits = 51;
constexpr Precision constant_bits(256);
constexpr std::size_t shown_parameters = 8;

std::string ratio(const Refutation& r) {
  const Precision p(256);
  if (!r.right.certainly_positive()) return "left above zero, right zero";
  const EnclosureText text = value_text(div(r.left, r.right, p), shown_digits);
  return fmt::format("left/right in [{}, {}]", text.low, text.high);
}

std::string parameters(const Refutation& r) {
  std::string text;
  for (std::size_t i = 0; i < r.parameters.size() && i < shown_parameters; ++i)
    text += fmt::format("{}{} = {}", i ? ", " : "", r.parameters[i].name,
                        rankfall::to_text(r.parameters[i].value));
  if (r.parameters.size() > shown_parameters)
    text += fmt::format(", and {} more (in the JSON)", r.parameters.size() - shown_parameters);
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The description as the head of "head: value".
std::string head(const Refutation& refutation) {
  const std::string& text = refutation.description;
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string ground(const AuditedClaim& claim) {
  if (claim.verdict == Status::proved && claim.ground == "instance")
    return fmt::format("{} certified constructions, {}", claim.sampled, claim.proof);
  if (claim.verdict == Status::proved)
    return fmt::format("{} {}; {} sampled decisions, none against", claim.ground, claim.proof, claim.sampled);
  if (claim.verdict == Status::refuted)
    return fmt::format("{} certified instance{}", claim.refutations.size(),
                       claim.refutations.size() == 1 ? "" : "s");
  return "no evidence that decides";
}

EnclosureText enclosed(const Constant& constant) {
  return value_text(constant.enclose(constant_bits), constant_digits);
}

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
    const EnclosureText left = log10_text(r.left, shown_digits), right = log10_text(r.right, shown_digits);
    instances.push_back({{"description", r.description},
                         {"parameters", values},
                         {"left", {{"log10", {left.low, left.high}}}},
                         {"right", {{"log10", {right.low, right.high}}}}});
  }
  return {{"proof", claim.proof.empty() ? Json(nullptr) : Json(claim.proof)},
          {"sampled", claim.sampled},
          {"constants", constants},
          {"instances", instances}};
}

}  // namespace

std::string audit_text(const std::vector<AuditedClaim>& claims) {
  std::string text;
  for (const AuditedClaim& claim : claims) {
    text += fmt::format("{:<26} {:<8} {}\n", claim.id, name(claim.verdict), ground(claim));
    for (const Refutation& r : claim.refutations) {
      text += fmt::format("  {}: {}\n", head(r), ratio(r));
      if (!r.parameters.empty()) text += "    " + parameters(r) + "\n";
    }
    for (const Constant& constant : claim.constants) {
      const EnclosureText value = enclosed(constant);
      text += fmt::format("  {} in [{}, {}]{}\n", constant.name, value.low, value.high,
                          !constant.stand_in
                              ? ""
                              : (certified(constant, constant_bits) ? ", above " : ", not certified above ") +
                                    rankfall::to_text(*constant.stand_in));
    }
    if (!claim.replaced_by.empty()) text += "  true instead: " + joined(claim.replaced_by) + "\n";
  }
  return text;
}

std::string audit_markdown(const std::vector<AuditedClaim>& claims) {
  std::string text =
      "# Audit\n\n| claim | source | verdict | ground | true instead |\n|---|---|---|---|---|\n";
  for (const AuditedClaim& claim : claims)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", claim.id, claim.source, name(claim.verdict),
                        ground(claim), joined(claim.replaced_by));
  text += "\n## Certified instances\n\n";
  for (const AuditedClaim& claim : claims)
    for (const Refutation& r : claim.refutations)
      text += fmt::format("- `{}`: {}; {}; {}\n", claim.id, head(r), ratio(r), parameters(r));
  return text;
}

std::string audit_json(const std::vector<AuditedClaim>& claims) {
  Json list = Json::array();
  for (const AuditedClaim& claim : claims)
    list.push_back({{"id", claim.id},
                    {"words", claim.words},
                    {"source", claim.source},
                    {"verdict", name(claim.verdict)},
                    {"ground", claim.ground.empty() ? Json(nullptr) : Json(claim.ground)},
                    {"evidence", evidence(claim)},
                    {"replaced_by", claim.replaced_by}});
  return Json{{"format", "rankfall-audit/1"}, {"claims", list}}.dump(2) + "\n";
}

}  // namespace rankfall::verify
