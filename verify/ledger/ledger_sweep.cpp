#include "verify/ledger/ledger_sweep.hpp"

#include <fmt/format.h>

#include "numerics/errors.hpp"

namespace rankfall::verify {

SweepCounts sweep_into(Ledger& ledger, const Grid& grid, Shard shard, unsigned threads,
                       const SweepCallback& progress) {
  LedgerFiller filler(ledger, grid, shard, progress);
  const SweepCounts before = filler.counts();
  fill(filler, grid, thread_count(threads, before.wanted - before.present));
  return filler.counts();
}

std::size_t merge_into(Ledger& ledger, const Ledger& other) {
  std::size_t added = 0;
  other.each([&](const LedgerCell& cell) {
    const auto known = ledger.find(cell.key);
    if (!known) {
      ledger.store(cell);
      ++added;
    } else if (known->rows != cell.rows || known->hypotheses != cell.hypotheses ||
               known->failure != cell.failure) {
      throw InputError(fmt::format("the ledgers disagree on cell {} ({} rows and {}); see rankfall diff",
                                   cell.key, known->rows.size(), cell.rows.size()));
    }
  });
  return added;
}

}  // namespace rankfall::verify
