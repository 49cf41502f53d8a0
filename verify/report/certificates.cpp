#include "verify/report/certificates.hpp"

#include "numerics/san/generate.hpp"
#include "verify/output.hpp"

namespace rankfall::verify {
namespace {

void write(const std::string& which, const Instance& instance, const std::filesystem::path& folder,
           CertificateCount& count) {
  const Network network = generate(instance.cell->cell.spec);
  Certificate certificate = Certifier(network).certify(*instance.decision);
  certificate.name = which + "." + certificate.name;
  count.write(certificate, folder);
}

}  // namespace

CertificateCount write_certificates(const std::vector<Digest>& digests, const std::filesystem::path& folder) {
  make_folder(folder);
  CertificateCount count;
  for (const Digest& digest : digests) {
    if (digest.tightest) write("tightest", *digest.tightest, folder, count);
    if (digest.loosest && digest.loosest->decision != digest.tightest->decision)
      write("loosest", *digest.loosest, folder, count);
  }
  return count;
}

}  // namespace rankfall::verify
