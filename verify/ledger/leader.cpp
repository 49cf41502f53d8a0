#include "verify/ledger/leader.hpp"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <thread>

#include "numerics/errors.hpp"
#include "verify/ledger/cell_key.hpp"
#include "verify/ledger/cell_message.hpp"

namespace rankfall::verify {
namespace {

constexpr std::chrono::milliseconds leader_patience{20};

/// The leader's own share of the work, beside its answering.
class OwnShare {
 public:
  OwnShare(const Grid& grid, unsigned threads, LedgerFiller& filler)
      : thread_([this, &grid, threads, &filler] {
          try {
            fill(filler, grid, threads);
          } catch (...) {
            failure_ = std::current_exception();
            filler.stop();
          }
          finished_ = true;
        }) {}

  bool finished() const { return finished_; }
  /// Waits for the end and throws what ended it, if anything did.
  void join() {
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> finished_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

Leader::Leader(Ranks& ranks) : ranks_(ranks), following_(ranks.size() - 1) {}

Leader::~Leader() {
  try {
    dismiss();
  } catch (...) {  // who cannot be reached needs no dismissal
  }
}

void Leader::tell_all(MessageKind kind) {
  for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.send(rank, kind, "");
}

void Leader::dismiss() {
  if (!started_) tell_all(MessageKind::stop);
  while (following_ > 0) {
    const Message message = wait_for_message(ranks_);
    if (message.kind == MessageKind::ask) ranks_.send(message.from, MessageKind::stop, "");
    if (message.kind == MessageKind::done) --following_;
  }
}

void Leader::answer(const Message& message, LedgerFiller& filler, const Grid& grid) {
  if (message.kind == MessageKind::result) return filler.store(unpack_cell(message.body));
  if (message.kind == MessageKind::ask) {
    if (const auto index = filler.next())
      ranks_.send(message.from, MessageKind::cell,
                  pack_texts({std::to_string(*index), cell_key(grid, cell(grid, *index))}));
    else
      ranks_.send(message.from, MessageKind::stop, "");
    return;
  }
  --following_;  // done
  if (!message.body.empty()) throw Error(fmt::format("process {} failed: {}", message.from, message.body));
}

SweepCounts Leader::sweep(Ledger& ledger, const Grid& grid, Shard shard, unsigned threads,
                          const SweepCallback& progress) {
  LedgerFiller filler(ledger, grid, shard, progress);
  started_ = true;
  tell_all(MessageKind::start);
  std::exception_ptr failure;
  OwnShare own(grid, threads, filler);
  while (following_ > 0 || !own.finished()) {
    const auto message = ranks_.receive(leader_patience);
    if (!message) continue;
    try {
      answer(*message, filler, grid);
    } catch (...) {
      if (!failure) failure = std::current_exception();
      filler.stop();
    }
  }
  own.join();
  if (failure) std::rethrow_exception(failure);
  return filler.counts();
}

}  // namespace rankfall::verify
