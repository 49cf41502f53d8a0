#pragma once
#include <map>
#include <string>
#include <vector>

#include "theory/models/refutation.hpp"
#include "theory/statement.hpp"

namespace rankfall::verify {

/// One claim and what speaks for or against it, computed on the spot.
struct AuditedClaim {
  std::string id, words, source;
  theory::Status verdict = theory::Status::open;
  std::string ground;                       ///< "instance", "written-proof", or empty when open
  std::string proof;                        ///< page and anchor, of a written proof
  std::size_t sampled = 0;                  ///< decisions on random networks, none against the claim
  std::vector<theory::Constant> constants;  ///< of the statement, those of a proved one certified
  std::vector<theory::Refutation> refutations;
  std::vector<std::string> replaced_by;  ///< true statements in place of a refuted claim
};

/// What an audit rests on; leaving something out changes the verdicts.
struct Evidence {
  std::vector<theory::Refutation> refutations;
  std::map<std::string, std::size_t> proved, refuted;  ///< decisions on sampled networks, by id
  /// Constructions of `dong-3.1-skip` in which every layer was certified to leave the input's columns as they
  /// are.
  std::size_t skips_kept = 0;
};

/// Recomputes every refutation at p bits and decides the catalogue on a sample of random networks.
Evidence gather_evidence(Precision p);

/// Every statement of the catalogue and every other claim that is refuted: refuted where a certified instance
/// decides against it; proved where the catalogue points to a written proof, nothing in the evidence
/// contradicts it and its constants are certified; else open.
std::vector<AuditedClaim> audit(const Evidence& evidence);

std::string audit_text(const std::vector<AuditedClaim>& claims);
std::string audit_markdown(const std::vector<AuditedClaim>& claims);
std::string audit_json(const std::vector<AuditedClaim>& claims);  ///< rankfall-audit/1

}  // namespace rankfall::verify
