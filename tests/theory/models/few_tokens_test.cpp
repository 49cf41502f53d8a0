#include "theory/models/few_tokens.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace rankfall;
using namespace rankfall::theory;

TEST_CASE("the printed bound of one layer holds up to 1381 tokens, and its proof ends there") {
  const Precision p(128);
  const auto intervals = cover_every_t({}, p);
  REQUIRE(intervals.has_value());
  CHECK(*intervals > 10);
  CHECK(cover_every_t({.n = 1000}, p).has_value());
  // at 1382 tokens (B) ends before (C) begins, wherever they meet
  for (const char* place : {"9.2", "9.28", "9.286", "9.2866", "9.287", "9.29", "9.4"})
    CHECK_FALSE(cover_every_t({.n = 1382, .second = parse_number(place)}, p).has_value());
  CHECK_FALSE(cover_every_t({.first = 8}, p).has_value());  // (A) does not reach so far
}

TEST_CASE("the bounds that the intervals certify are those of the page, by plain arithmetic") {
  for (double t = 0.05; t < 20; t += 0.05) {
    const double phi = std::expm1(t) / t, z = std::sqrt(1 + std::expm1(t) / 1381);
    const double a = (1 + phi) * t / 4 * 2 * std::tanh(t / 2),
                 b = (t / 2 + 1381 * (z - 1) / (z + 1)) * 2 * std::tanh(t / 2),
                 c = 1380 * std::pow(std::tanh(t / 2), 2);
    CHECK(std::min({a, b, c}) <= 16 * t * t);
  }
}
