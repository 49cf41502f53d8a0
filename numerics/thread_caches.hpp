#pragma once

namespace rankfall {

/// Arb and MPFR keep caches for each thread; they are returned when the thread is done with them.
struct ThreadCaches {
  ThreadCaches() = default;
  ThreadCaches(const ThreadCaches&) = delete;
  ThreadCaches& operator=(const ThreadCaches&) = delete;
  ~ThreadCaches();
};

}  // namespace rankfall
