#include "verify/audit.hpp"

#include <algorithm>

#include "numerics/san/engine.hpp"
#include "numerics/san/generate.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/models/skip_models.hpp"
#include "verify/check.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// Claims of the paper that are refuted and are no inequality on networks.
struct OtherClaim {
  const char* id;
  const char* words;
  const char* source;
  std::vector<std::string> replaced_by;
};

const std::vector<OtherClaim>& other_claims() {
  static const std::vector<OtherClaim> claims = {
      {"convergence-remark",
       "4 gamma beta < sqrt(d_qk) is enough for collapse",
       "Dong, Cordonnier, Loukas 2021",
       {"global-collapse"}},
      {"composite-triangle", "the composite norm is subadditive", "implied by Theorem 2.3 of the paper", {}},
      {"dong-3.1-orthogonal",
       "a skip connection with outputs orthogonal to the inputs keeps the residual",
       "a reading of Section 3.1 of the paper",
       {"diameter-skip"}},
      {"dong-3.2-vector-norm",
       "a row-wise map raises the residual by at most its Lipschitz constant in a vector norm",
       "a reading of Section 3.2 of the paper",
       {"dong-3.2-mlp", "diameter-mlp"}},
      {"gamma-at-the-midrange",
       "dong-2.2 holds with gamma sum-max taken at the midrange of each state",
       "a variant",
       {"dong-2.2"}},
      {"sharp-gamma-at-the-mean",
       "the sharp constant of dong-2.2 holds with gamma at the mean of each state",
       "a variant",
       {"dong-2.2"}},
  };
  return claims;
}

std::vector<std::string> replacements(const std::string& id) {
  if (id == "proof-step-printed") return {"proof-step"};
  if (id == "dong-2.2-v1") return {"dong-2.2", "composite-diameter"};
  if (id == "dong-2.3-v1" || id == "dong-2.3") return {"dong-2.3-repaired", "composite-diameter"};
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

/// Proved by constructions that the engine certifies, not by a proof alone.
AuditedClaim audited_skip(const Statement& statement, const Evidence& evidence) {
  AuditedClaim claim;
  claim.id = statement.id;
  claim.words = statement.words;
  claim.source = statement.source;
  claim.sampled = evidence.skips_kept;
  if (evidence.skips_kept == 0) return claim;
  claim.verdict = Status::proved;
  claim.ground = "instance";
  claim.proof = "docs/theory/" + statement.proof;
  return claim;
}

AuditedClaim audited(const Statement& statement, const Evidence& evidence) {
  if (statement.id == "dong-3.1-skip") return audited_skip(statement, evidence);
  AuditedClaim claim;
  claim.id = statement.id;
  claim.words = statement.words;
  claim.source = statement.source;
  claim.constants = statement.constants;
  claim.refutations = certified_against(statement.id, evidence);
  claim.sampled = count(evidence.proved, statement.id);
  if (statement.status == Status::refuted) {
    if (claim.refutations.empty()) return claim;
    claim.verdict = Status::refuted;
    claim.ground = "instance";
    claim.replaced_by = replacements(statement.id);
    return claim;
  }
  const bool contradicted = !claim.refutations.empty() || count(evidence.refuted, statement.id) > 0;
  const bool constants_hold = std::all_of(statement.constants.begin(), statement.constants.end(),
                                          [](const Constant& c) { return certified(c, Precision(256)); });
  if (statement.status != Status::proved || statement.proof.empty() || contradicted || !constants_hold)
    return claim;
  claim.verdict = Status::proved;
  claim.ground = "written-proof";
  claim.proof = "docs/theory/" + statement.proof;
  return claim;
}

AuditedClaim audited(const OtherClaim& other, const Evidence& evidence) {
  AuditedClaim claim;
  claim.id = other.id;
  claim.words = other.words;
  claim.source = other.source;
  claim.refutations = certified_against(other.id, evidence);
  if (claim.refutations.empty()) return claim;
  claim.verdict = Status::refuted;
  claim.ground = "instance";
  claim.replaced_by = other.replaced_by;
  return claim;
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

}  // namespace

Evidence gather_evidence(Precision p) {
  Evidence evidence;
  evidence.refutations = refutations(p);
  const ExactMatrix tokens = ExactMatrix::from(4, 2, std::vector<double>{1, 2, -3, 0.5, 0.25, -1, 2, 7});
  constexpr std::size_t layers = 12;
  evidence.skips_kept += keeps_columns(skip_with_zero_values(tokens, layers, 5), 2, p);
  evidence.skips_kept +=
      keeps_columns(skip_into_other_columns(tokens, layers, Rational(1, 5), Rational(1, 1000)), 2, p);
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
  return evidence;
}

std::vector<AuditedClaim> audit(const Evidence& evidence) {
  std::vector<AuditedClaim> claims;
  for (const Statement& statement : catalogue()) claims.push_back(audited(statement, evidence));
  for (const OtherClaim& other : other_claims()) claims.push_back(audited(other, evidence));
  return claims;
}

}  // namespace rankfall::verify
