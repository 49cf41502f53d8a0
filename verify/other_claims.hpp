#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "theory/statement.hpp"

namespace rankfall::verify {

/// A claim that is no statement of the catalogue: a part of one, or a reading of the paper.
struct OtherClaim {
  std::string id;
  std::string title;
  theory::Status held;
  std::string words;
  std::string source;
  std::string proof;  ///< page and anchor in docs/theory, of the proof or of what is known
  std::vector<std::string> replaced_by = {};
};

const std::vector<OtherClaim>& other_claims();
/// Null for any other id.
const OtherClaim* find_other_claim(std::string_view id);

}  // namespace rankfall::verify
