#pragma once
#include "verify/audit.hpp"

namespace rankfall::verify {

/// Counts, by id, on how many instances the statements about paths and averages are certified to hold, and
/// against.
void add_path_evidence(Evidence& evidence);
void add_average_evidence(Evidence& evidence);

}  // namespace rankfall::verify
