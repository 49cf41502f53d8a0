#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/grid.hpp"

namespace rankfall::verify {

/// What a cell came to: a pure function of the cell and the grid's options.
struct CellResult {
  Cell cell;
  CheckResult check = {};
  std::string failure = {};  ///< why there is no such network (say, no scaling reaches its beta); else empty
};

/// Generates and decides one cell.
CellResult compute(const Grid& grid, std::size_t index);

/// Gives the index of a cell that nobody has computed yet; none when there is no more.
using CellSource = std::function<std::optional<std::size_t>()>;
/// Takes a finished cell. Returning false ends the work.
using CellSink = std::function<bool(std::size_t index, CellResult&& result)>;

/// Threads for so many cells: those asked for, or as many as the machine has where that is 0; never more than
/// cells, and at least one.
unsigned thread_count(unsigned asked, std::size_t cells);

/// Computes cells of the grid on `threads` threads until there are no more.
/// Source and sink are called by one thread at a time; nothing is kept. The first failure, of a cell or of
/// the sink, is rethrown. Returns false when the sink ended the work.
bool work_through(const Grid& grid, unsigned threads, const CellSource& source, const CellSink& sink);

/// Called after each finished cell with the number finished and the number in all; from one thread at a time.
/// Returning false stops the sweep.
using SweepProgress = std::function<bool(std::size_t done, std::size_t total)>;

/// Computes every cell, as work_through does. The result does not depend on the number of threads. Throws
/// Interrupted when `progress` returned false, InputError for a cell that no network has.
std::vector<CellResult> sweep(const Grid& grid, unsigned threads, const SweepProgress& progress);

}  // namespace rankfall::verify
