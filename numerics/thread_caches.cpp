#include "numerics/thread_caches.hpp"

#include "numerics/ball.hpp"

namespace rankfall {

ThreadCaches::~ThreadCaches() {
  flint_cleanup();
}

}  // namespace rankfall
