#include "verify/search/search_certificates.hpp"

#include <fmt/format.h>

#include "verify/certificate_refutation.hpp"
#include "verify/output.hpp"

namespace rankfall::verify {
namespace {

Certificate best_instance(const Finding& finding) {
  if (!finding.network || !finding.decision) return {"", "", "no instance satisfied the hypotheses"};
  return Certifier(*finding.network).certify(*finding.decision);
}

}  // namespace

CertificateCount write_certificate(const Finding& finding, const std::filesystem::path& folder) {
  make_folder(folder);
  CertificateCount count;
  count.write(best_instance(finding), folder);
  return count;
}

CertificateCount write_certificate(const LeastInstance& found, const std::filesystem::path& folder) {
  make_folder(folder);
  Certificate least = certificate(found.refutation, 1);
  least.name = fmt::format("{}.{}.json", found.refutation.statement_id, found.family);
  CertificateCount count;
  count.write(least, folder);
  return count;
}

CertificateCount write_certificates(const std::vector<ExtremalRow>& rows,
                                    const std::filesystem::path& folder) {
  make_folder(folder);
  CertificateCount count;
  for (const auto& [shape, finding] : rows) {
    Certificate best = best_instance(finding);
    best.name = fmt::format("tokens-{}.dim-{}.heads-{}.{}", shape.tokens, shape.dim, shape.heads, best.name);
    count.write(best, folder);
  }
  return count;
}

}  // namespace rankfall::verify
