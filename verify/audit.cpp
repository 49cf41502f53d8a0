#include "verify/audit.hpp"

#include <algorithm>
#include <array>

#include "numerics/san/engine.hpp"
#include "numerics/san/generate.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/chain_proof.hpp"
#include "theory/models/few_tokens.hpp"
#include "theory/models/skip_models.hpp"
#include "verify/audit_instances.hpp"
#include "verify/check.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// What the paper states and proves, in its order; the steps of its proofs stand in its appendix.
constexpr std::array paper_order = {
    "path-decomposition", "path-count",         "dong-2.2-v1",    "dong-2.2-v1-few-tokens",
    "dong-2.2",           "convergence-remark", "dong-2.3-v1",    "dong-2.3",
    "dong-3.1-skip",      "dong-3.2-mlp",       "dong-layernorm", "perturbation",
    "proof-step-printed", "layer-cubic",        "chaining"};

/// A claim that is no statement of the catalogue.
struct OtherClaim {
  const char* id;
  const char* title;
  Status held;
  const char* words;
  const char* source;
  const char* proof;
  std::vector<std::string> replaced_by;
};

const std::vector<OtherClaim>& other_claims() {
  static const std::vector<OtherClaim> claims = {
      {"dong-2.2-v1-few-tokens",
       "Theorem 2.2 as first printed, for few tokens",
       Status::proved,
       "One layer of one head, as printed without a condition on logits, for at most 1381 tokens",
       "this project",
       "dong.md#small-n",
       {}},
      {"composite-triangle",
       "The composite is a norm",
       Status::refuted,
       "The composite norm is subadditive",
       "implied by the proof of Theorem 2.3 of the paper",
       "README.md",
       {"dong-2.3-repaired"}},
      {"dong-3.1-orthogonal",
       "Orthogonal outputs keep the residual",
       Status::refuted,
       "A skip connection with outputs orthogonal to the inputs keeps the residual",
       "a reading of Section 3.1 of the paper",
       "refutations.md#dong-3.1-orthogonal",
       {"dong-3.1-skip", "diameter-skip"}},
      {"dong-3.2-vector-norm",
       "A Lipschitz constant in a vector norm",
       Status::refuted,
       "A row-wise map raises the residual by at most its Lipschitz constant in a vector norm",
       "a reading of Section 3.2 of the paper",
       "mlp.md#dong-3.2-mlp",
       {"dong-3.2-mlp", "diameter-mlp"}},
      {"gamma-at-the-midrange",
       "Gamma at the midrange",
       Status::refuted,
       "dong-2.2 holds with gamma sum-max taken at the midrange of each state",
       "a variant",
       "refutations.md#gamma-at-the-midrange",
       {"dong-2.2"}},
      {"sharp-gamma-at-the-mean",
       "The sharp constant with gamma at the mean",
       Status::refuted,
       "The sharp constant of dong-2.2 holds with gamma at the mean of each state",
       "a variant",
       "refutations.md#sharp-gamma-at-the-mean",
       {"dong-2.2"}},
  };
  return claims;
}

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

/// Whether every layer leaves the residual's first columns exactly as they are.
bool keeps_columns(const Network& network, Index columns, Precision p) {
  const ResidualEngine engine(network, p);
  const ResidualState start = engine.input(Reference::mean);
  ResidualState state = start;
  for (std::size_t block = 0; block < engine.blocks(); ++block) state = engine.apply(block, state).output;
  for (Index i = 0; i < start.residual.mantissa.rows(); ++i)
    for (Index j = 0; j < columns; ++j) {
      const Ball before = scale(start.residual.mantissa(i, j), start.residual.exponent);
      const Ball after = scale(state.residual.mantissa(i, j), state.residual.exponent);
      if (!is_exact(before) || !is_exact(after) || !contains(before, after)) return false;
    }
  return true;
}

void sample_networks(Evidence& evidence) {
  CheckOptions options;
  options.digits = 4;
  for (const long heads : {1, 2})
    for (const char* beta : {"0.01", "1", "10"})
      for (const std::uint64_t seed : {1, 2, 3}) {
        GenerateSpec spec;
        spec.tokens = 6;
        spec.dim = 4;
        spec.heads = heads;
        spec.depth = 3;
        spec.beta = parse_number(beta);
        spec.seed = seed;
        for (const Decision& d : check(generate(spec), options).decisions) {
          if (d.verdict == Verdict::proved) ++evidence.proved[d.statement->id];
          if (d.verdict == Verdict::refuted && d.claim() == Status::proved)
            ++evidence.refuted[d.statement->id];
        }
      }
}

void prove_symbolically(Evidence& evidence) {
  evidence.symbolic["chaining"] = prove_chaining();
  for (const Statement& s : catalogue()) {
    if (s.status != Status::proved) continue;
    for (const Bound& bound : s.bounds)
      if (auto proof = prove_chain(bound)) evidence.symbolic[s.id].push_back(*std::move(proof));
  }
}

}  // namespace

Evidence gather_evidence(Precision p) {
  Evidence evidence;
  evidence.refutations = refutations(p);
  for (const Statement& s : catalogue()) evidence.written[s.id] = s.proof;
  for (const OtherClaim& other : other_claims()) evidence.written[other.id] = other.proof;
  prove_symbolically(evidence);
  if (const auto intervals = cover_every_t({}, p)) evidence.intervals["dong-2.2-v1-few-tokens"] = *intervals;
  const ExactMatrix tokens = ExactMatrix::from(4, 2, std::vector<double>{1, 2, -3, 0.5, 0.25, -1, 2, 7});
  constexpr std::size_t layers = 12;
  evidence.skips_kept += keeps_columns(skip_with_zero_values(tokens, layers, 5), 2, p);
  evidence.skips_kept +=
      keeps_columns(skip_into_other_columns(tokens, layers, Rational(1, 5), Rational(1, 1000)), 2, p);
  sample_networks(evidence);
  add_path_evidence(evidence);
  add_average_evidence(evidence);
  return evidence;
}

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
