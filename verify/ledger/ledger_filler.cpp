#include "verify/ledger/ledger_filler.hpp"

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
  LedgerCell stored{cell_key(grid, result.cell), cell_row(result.cell.spec), result.failure, {}, {}};
  if (!result.failure.empty()) return stored;
  for (const Instance& instance : instances(result, grid)) {
    stored.rows.push_back(row_of(instance, grid.options.digits));
    stored.hypotheses.push_back(hypothesis_rows(*instance.decision, grid.options.digits));
  }
  return stored;
}

LedgerFiller::LedgerFiller(Ledger& ledger, const Grid& grid, Shard shard, SweepCallback progress)
    : ledger_(ledger), missing_(grid, shard, ledger), progress_(std::move(progress)) {
  counts_.wanted = missing_.wanted();
  counts_.present = missing_.wanted() - missing_.missing();
  ledger_.begin_run(static_cast<std::int64_t>(counts_.wanted), static_cast<std::int64_t>(counts_.present));
}

std::optional<std::size_t> LedgerFiller::next() {
  const std::lock_guard lock(mutex_);
  return stopped_ ? std::nullopt : missing_.next();
}

void LedgerFiller::store(const LedgerCell& cell) {
  const std::lock_guard lock(mutex_);
  ledger_.store(cell);
  ++counts_.computed;
  counts_.failed += cell.failure.empty() ? 0 : 1;
  for (const Row& row : cell.rows) {
    counts_.refuted += row[column("verdict")] == "refuted" ? 1 : 0;
    counts_.inconclusive += row[column("verdict")] == "inconclusive" ? 1 : 0;
  }
  if (progress_ && !progress_(counts_)) stopped_ = true;
}

void LedgerFiller::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

SweepCounts LedgerFiller::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void fill(LedgerFiller& filler, const Grid& grid, unsigned threads) {
  work_through(
      grid, threads, [&filler] { return filler.next(); },
      [&](std::size_t, CellResult&& result) {
        filler.store(ledger_cell(grid, result));
        return true;  // what others have begun is kept too
      });
}

}  // namespace rankfall::verify
