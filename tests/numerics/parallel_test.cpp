#include "numerics/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace rankfall;

TEST_CASE("work in parallel is done once each, and threads of it have one thread") {
  for (const unsigned threads : {1U, 2U, 5U}) {
    const ThreadAllowance allowance(threads);
    std::vector<std::atomic<int>> done(17);
    std::atomic<unsigned> most = 0;
    in_parallel(done.size(), [&](std::size_t i) {
      ++done[i];
      if (thread_allowance() > most) most = thread_allowance();
    });
    for (const auto& times : done) CHECK(times == 1);
    CHECK(most == 1);
    CHECK(thread_allowance() == threads);
  }
  CHECK(thread_allowance() == 1);
}

TEST_CASE("a single piece of work keeps the threads") {
  const ThreadAllowance allowance(3);
  in_parallel(1, [](std::size_t) { CHECK(thread_allowance() == 3); });
  in_parallel(0, [](std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("several threads take part where they are allowed") {
  const ThreadAllowance allowance(2);
  std::atomic<int> waiting = 0;
  in_parallel(2, [&](std::size_t) {  // each waits for the other
    ++waiting;
    while (waiting < 2) std::this_thread::yield();
  });
  CHECK(waiting == 2);
}

TEST_CASE("of what is thrown in parallel the first piece of work's comes out") {
  for (const unsigned threads : {1U, 4U}) {
    const ThreadAllowance allowance(threads);
    std::string said;
    try {
      in_parallel(8, [](std::size_t i) {
        if (i >= 3) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    CHECK(said == "3");
  }
}
