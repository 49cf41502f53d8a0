// The shared cases: networks as files, and what another program found by direct evaluation (docs/formats).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "numerics/io/json_network.hpp"
#include "numerics/san/engine.hpp"
#include "numerics/san/measures.hpp"
#include "tests/numerics/oracle.hpp"

using namespace rankfall;

namespace {

const std::string folder = RANKFALL_CASES;

void check_log10(const Magnitude& found, const std::string& expected) {
  CAPTURE(expected);
  if (expected == "-inf") {
    CHECK(found.is_zero());
    return;
  }
  REQUIRE(found.certainly_positive());
  const Rational value = parse_number(expected), size = std::max(Rational(1), Rational(abs(value)));
  const Rational tolerance = size * power(Rational(10), -28);
  const Ball log10 = found.log10(Precision(200));
  CHECK(test::holds(log10, test::Interval{Rational(value - tolerance), Rational(value + tolerance)}));
  const test::Interval set = test::ends(log10);
  CHECK(Rational(set.high - set.low) <= size * power(Rational(10), -9));
}

}  // namespace

TEST_CASE("every shared case: the states measure what was found by direct evaluation") {
  // The second line: whole layers, made by tests/scripts/make_layer_cases.py.
  for (const std::string name : {"constant-rows",    "mlp-relu",
                                 "one-token",        "scalar-collapse",
                                 "scalar-growth",    "single-head-depth-6",
                                 "skip-half",        "two-heads-bias",
                                 "post-ln",          "pre-ln",
                                 "encoder-layers",   "decoder-layers",
                                 "column-norm",      "column-norm-without-epsilon",
                                 "key-padding",      "causal-deep",
                                 "listed-mask-deep", "row-biases",
                                 "column-norm-deep", "mlp-deep",
                                 "row-biases-deep"}) {
    CAPTURE(name);
    const Network network = read_network(fmt::format("{}/{}.json", folder, name));
    std::ifstream file(fmt::format("{}/{}.expected.json", folder, name));
    const nlohmann::json expected = nlohmann::json::parse(file).at("log10");
    const auto states = mean_states(ResidualEngine(network, Precision(256)));
    REQUIRE(states.size() == expected.size());
    for (std::size_t l = 0; l < states.size(); ++l) {
      CAPTURE(l);
      const StateMeasures measures = measure(states[l], Precision(256));
      for (std::size_t r = 0; r < all_references.size(); ++r)
        check_log10(measures.residual[r], expected[l].at(rankfall::name(all_references[r])));
      for (std::size_t v = 0; v < all_vector_norms.size(); ++v)
        check_log10(measures.diameter[v], expected[l].at("diam_" + rankfall::name(all_vector_norms[v])));
    }
  }
}
