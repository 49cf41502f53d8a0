#include <doctest/doctest.h>

#include <map>

#include "numerics/errors.hpp"
#include "tests/random_network.hpp"
#include "tests/support.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/check.hpp"
#include "verify/check_json.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

CheckOptions quick() {
  CheckOptions options;
  options.digits = 3;
  options.max_bits = 512;
  return options;
}

}  // namespace

// docs/assumptions names the run of this test with RANKFALL_TEST_MULTIPLIER=50: 10000 networks.
TEST_CASE("no statement held true is refuted on random networks, and every kind of statement is met") {
  const std::uint64_t networks = 200U * static_cast<std::uint64_t>(test::multiplier());
  std::map<std::string, int> proved;
  std::size_t decisions = 0, lost = 0;
  for (std::uint64_t seed = 1; seed <= networks; ++seed) {
    CAPTURE(seed);
    CheckResult result;
    try {
      result = check(test::RandomNetwork(seed, true, seed % 2 == 0).draw(), quick());
    } catch (
        const PrecisionLimit&) {  // the few bits allowed here lose a network whose scores grow without end
      ++lost;
      continue;
    }
    CHECK_FALSE(result.refutes_a_true_statement());
    for (const Decision& d : result.decisions) {
      ++decisions;
      if (d.verdict == Verdict::proved) ++proved[d.statement->id];
    }
  }
  MESSAGE(networks, " networks, ", lost, " lost to the limit of 512 bits, ", decisions, " decisions");
  CHECK(lost * 100 <= networks);
  for (const theory::Statement& statement : theory::catalogue()) {
    CAPTURE(statement.id);
    const bool decided_here = !statement.bounds.empty();
    CHECK((proved[statement.id] > 0) == decided_here);
  }
}

TEST_CASE("the JSON of random networks holds no NaN and only outward decimal texts") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const std::string json = check_json(check(test::RandomNetwork(seed, true, seed % 2 == 0).draw(), quick()),
                                        {"random", ""}, "residual", 3);
    CHECK(json.find("nan") == std::string::npos);
    CHECK(json.find("NaN") == std::string::npos);
  }
}

TEST_CASE("a higher starting precision never contradicts a lower one") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Network network = test::RandomNetwork(seed).draw();
    CheckOptions fine = quick();
    fine.start_bits = 300;
    const CheckResult low = check(network, quick()), high = check(network, fine);
    REQUIRE(low.decisions.size() == high.decisions.size());
    for (std::size_t i = 0; i < low.decisions.size(); ++i) {
      const Decision &a = low.decisions[i], &b = high.decisions[i];
      CAPTURE(a.statement->id);
      const bool opposed = (a.verdict == Verdict::proved && b.verdict == Verdict::refuted) ||
                           (a.verdict == Verdict::refuted && b.verdict == Verdict::proved);
      CHECK_FALSE(opposed);
      // A family shows one of its members, and a Lipschitz bound is any valid one: neither is one number.
      const bool one_number = a.quantity < theory::Quantity::attention && !a.statement->scope.mlp;
      if (one_number && a.compared && b.compared && a.reference == b.reference) {
        CHECK(overlap(a.left.upper, b.left.upper));
        CHECK(overlap(a.right.lower, b.right.lower));
      }
    }
  }
}
