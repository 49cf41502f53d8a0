#include "verify/recheck/direct.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"

using namespace rankfall;
using namespace rankfall::recheck;

namespace {

recheck::Network as_rechecked(const rankfall::Network& network) {
  return recheck::read_network(parse_json("{\"network\": " + write_network(network) + "}"));
}

recheck::Network test_network(const std::string& name) {
  return as_rechecked(rankfall::read_network(std::filesystem::path(RANKFALL_CASES) / (name + ".json")));
}

constexpr Bits p{128};

}  // namespace

TEST_CASE("the textbook confirms the recursion, as deep as bits are affordable") {
  for (const char* name : {"two-heads-bias", "skip-half", "single-head-depth-6", "constant-rows"}) {
    CAPTURE(name);
    const recheck::Network network = test_network(name);
    const auto witness = direct_witness(Recursion(network, p));
    REQUIRE(witness.has_value());
    CHECK(witness->contradictions.empty());
    CHECK(witness->last_state == network.layers.size());
  }
}

TEST_CASE("deep networks are followed directly in their first layers") {
  GenerateSpec spec;
  spec.tokens = spec.dim = 4;
  spec.depth = 12;
  const recheck::Network network = as_rechecked(generate(spec));
  const auto witness = direct_witness(Recursion(network, p));
  REQUIRE(witness.has_value());
  CHECK(witness->contradictions.empty());
  CHECK(witness->last_state >= 4);
  CHECK(witness->last_state < 12);
}

TEST_CASE("the textbook contradicts the recursion of another network, by as little as one part in 10^12") {
  recheck::Network network = test_network("two-heads-bias");
  const Recursion recursion(network, p);  // follows the network as it is now
  recheck::Head& head = network.layers.front().heads.front();
  const recheck::Network before = network;
  const auto contradicted = [&] {
    const auto witness = direct_witness(recursion);
    REQUIRE(witness.has_value());
    return !witness->contradictions.empty();
  };
  CHECK_FALSE(contradicted());
  const Rational little(1, Integer(1'000'000'000'000));
  for (Table* table : {&head.W_Q, &head.W_K, &head.W_V}) {
    const Rational kept = table->entries.front();
    table->entries.front() += little;
    CHECK(contradicted());
    table->entries.front() = kept;
  }
  network.layers.front().skip = little;
  CHECK(contradicted());
  network = before;
  CHECK_FALSE(contradicted());
  head.b_K = {.rows = 1, .cols = head.d_qk, .entries = std::vector<Rational>(std::size_t(head.d_qk), 3)};
  CHECK_FALSE(contradicted());  // the bias of the keys drops out
}

TEST_CASE("a row of the textbook may stand for several equal tokens") {
  const auto network = [](const char* rows, const char* counts) {
    return recheck::read_network(parse_json(
        std::string(R"({"network":{"format":"rankfall-network/1","input":)") + rows +
        R"(,"blocks":[{"kind":"attention","heads":[{"W_QK":[[1,0],[2,1]],"d_qk":2,"W":[[1,1],[0,2]]}]}]})" +
        counts + "}"));
  };
  const recheck::Network folded = network("[[1,2],[0,1]]", R"(,"tokens":[3,1])");
  const recheck::Network whole = network("[[1,2],[1,2],[1,2],[0,1]]", "");
  const recheck::Matrix a = textbook(folded, 1, p).back(), b = textbook(whole, 1, p).back();
  for (long j = 0; j < 2; ++j) {
    CHECK(overlap(a(0, j), b(0, j)));
    CHECK(overlap(a(0, j), b(2, j)));
    CHECK(overlap(a(1, j), b(3, j)));
    CHECK_FALSE(overlap(a(0, j), a(1, j)));
  }
  const auto witness = direct_witness(Recursion(folded, p));
  REQUIRE(witness.has_value());
  CHECK(witness->contradictions.empty());
}
