#pragma once
#include <filesystem>

#include "verify/certificate.hpp"
#include "verify/search/extremal.hpp"
#include "verify/search/least_size.hpp"

namespace rankfall::verify {

/// The certificate of what a search has come to, in `folder`, which is made where it is absent: the verdict
/// on the best instance, and an enclosure of left/right on it. Equal findings give equal bytes. Throws
/// OutputError.
CertificateCount write_certificate(const Finding& finding, const std::filesystem::path& folder);

/// The same for the smallest violating member of a family.
CertificateCount write_certificate(const LeastInstance& found, const std::filesystem::path& folder);

/// One for each row, named by its size.
CertificateCount write_certificates(const std::vector<ExtremalRow>& rows,
                                    const std::filesystem::path& folder);

}  // namespace rankfall::verify
