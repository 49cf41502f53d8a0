#include "verify/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "numerics/errors.hpp"
#include "numerics/thread_caches.hpp"
#include "verify/interrupt.hpp"

namespace rankfall::verify {
namespace {

class Work {
 public:
  Work(const Grid& grid, unsigned threads, const CellSource& source, const CellSink& sink)
      : grid_(grid), source_(source), sink_(sink) {
    grid_.options.concurrent *= static_cast<unsigned>(std::clamp<std::size_t>(cell_count(grid), 1, threads));
  }

  void run() {
    const ThreadCaches caches;
    try {
      while (const auto index = next()) finish(*index, compute(grid_, *index));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  bool complete() const {
    if (failure_) std::rethrow_exception(failure_);
    return !stopped_;
  }

 private:
  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    return stopped_ ? std::nullopt : source_();
  }

  void finish(std::size_t index, CellResult&& result) {
    const std::lock_guard lock(mutex_);
    if (!stopped_ && !sink_(index, std::move(result))) stopped_ = true;
  }

  Grid grid_;
  const CellSource& source_;
  const CellSink& sink_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::exception_ptr failure_;
};

}  // namespace

CellResult compute(const Grid& grid, std::size_t index) {
  CellResult result{cell(grid, index)};
  Network network;
  try {
    network = generate(result.cell.spec);
  } catch (const Error& error) {
    result.failure = error.what();
    return result;
  }
  result.check = check(network, grid.options);
  return result;
}

unsigned thread_count(unsigned asked, std::size_t cells) {
  const std::size_t wanted = asked ? asked : std::thread::hardware_concurrency();
  return static_cast<unsigned>(std::max<std::size_t>(1, std::min(wanted, cells)));
}

bool work_through(const Grid& grid, unsigned threads, const CellSource& source, const CellSink& sink) {
  Work work(grid, threads, source, sink);
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) workers.emplace_back([&work] { work.run(); });
  }
  return work.complete();
}

std::vector<CellResult> sweep(const Grid& grid, unsigned threads, const SweepProgress& progress) {
  const std::size_t total = cell_count(grid);
  std::vector<CellResult> results(total);
  std::size_t next = 0, done = 0;
  const bool complete = work_through(
      grid, thread_count(threads, total),
      [&]() -> std::optional<std::size_t> { return next < total ? std::optional(next++) : std::nullopt; },
      [&](std::size_t index, CellResult&& result) {
        if (!result.failure.empty())
          throw InputError(fmt::format("cell {} of the grid: {}", index + 1, result.failure));
        results[index] = std::move(result);
        ++done;
        return !progress || progress(done, total);
      });
  if (!complete) throw Interrupted{};
  return results;
}

}  // namespace rankfall::verify
