#pragma once
#include <functional>
#include <mutex>

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

/// Called after each stored cell, by one thread at a time; returning false ends the sweep in good order.
using SweepCallback = std::function<bool(const SweepCounts&)>;

/// Fills a ledger with what it lacks of a grid's shard; any number of threads may take and store cells.
class LedgerFiller {
 public:
  LedgerFiller(Ledger& ledger, const Grid& grid, Shard shard, SweepCallback progress);
  /// A cell that nobody has taken; none when there is no more, or the sweep ended.
  std::optional<std::size_t> next();
  /// Throws OutputError when the ledger cannot be written.
  void store(const LedgerCell& cell);
  /// From now on there are no more cells.
  void stop();
  SweepCounts counts() const;

 private:
  Ledger& ledger_;
  MissingCells missing_;
  SweepCallback progress_;
  mutable std::mutex mutex_;
  SweepCounts counts_;
  bool stopped_ = false;
};

/// Computes cells on `threads` threads until the filler has no more.
void fill(LedgerFiller& filler, const Grid& grid, unsigned threads);

}  // namespace rankfall::verify
