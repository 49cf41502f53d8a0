#include "verify/ledger/ledger_sweep.hpp"

#include <fmt/format.h>

#include "verify/ledger/cell_key.hpp"

namespace rankfall::verify {

MissingCells::MissingCells(const Grid& grid, Shard shard, const Ledger& ledger) {
  const std::size_t count = cell_count(grid);
  for (std::size_t i = shard.index - 1; i < count; i += shard.count) {
    ++wanted_;
    if (!ledger.contains(cell_key(grid, cell(grid, i)))) missing_.push_back(i);
  }
}

std::optional<std::size_t> MissingCells::next() {
  return next_ < missing_.size() ? std::optional(missing_[next_++]) : std::nullopt;
}

LedgerCell ledger_cell(const Grid& grid, const CellResult& result) {
  LedgerCell stored{cell_key(grid, result.cell), cell_row(result.cell.spec), result.failure, {}};
  if (!result.failure.empty()) return stored;
  for (const Instance& instance : instances(result, grid))
    stored.rows.push_back(row_of(instance, grid.options.digits));
  return stored;
}

SweepCounts sweep_into(Ledger& ledger, const Grid& grid, Shard shard, unsigned threads,
                       const std::function<bool(const SweepCounts&)>& progress) {
  MissingCells missing(grid, shard, ledger);
  SweepCounts counts;
  counts.wanted = missing.wanted();
  counts.present = counts.wanted - missing.missing();
  ledger.begin_run(static_cast<std::int64_t>(counts.wanted), static_cast<std::int64_t>(counts.present));
  work_through(
      grid, thread_count(threads, missing.missing()), [&missing] { return missing.next(); },
      [&](std::size_t, CellResult&& result) {
        const LedgerCell stored = ledger_cell(grid, result);
        ledger.store(stored);
        ++counts.computed;
        counts.failed += stored.failure.empty() ? 0 : 1;
        for (const Row& row : stored.rows) {
          counts.refuted += row[column("verdict")] == "refuted" ? 1 : 0;
          counts.inconclusive += row[column("verdict")] == "inconclusive" ? 1 : 0;
        }
        return !progress || progress(counts);
      });
  return counts;
}

std::size_t merge_into(Ledger& ledger, const Ledger& other) {
  std::size_t added = 0;
  other.each([&](const LedgerCell& cell) {
    const auto known = ledger.find(cell.key);
    if (!known) {
      ledger.store(cell);
      ++added;
    } else if (known->rows != cell.rows || known->failure != cell.failure) {
      throw InputError(fmt::format("the ledgers disagree on cell {} ({} rows and {}); see rankfall diff",
                                   cell.key, known->rows.size(), cell.rows.size()));
    }
  });
  return added;
}

}  // namespace rankfall::verify
