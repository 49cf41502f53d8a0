#pragma once
#include <cstddef>
#include <functional>

namespace rankfall {

/// For its lifetime the thread that made it may share work among so many threads; without one it is one.
class ThreadAllowance {
 public:
  explicit ThreadAllowance(unsigned threads);
  ThreadAllowance(const ThreadAllowance&) = delete;
  ThreadAllowance& operator=(const ThreadAllowance&) = delete;
  ~ThreadAllowance();

 private:
  unsigned before_;
};

/// Of the calling thread: at least 1.
unsigned thread_allowance();

/// Runs f(0) ... f(count - 1), on as many threads at a time as the caller is allowed; each of several is
/// allowed one. Throws what the least index threw; several end first.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& f);

}  // namespace rankfall
