#include <algorithm>
#include <nlohmann/json.hpp>

#include "verify/enclosure.hpp"
#include "verify/report/tables.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const VerdictCounts& counts) {
  return {{"proved", counts.proved},
          {"refuted", counts.refuted},
          {"inapplicable", counts.inapplicable},
          {"inconclusive", counts.inconclusive}};
}

Json reasons_json(const VerdictCounts& counts) {
  return {
      {"precision", counts.precision}, {"minimal-residual-gap", counts.gap}, {"equality", counts.equality}};
}

Json gamma_json(const std::optional<theory::Gamma>& gamma) {
  return gamma ? Json(name(*gamma)) : Json(nullptr);
}

Json enclosure_json(const Bracket& value, int digits) {
  const EnclosureText text = log10_text(value, digits);
  return {{text.unit, {text.low, text.high}}};
}

Json exception_json(const Instance& instance, int digits) {
  const GenerateSpec& spec = instance.cell->cell.spec;
  const Decision& d = *instance.decision;
  return {{"kind", contradicts_theory(d) ? "refuted-though-held-true" : "undecided-for-lack-of-precision"},
          {"statement", d.statement->id},
          {"gamma", gamma_json(d.gamma)},
          {"quantity", d.subject()},
          {"reference", d.reference.empty() ? Json(nullptr) : Json(d.reference)},
          {"from", d.from},
          {"to", d.to},
          {"cell",
           {{"tokens", spec.tokens},
            {"dim", spec.dim},
            {"heads", spec.heads},
            {"d_qk", query_width(spec)},
            {"beta", spec.beta ? Json(beta_text(spec)) : Json(nullptr)},
            {"law", spec.law},
            {"input_law", spec.input_law},
            {"blocks", spec.blocks},
            {"seed", spec.seed}}},
          {"left", enclosure_json(d.left, digits)},
          {"right", enclosure_json(d.right, digits)},
          {"bits", d.bits},
          {"command", reproduction(instance)}};
}

/// All inequalities of one statement read with one gamma.
struct Reading {
  const Claim* claim;
  VerdictCounts counts;
};

std::vector<Reading> readings(const std::vector<Digest>& digests) {
  std::vector<Reading> all;
  for (const Digest& digest : digests) {
    auto found = std::find_if(all.begin(), all.end(), [&](const Reading& reading) {
      return reading.claim->statement == digest.claim->statement &&
             reading.claim->gamma == digest.claim->gamma;
    });
    if (found == all.end()) found = all.insert(all.end(), {digest.claim, {}});
    found->counts.add(digest.counts);
  }
  return all;
}

}  // namespace

std::string verdicts_json(const std::vector<Digest>& digests, const Provenance& made, std::size_t networks,
                          int digits) {
  Json statements = Json::array(), exceptions = Json::array();
  VerdictCounts all;
  for (const Reading& reading : readings(digests)) {
    all.add(reading.counts);
    statements.push_back({{"id", reading.claim->statement->id},
                          {"gamma", gamma_json(reading.claim->gamma)},
                          {"claim_status", name(reading.claim->status())},
                          {"verdicts", counts_json(reading.counts)},
                          {"inconclusive_for", reasons_json(reading.counts)}});
  }
  for (const Instance& instance : exceptional(digests))
    exceptions.push_back(exception_json(instance, digits));
  const Json document = {
      {"format", verdicts_format}, {"version", made.version},      {"command", made.command},
      {"seeds", made.seeds},       {"precision", made.precision},  {"networks", networks},
      {"instances", all.total()},  {"verdicts", counts_json(all)}, {"inconclusive_for", reasons_json(all)},
      {"statements", statements},  {"exceptions", exceptions}};
  return document.dump(2) + "\n";
}

}  // namespace rankfall::verify
