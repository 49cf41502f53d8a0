#pragma once
#include "verify/ledger/ledger_filler.hpp"
#include "verify/ledger/ranks.hpp"

namespace rankfall::verify {

/// The process that owns the ledger of a shared sweep: it hands out cells to whoever asks, stores what comes
/// back, and computes cells too. The others wait until it sweeps, and are dismissed when it ends, however it
/// ends.
class Leader {
 public:
  explicit Leader(Ranks& ranks);
  ~Leader();
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;

  /// As sweep_into, with the others' help; `threads` are this process's own. Also throws Error when another
  /// process failed. What has arrived by then is in the ledger.
  SweepCounts sweep(Ledger& ledger, const Grid& grid, Shard shard, unsigned threads,
                    const SweepCallback& progress);

 private:
  void tell_all(MessageKind kind);
  void answer(const Message& message, LedgerFiller& filler, const Grid& grid);
  void dismiss();

  Ranks& ranks_;
  int following_;
  bool started_ = false;
};

}  // namespace rankfall::verify
