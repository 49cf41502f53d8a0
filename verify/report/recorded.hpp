#pragma once
#include <functional>
#include <string>
#include <vector>

#include "verify/ledger/ledger.hpp"
#include "verify/sweep.hpp"

namespace rankfall::verify {

/// What a ledger holds, in the form in which a sweep in memory gives it.
struct Recorded {
  Grid grid;  ///< the values of each axis that occur; its statements are those that occur
  std::vector<CellResult> results;    ///< cells of one description are one result; no states
  std::vector<std::string> failures;  ///< cells that no network has, and why
  std::vector<std::string> unknown;   ///< ids of statements left out, since this program does not know them
  std::size_t unknown_rows = 0;       ///< rows of these
  std::size_t repeated_rows = 0;      ///< rows left out, since an earlier one says the same inequality
  std::size_t restated_rows = 0;      ///< rows whose claim had another status when they were decided
  bool hypotheses = false;            ///< some row has them; a ledger of an earlier format has none
  std::size_t rows = 0;               ///< those that are in `results`
};

inline constexpr std::size_t most_recorded_rows = 4'000'000;

/// Every end of an enclosure lies where the ledger's text says or farther out, by less than a part in 2^100.
/// `known` must live as long as the result. Throws InputError for a ledger without rows, with rows that are
/// none, or with more than most_recorded_rows.
/// `progress` is told of cells read and cells in all.
Recorded recorded(const Ledger& ledger, const theory::Statements& known,
                  const std::function<void(std::size_t done, std::size_t total)>& progress = {});

}  // namespace rankfall::verify
