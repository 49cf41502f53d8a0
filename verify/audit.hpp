#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "theory/models/refutation.hpp"
#include "theory/proof.hpp"
#include "theory/statement.hpp"

namespace rankfall::verify {

/// One claim and what speaks for or against it, computed on the spot.
struct AuditedClaim {
  std::string id, title, words, source;
  bool of_paper = false;  ///< a claim of the paper, or of its proofs
  theory::Status verdict = theory::Status::open;
  /// "symbolic", "machine-checked", "instance" or "written-proof"; empty when open.
  std::string ground;
  std::string proof;                        ///< page and anchor, where one is written
  std::size_t sampled = 0;                  ///< decisions on random networks, none against the claim
  std::vector<theory::Constant> constants;  ///< of the statement, those of a proved one certified
  std::vector<theory::Refutation> refutations;
  std::vector<theory::Proof> symbolic;       ///< proofs by identities of exponents
  std::optional<std::size_t> intervals;      ///< on which interval arithmetic certified it
  std::optional<std::size_t> constructions;  ///< networks on which the engine certified it exactly
  std::vector<std::string> replaced_by;      ///< true statements in place of a refuted claim
};

/// What an audit rests on; leaving something out changes the verdicts.
struct Evidence {
  std::vector<theory::Refutation> refutations;
  std::map<std::string, std::size_t> proved, refuted;  ///< decisions on sampled networks, by id
  std::map<std::string, std::string> written;          ///< page and anchor of written proofs, by id
  std::map<std::string, std::vector<theory::Proof>> symbolic;
  std::map<std::string, std::size_t> intervals;  ///< of claims that interval arithmetic proves
  /// Constructions of `dong-3.1-skip` in which every layer was certified to leave the input's columns as they
  /// are.
  std::size_t skips_kept = 0;
};

/// Recomputes refutations at p bits and symbolic and interval proofs, and decides the catalogue on a sample
/// of random networks.
Evidence gather_evidence(Precision p);

/// The claims of the paper in its order, then every other statement of the catalogue, then variants that are
/// refuted. Refuted where a certified instance decides against it; proved where symbols, intervals, certified
/// constructions or a written proof do, nothing in the evidence contradicts it and its constants are
/// certified; else open.
std::vector<AuditedClaim> audit(const Evidence& evidence);

std::string audit_text(const std::vector<AuditedClaim>& claims);
std::string audit_markdown(const std::vector<AuditedClaim>& claims);
std::string audit_json(const std::vector<AuditedClaim>& claims);  ///< rankfall-audit/1
/// One page without any reference to something outside itself.
std::string audit_html(const std::vector<AuditedClaim>& claims);

}  // namespace rankfall::verify
