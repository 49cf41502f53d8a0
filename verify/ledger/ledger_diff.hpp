#pragma once
#include <string>
#include <vector>

#include "verify/ledger/ledger.hpp"

namespace rankfall::verify {

/// One inequality on one network that two ledgers tell differently.
struct RowChange {
  Row before, after;
  std::vector<HypothesisRow> hypotheses_before = {}, hypotheses_after = {};
  bool verdict = false;      ///< the verdicts differ
  bool contradicts = false;  ///< enclosures of one number do not meet: one of them is wrong
};

/// What differs between two ledgers. Cells are matched by what they describe, not by version or options.
struct LedgerDiff {
  std::size_t common = 0;  ///< rows found in both
  std::size_t only_before = 0, only_after = 0;
  std::vector<RowChange> changes;
};

LedgerDiff diff(const Ledger& before, const Ledger& after);

/// For a person: counts, then one paragraph for each change.
std::string diff_text(const LedgerDiff& diff);

}  // namespace rankfall::verify
