#include "verify/witness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "numerics/io/json_network.hpp"
#include "tests/random_network.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

constexpr int digits = 12;

CheckResult certified(const Network& network) {
  CheckOptions options;
  options.statements = {"small-logits"};
  options.digits = digits;
  options.start_bits = 256;
  options.max_bits = 1L << 15;  // enough to enclose nearly every residual from both sides
  return check(network, options);
}

/// Saturated attention makes tokens equal up to e^-(score gap): a direct evaluation that tells them apart
/// needs more bits than the digits they share, which may be any number. So many are followed.
long deepest_decades() {
  return 4000L * test::multiplier();
}

/// How the states of a network come out of reach of a direct evaluation, if any does.
struct Depth {
  bool beyond =
      false;  ///< a residual that is certainly smaller than 10^-deepest_decades(), but not known to be zero
  bool zero = false;  ///< exact zeros
  long decades = 0;   ///< of the smallest of the other residuals
};

Depth depth(const CheckResult& result) {
  Depth found;
  for (const StateMeasures& state : result.states) {
    const Magnitude& residual = state.residual[0];
    if (residual.is_zero()) {
      found.zero = true;
      continue;
    }
    const Ball log10 = residual.log10(Precision(64));
    if (certainly_less(log10, Ball(-deepest_decades()))) found.beyond = true;
    if (residual.certainly_positive())
      found.decades = std::max(found.decades, std::lround(-to_double(log10)));
  }
  return found;
}

}  // namespace

TEST_CASE("both engines agree on every case") {
  for (const auto& entry : std::filesystem::directory_iterator(RANKFALL_CASES)) {
    const std::string name = entry.path().filename().string();
    if (name.find("expected") != std::string::npos) continue;
    CAPTURE(name);
    const Network network = read_network(entry.path());
    CHECK_NOTHROW(confirm(certified(network), direct_evaluation(network, 2 * digits)));
  }
}

/// Holds the engines against each other on random networks, seed by seed, until `wanted` of them were
/// compared in every measure of every state. The others are counted, and why: a direct evaluation cannot
/// follow everywhere.
void compare_engines(std::uint64_t wanted, bool whole_layers) {
  std::uint64_t compared = 0, beyond = 0, zero = 0, seed = 0;
  long most_bits = 0;
  while (compared < wanted) {
    ++seed;
    CAPTURE(seed);
    const Network network = test::RandomNetwork(seed, true, whole_layers).draw();
    const CheckResult result = certified(network);
    const Depth found = depth(result);
    if (found.beyond) {
      ++beyond;
      REQUIRE(20 * beyond < wanted);
      continue;
    }
    CHECK(result.narrow_states(digits));
    try {
      const DirectEvaluation witness = direct_evaluation(network, 2 * digits, 8 * (found.decades + 256));
      confirm(result, witness);
      most_bits = std::max(most_bits, witness.bits);
      ++compared;
    } catch (const PrecisionLimit& limit) {
      CAPTURE(limit.what());
      CHECK(found.zero);  // and not by the wiring of the weights, or it would have been seen
      ++zero;
      REQUIRE(20 * zero < wanted);
    } catch (const Disagreement& error) {
      FAIL(error.what());
    }
  }
  MESSAGE(compared, " networks of ", seed, " agree, with up to ", most_bits, " bits; apart: ", beyond,
          " with tokens that agree to more than ", deepest_decades(), " digits, ", zero,
          " with tokens that are equal, which rounded arithmetic cannot show");
}

TEST_CASE("both engines agree at twice the digits on a thousand random networks") {
  compare_engines(1000U * static_cast<std::uint64_t>(test::multiplier()), false);
}

TEST_CASE("both engines agree at twice the digits on random whole layers") {
  compare_engines(400U * static_cast<std::uint64_t>(test::multiplier()), true);
}

TEST_CASE("a contradiction between the engines is not passed over") {
  const Network network = test::RandomNetwork(3).draw();
  const CheckResult result = certified(network);
  DirectEvaluation witness = direct_evaluation(network, digits);
  witness.states.back().diam_1 += Real("1e-9");
  CHECK_THROWS_AS(confirm(result, witness), Disagreement);
}
