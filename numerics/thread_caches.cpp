#include "numerics/thread_caches.hpp"

#include <mpfr.h>

#include "numerics/ball.hpp"

namespace rankfall {

ThreadCaches::~ThreadCaches() {
  flint_cleanup();
  mpfr_free_cache();
}

}  // namespace rankfall
