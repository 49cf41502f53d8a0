#include "verify/audit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/catalogue/catalogue.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using theory::Status;

namespace {

const AuditedClaim& claim(const std::vector<AuditedClaim>& claims, const std::string& id) {
  const auto found =
      std::find_if(claims.begin(), claims.end(), [&](const AuditedClaim& c) { return c.id == id; });
  REQUIRE(found != claims.end());
  return *found;
}

}  // namespace

TEST_CASE("the audit covers every statement and every refutation, and leaves nothing open") {
  const Evidence evidence = gather_evidence(Precision(128));
  const auto claims = audit(evidence);
  for (const theory::Statement& s : theory::catalogue()) CHECK(claim(claims, s.id).verdict == s.status);
  for (const theory::Refutation& r : evidence.refutations) {
    CAPTURE(r.statement_id);
    const auto found =
        std::find_if(claims.begin(), claims.end(), [&](const auto& c) { return c.id == r.statement_id; });
    CHECK(found != claims.end());
  }
  for (const AuditedClaim& c : claims) {
    CAPTURE(c.id);
    CHECK(c.verdict != Status::open);
  }
  CHECK(nlohmann::json::parse(audit_json(claims))["claims"].size() == claims.size());
}

TEST_CASE(
    "without its evidence a refuted claim is open, and evidence against a proved one withdraws the verdict") {
  Evidence evidence = gather_evidence(Precision(128));
  const std::vector<theory::Refutation> all = evidence.refutations;
  std::erase_if(evidence.refutations, [](const auto& r) { return r.statement_id == "dong-2.2-v1"; });
  CHECK(claim(audit(evidence), "dong-2.2-v1").verdict == Status::open);
  evidence.refutations = all;
  for (theory::Refutation& r : evidence.refutations) r.certified = false;
  CHECK(claim(audit(evidence), "dong-2.3").verdict == Status::open);
  CHECK(evidence.skips_kept == 2);
  evidence.skips_kept = 0;
  CHECK(claim(audit(evidence), "dong-3.1-skip").verdict == Status::open);
  evidence.refutations = all;
  evidence.refuted["diameter"] = 1;
  CHECK(claim(audit(evidence), "diameter").verdict == Status::open);
}
