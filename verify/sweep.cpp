#include "verify/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "verify/interrupt.hpp"

#if __has_include(<flint/flint.h>)
#include <flint/flint.h>
#endif

namespace rankfall::verify {
namespace {

/// Arb keeps caches for each thread; they are returned when the thread is done with them.
struct ThreadCaches {
  ThreadCaches() = default;
  ThreadCaches(const ThreadCaches&) = delete;
  ThreadCaches& operator=(const ThreadCaches&) = delete;
  ~ThreadCaches() { flint_cleanup(); }
};

CellResult compute(const Cell& cell, const CheckOptions& options) {
  return {cell, check(generate(cell.spec), options)};
}

class Sweep {
 public:
  Sweep(const Grid& grid, const SweepProgress& progress)
      : cells_(cells(grid)), options_(grid.options), progress_(progress), results_(cells_.size()) {}

  void work() {
    const ThreadCaches caches;
    for (std::size_t i = next_++; i < cells_.size() && !stopped_; i = next_++) {
      try {
        results_[i] = compute(cells_[i], options_);
        report();
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stopped_ = true;
      }
    }
  }

  std::vector<CellResult> take() {
    if (failure_) std::rethrow_exception(failure_);
    if (stopped_) throw Interrupted{};
    return std::move(results_);
  }

  std::size_t size() const { return cells_.size(); }

 private:
  void report() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (progress_ && !progress_(done_, cells_.size())) stopped_ = true;
  }

  std::vector<Cell> cells_;
  const CheckOptions& options_;
  const SweepProgress& progress_;
  std::vector<CellResult> results_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<CellResult> sweep(const Grid& grid, unsigned threads, const SweepProgress& progress) {
  Sweep work(grid, progress);
  const unsigned wanted = threads ? threads : std::max(1U, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < wanted && t < work.size(); ++t) workers.emplace_back([&work] { work.work(); });
  }
  return work.take();
}

}  // namespace rankfall::verify
