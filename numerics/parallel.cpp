#include "numerics/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "numerics/thread_caches.hpp"

namespace rankfall {
namespace {

thread_local unsigned allowance = 1;

}  // namespace

ThreadAllowance::ThreadAllowance(unsigned threads) : before_(allowance) {
  allowance = std::max(1U, threads);
}

ThreadAllowance::~ThreadAllowance() {
  allowance = before_;
}

unsigned thread_allowance() {
  return allowance;
}

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& f) {
  const std::size_t threads = std::min<std::size_t>(allowance, count);
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) f(i);
    return;
  }
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    const ThreadAllowance alone(1);
    for (std::size_t i = next++; i < count; i = next++) try {
        f(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t)
      others.emplace_back([&] {
        const ThreadCaches caches;
        work();
      });
    work();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rankfall
