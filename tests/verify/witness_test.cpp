#include "verify/witness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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
  return check(network, options);
}

/// What the direct evaluations here may take. Saturated attention makes tokens equal up to e^-(score gap),
/// which may need any number of bits.
constexpr long affordable_bits = 1L << 13U;

/// Tokens became equal, or to more digits than that many bits show.
bool collapses_out_of_sight(const CheckResult& result) {
  return std::any_of(result.states.begin(), result.states.end(), [](const StateMeasures& state) {
    const Magnitude& residual = state.residual[0];
    return !residual.certainly_positive() ||
           certainly_less(residual.log10(Precision(64)), Ball(-affordable_bits / 5));
  });
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

/// Of `networks` random networks, how many the engines agree on; the others no direct evaluation could
/// follow.
std::uint64_t agreeing(std::uint64_t networks, bool whole_layers) {
  std::uint64_t count = 0;
  for (std::uint64_t seed = 1; seed <= networks; ++seed) {
    CAPTURE(seed);
    const Network network = test::RandomNetwork(seed, true, whole_layers).draw();
    const CheckResult result = certified(network);
    try {
      confirm(result, direct_evaluation(network, 2 * digits, affordable_bits));
      ++count;
    } catch (const PrecisionLimit&) {  // rounded arithmetic cannot follow everywhere
      CHECK(collapses_out_of_sight(result));
    } catch (const Disagreement& error) {
      FAIL_CHECK(error.what());
    }
  }
  MESSAGE(count, " of ", networks, " networks agree, the others need more than ", affordable_bits, " bits");
  return count;
}

TEST_CASE("both engines agree at twice the digits on a thousand random networks") {
  const std::uint64_t networks = 1000U * static_cast<std::uint64_t>(test::multiplier());
  CHECK(agreeing(networks, false) >= networks * 97 / 100);
}

TEST_CASE("both engines agree at twice the digits on random whole layers") {
  const std::uint64_t networks = 400U * static_cast<std::uint64_t>(test::multiplier());
  CHECK(agreeing(networks, true) >= networks * 90 / 100);
}

TEST_CASE("a contradiction between the engines is not passed over") {
  const Network network = test::RandomNetwork(3).draw();
  const CheckResult result = certified(network);
  DirectEvaluation witness = direct_evaluation(network, digits);
  witness.states.back().diam_1 += Real("1e-9");
  CHECK_THROWS_AS(confirm(result, witness), Disagreement);
}
