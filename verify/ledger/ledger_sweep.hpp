#pragma once
#include <functional>

#include "verify/ledger/ledger.hpp"
#include "verify/sweep.hpp"

namespace rankfall::verify {

/// Every count-th cell of a grid, starting with the index-th (from 1).
struct Shard {
  std::size_t index = 1, count = 1;
};

/// Cells and rows that a sweep has seen so far.
struct SweepCounts {
  std::size_t wanted = 0;   ///< cells of the grid that belong to the shard
  std::size_t present = 0;  ///< of them, in the ledger from the start
  std::size_t computed = 0;
  std::size_t failed = 0;                     ///< of the computed, cells that no network has
  std::size_t refuted = 0, inconclusive = 0;  ///< rows among the computed
};

/// Which cells of a shard the ledger lacks, handed out one at a time.
class MissingCells {
 public:
  MissingCells(const Grid& grid, Shard shard, const Ledger& ledger);
  std::optional<std::size_t> next();
  std::size_t wanted() const { return wanted_; }
  std::size_t missing() const { return missing_.size(); }

 private:
  std::size_t wanted_ = 0, next_ = 0;
  std::vector<std::size_t> missing_;
};

/// A cell as a ledger keeps it.
LedgerCell ledger_cell(const Grid& grid, const CellResult& result);

/// Computes what the ledger lacks of the grid's shard and stores each cell as soon as it is finished. The
/// ledger's rows do not depend on threads, shards or interruptions. `progress` is called after each cell, by
/// one thread at a time; returning false ends the sweep in good order. Throws
/// OutputError when the ledger cannot be written: what is stored stays.
SweepCounts sweep_into(Ledger& ledger, const Grid& grid, Shard shard, unsigned threads,
                       const std::function<bool(const SweepCounts&)>& progress);

/// Adds what the other ledger has and this one lacks; returns the number of cells. Throws InputError naming
/// a cell on which the two say different things; nothing of it is added.
std::size_t merge_into(Ledger& ledger, const Ledger& other);

}  // namespace rankfall::verify
