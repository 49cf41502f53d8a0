#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rankfall::verify {

/// How a refuted claim that the catalogue does not decide on networks is written in a certificate, and how
/// its instance reads it.
struct RefutedClaim {
  std::string_view id;
  std::string_view title, words;
  std::string_view quantity, relation, right;
  std::string_view hypothesis = {};  ///< empty: none
  std::string_view hypothesis_name = {}, hypothesis_words = {}, hypothesis_bound = {};
  bool one_head = false, propagated = false, skip = false;
  std::string_view reference = {}, gamma = {};
};

const std::vector<RefutedClaim>& refuted_claims();

/// As verify/certificate_statement.hpp writes statements.
std::string statement_text(const RefutedClaim& claim);

}  // namespace rankfall::verify
