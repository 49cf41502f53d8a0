#include "verify/report/chart.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace rankfall;
using namespace rankfall::verify;

TEST_CASE("tower height: odd, increasing, straight for doubly exponential decay") {
  CHECK(tower_height(Ball(0)) == 0);
  CHECK(tower_height(Ball(9)) == doctest::Approx(1));
  CHECK(tower_height(Ball(-9)) == doctest::Approx(-1));
  CHECK(tower_height(Ball(-999)) == doctest::Approx(-3));
  double before = 0;
  Integer cube = 1;
  for (int depth = 1; depth <= 200; ++depth) {
    cube *= 3;
    const double height = tower_height(neg(Ball(cube)));
    CHECK(height < before);
    if (depth > 10) CHECK(before - height == doctest::Approx(std::log10(3.0)).epsilon(1e-4));
    before = height;
  }
  Ball infinite;
  arb_neg_inf(infinite.raw());
  CHECK(std::isnan(tower_height(infinite)));
}

TEST_CASE("tower ticks: read as powers of ten of powers of ten, within the range and not too many") {
  const std::vector<Tick> ticks = tower_ticks(-3.2, 1.1, 12);
  std::vector<std::string> labels;
  for (const Tick& tick : ticks) {
    labels.push_back(tick.label);
    CHECK(tick.position >= -3.2);
    CHECK(tick.position <= 1.1);
  }
  CHECK(labels == std::vector<std::string>{"1", "10^{\u22121}", "10^{1}", "10^{\u221210}", "10^{10}",
                                           "10^{\u2212100}", "10^{\u221210^{3}}"});
  for (const double reach : {0.4, 3.0, 20.0, 95.0, 476.0}) {
    CAPTURE(reach);
    const auto some = tower_ticks(-reach, reach / 3, 9);
    CHECK(some.size() <= 10);
    CHECK(some.size() >= (reach > 1 ? 3U : 1U));
  }
}

TEST_CASE("spread: labels keep their order and distance and stay in the box") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> wishes(1 + random() % 7);
    for (double& wish : wishes) wish = static_cast<double>(random() % 2000) / 10;
    const std::vector<double> places = spread(wishes, 15, 0, 200);
    REQUIRE(places.size() == wishes.size());
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      CHECK(places[i] >= -1e-9);
      CHECK(places[i] <= 200 + 1e-9);
      for (std::size_t j = 0; j < wishes.size(); ++j) {
        if (i == j) continue;
        CHECK(std::abs(places[i] - places[j]) >= 15 - 1e-9);
        if (wishes[i] < wishes[j]) CHECK(places[i] < places[j]);
      }
    }
  }
  CHECK(spread({50, 100}, 15, 0, 200) == std::vector<double>{50, 100});
  CHECK(spread({}, 15, 0, 200).empty());
}

TEST_CASE("quoted: nothing a label says can end its string") {
  CHECK(quoted("a \"b\" \\c") == "\"a \\\"b\\\" \\\\c\"");
}
