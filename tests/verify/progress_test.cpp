#include "verify/progress.hpp"

#include <doctest/doctest.h>

using namespace rankfall::verify;

TEST_CASE("progress: bar, count, rate and time to the end") {
  CHECK(progress_line("deciding", 5, 20, 10, 60) ==
        "deciding [#####.................] 5/20  2.0 s each  ETA 0:30");
  CHECK(progress_line("deciding", 30, 60, 10, 50) == "deciding [########........] 30/60  3.0/s  ETA 0:10");
  CHECK(progress_line("x", 1, 3601, 2, 40) == "x 1/3601  2.0 s each  ETA 2:00:00");
}

TEST_CASE("progress: nothing to tell before the first is done, a full bar at the end") {
  CHECK(progress_line("x", 0, 4, 0, 30) == "x [......................] 0/4");
  const std::string end = progress_line("x", 4, 4, 1, 40);
  CHECK(end.find('.') == end.find(".0/s"));
  CHECK(end.find("ETA 0:00") != std::string::npos);
}

TEST_CASE("progress: never wider than the terminal") {
  for (std::size_t width = 1; width < 100; ++width)
    CHECK(progress_line("deciding", 123, 456, 78, width).size() <= width);
}
