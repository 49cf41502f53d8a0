#pragma once
#include "theory/models/refutation.hpp"
#include "verify/certificate.hpp"

namespace rankfall::verify {

/// The certificate of a built-in refutation: its instance in full, by classes of tokens where it has
/// thousands of them; left and right are known on the side that decides. `number` tells those of one claim
/// apart.
Certificate certificate(const theory::Refutation& refutation, std::size_t number);

/// Certificates of all of them in `folder`.
CertificateCount write_certificates(const std::vector<theory::Refutation>& refutations,
                                    const std::filesystem::path& folder);

}  // namespace rankfall::verify
