#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/recheck/json.hpp"

namespace rankfall::recheck {

/// What a recheck found.
struct Outcome {
  std::vector<std::string> faults;  ///< why the certificate is rejected; none: accepted
  std::string summary;              ///< what was decided, in words
  long bits = 0;                    ///< of the arithmetic that confirmed it
  long direct_bits = 0;             ///< of the direct evaluation beside it; 0: none
  std::size_t direct_states = 0;    ///< that it went through, behind the input

  bool accepted() const { return faults.empty(); }
};

/// The statement of the catalogue with this id, as a certificate writes it; empty when there is none.
using Catalogue = std::function<std::vector<std::string>(const std::string& id)>;

/// Derives everything that a certificate says anew, from the network and the text of the statement, in
/// interval arithmetic of its own (docs/certificates). Throws InputError for a text that is no certificate or
/// that a recheck cannot follow.
Outcome recheck(std::string_view certificate, const Catalogue& catalogue);

}  // namespace rankfall::recheck
