#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "numerics/io/json_network.hpp"
#include "numerics/san/direct_evaluation.hpp"

using namespace rankfall;

namespace {

constexpr int digits = 30;

/// The files hold 30 digits: v is known to 10^-28 max(1, |v|).
void check_against(const std::string& expected, const Real& v) {
  CAPTURE(expected);
  if (expected == "-inf") {
    CHECK((isinf(v) && v < 0));
    return;
  }
  REQUIRE(isfinite(v));
  const Precision p(256);
  const Ball value(parse_number(expected), p);
  const Ball tolerance = mul(max(Ball(1), abs(value), p), Ball(power(Rational(10), -28), p), p);
  CHECK(overlap(agreed(v, digits), add(value, symmetric(tolerance), p)));
  CHECK(relative_accuracy_bits(agreed(v, digits)) > 60);
}

}  // namespace

TEST_CASE("every case agrees with another program's direct evaluation") {
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RANKFALL_CASES)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".expected.json")) continue;
    CAPTURE(name);
    std::ifstream file(entry.path());
    const nlohmann::json expected = nlohmann::json::parse(file);
    const Network network =
        read_network(entry.path().parent_path() / expected.at("network").get<std::string>());
    const DirectEvaluation evaluation = direct_evaluation(network, digits);
    const nlohmann::json& states = expected.at("log10");
    REQUIRE(evaluation.states.size() == states.size());
    for (std::size_t state = 0; state < states.size(); ++state) {
      CAPTURE(state);
      const auto& got = evaluation.states[state];
      const auto text = [&](const char* key) { return states[state].at(key).get<std::string>(); };
      check_against(text("mean"), got.mean);
      check_against(text("median"), got.median);
      check_against(text("midrange"), got.midrange);
      check_against(text("diam_1"), got.diam_1);
      check_against(text("diam_2"), got.diam_2);
      check_against(text("diam_inf"), got.diam_inf);
    }
    ++cases;
  }
  CHECK(cases >= 8);
}
