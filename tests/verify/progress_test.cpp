#include "verify/progress.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>

#include "tests/verify/report/tiny_report.hpp"

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

TEST_CASE("progress: where there is no terminal, a line when its time has come and no sooner") {
  const rankfall::test::Scratch scratch("progress");
  const std::string path = (scratch / "err").string();
  const auto told = [&](ProgressBar::Elsewhere elsewhere, std::chrono::milliseconds interval) {
    std::fflush(stderr);
    const int before = ::dup(STDERR_FILENO);
    std::FILE* file = std::fopen(path.c_str(), "w");
    ::dup2(::fileno(file), STDERR_FILENO);
    {
      ProgressBar bar("sweep", elsewhere, interval);
      bar.update(1, 4, "  2 refuted, 1 inconclusive");
      bar.update(2, 4, "  2 refuted, 1 inconclusive");
    }
    std::fflush(stderr);
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    std::fclose(file);
    return rankfall::test::slurp(path);
  };
  using Elsewhere = ProgressBar::Elsewhere;
  const std::string lines = told(Elsewhere::line_a_minute, std::chrono::milliseconds(0));
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
  CHECK(lines.starts_with("sweep ["));
  CHECK(lines.find(" 2/4 ") != std::string::npos);
  CHECK(lines.ends_with("  2 refuted, 1 inconclusive\n"));
  CHECK(told(Elsewhere::line_a_minute, std::chrono::minutes(1)).empty());
  CHECK(told(Elsewhere::nothing, std::chrono::milliseconds(0)).empty());
}
