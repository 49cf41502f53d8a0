#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "verify/grid.hpp"

namespace rankfall::verify {

/// What a cell came to: a pure function of the cell and the grid's options.
struct CellResult {
  Cell cell;
  CheckResult check;
};

/// Called after each finished cell with the number finished and the number in all; from one thread at a time.
/// Returning false stops the sweep.
using SweepProgress = std::function<bool(std::size_t done, std::size_t total)>;

/// Computes every cell on `threads` threads (0: as many as the machine has). The result does not depend on
/// the number of threads. The first failure of a cell is rethrown; throws Interrupted when `progress`
/// returned false.
std::vector<CellResult> sweep(const Grid& grid, unsigned threads, const SweepProgress& progress);

}  // namespace rankfall::verify
