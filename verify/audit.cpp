#include "verify/audit.hpp"

#include <algorithm>
#include <array>

#include "theory/catalogue/catalogue.hpp"
#include "verify/other_claims.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// What the paper states and proves, in its order; the steps of its proofs stand in its appendix.
constexpr std::array paper_order = {"path-decomposition",
                                    "path-count",
                                    "dong-2.2-v1",
                                    "dong-2.2-v1-few-tokens",
                                    "dong-2.2-v1-deep",
                                    "dong-2.2-v1-between",
                                    "dong-2.2",
                                    "convergence-remark",
                                    "dong-2.3-v1",
                                    "dong-2.3",
                                    "dong-3.1-skip",
                                    "dong-3.2-mlp",
                                    "dong-layernorm",
                                    "perturbation",
                                    "proof-step-printed",
                                    "layer-cubic",
                                    "chaining"};

std::vector<std::string> replacements(const std::string& id) {
  if (id == "proof-step-printed") return {"proof-step"};
  if (id == "dong-2.2-v1") return {"dong-2.2", "composite-diameter"};
  if (id == "dong-2.3-v1" || id == "dong-2.3") return {"dong-2.3-repaired", "composite-diameter"};
  if (id == "convergence-remark") return {"chaining", "global-collapse"};
  return {};
}

std::vector<Refutation> certified_against(const std::string& id, const Evidence& evidence) {
  std::vector<Refutation> result;
  std::copy_if(evidence.refutations.begin(), evidence.refutations.end(), std::back_inserter(result),
               [&](const Refutation& r) { return r.statement_id == id && r.certified; });
  return result;
}

std::size_t count(const std::map<std::string, std::size_t>& counts, const std::string& id) {
  const auto found = counts.find(id);
  return found == counts.end() ? 0 : found->second;
}

bool all_proved(const std::vector<Proof>& proofs) {
  return !proofs.empty() && std::ranges::all_of(proofs, [](const Proof& proof) { return proof.proved(); });
}

/// The strongest ground on which the claim stands; empty when there is none.
std::string ground_for(const AuditedClaim& claim) {
  if (claim.id == "chaining") return all_proved(claim.symbolic) ? "symbolic" : "";
  if (claim.id == "dong-3.1-skip") return claim.constructions ? "instance" : "";
  if (claim.id == "dong-2.2-v1-few-tokens") return claim.intervals ? "machine-checked" : "";
  // A proof by chaining must be one for symbols too.
  if (!claim.symbolic.empty() && !all_proved(claim.symbolic)) return "";
  return claim.proof.empty() ? "" : "written-proof";
}

/// Verdict and ground of a claim that is held true or false, from the evidence alone.
AuditedClaim decided(AuditedClaim claim, Status held, const Evidence& evidence) {
  claim.of_paper = std::ranges::find(paper_order, claim.id) != paper_order.end();
  claim.refutations = certified_against(claim.id, evidence);
  claim.sampled = count(evidence.proved, claim.id);
  if (const auto found = evidence.written.find(claim.id); found != evidence.written.end())
    claim.proof = "docs/theory/" + found->second;
  if (const auto found = evidence.symbolic.find(claim.id); found != evidence.symbolic.end())
    claim.symbolic = found->second;
  if (const auto found = evidence.intervals.find(claim.id); found != evidence.intervals.end())
    claim.intervals = found->second;
  if (claim.id == "dong-3.1-skip" && evidence.skips_kept > 0) claim.constructions = evidence.skips_kept;
  if (held == Status::refuted) {
    if (claim.refutations.empty()) return claim;
    claim.verdict = Status::refuted;
    claim.ground = "instance";
    return claim;
  }
  if (held == Status::open) return claim;
  claim.replaced_by.clear();
  const bool contradicted = !claim.refutations.empty() || count(evidence.refuted, claim.id) > 0;
  const bool constants_hold =
      std::ranges::all_of(claim.constants, [](const Constant& c) { return certified(c, Precision(256)); });
  if (held != Status::proved || contradicted || !constants_hold) return claim;
  claim.ground = ground_for(claim);
  if (!claim.ground.empty()) claim.verdict = Status::proved;
  return claim;
}

AuditedClaim audited(const Statement& s, const Evidence& evidence) {
  AuditedClaim claim;
  claim.id = s.id;
  claim.title = s.title;
  claim.words = s.words;
  claim.source = s.source;
  claim.constants = s.constants;
  claim.replaced_by = replacements(s.id);
  return decided(std::move(claim), s.status, evidence);
}

AuditedClaim audited(const OtherClaim& other, const Evidence& evidence) {
  AuditedClaim claim;
  claim.id = other.id;
  claim.title = other.title;
  claim.words = other.words;
  claim.source = other.source;
  claim.replaced_by = other.replaced_by;
  return decided(std::move(claim), other.held, evidence);
}

}  // namespace

std::vector<AuditedClaim> audit(const Evidence& evidence) {
  std::vector<AuditedClaim> claims;
  for (const Statement& statement : catalogue()) claims.push_back(audited(statement, evidence));
  for (const OtherClaim& other : other_claims()) claims.push_back(audited(other, evidence));
  const auto place = [](const AuditedClaim& claim) {
    return std::ranges::find(paper_order, claim.id) - paper_order.begin();
  };
  std::ranges::stable_sort(claims, {}, place);
  return claims;
}

}  // namespace rankfall::verify
