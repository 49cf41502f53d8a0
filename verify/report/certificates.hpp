#pragma once
#include "verify/certificate.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {

/// Certificates of the tightest and the loosest instance of every claim, in `folder`.
CertificateCount write_certificates(const std::vector<Digest>& digests, const std::filesystem::path& folder);

}  // namespace rankfall::verify
