#include "verify/path_answer.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/random_network.hpp"
#include "tests/verify/networks.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

Network with_skip(Network network, const Rational& skip) {
  for (Block& block : network.blocks) std::get<AttentionBlock>(block).skip = skip;
  return network;
}

}  // namespace

TEST_CASE("the decomposition of any attention network is proved, one by one and by length") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Network network = test::RandomNetwork(seed, false).draw();
    for (const long most : {1L, 100'000L}) {
      PathOptions options;
      options.max_paths = most;
      const PathAnswer answer = path_answer(network, options);
      CHECK(answer.verdict() == Verdict::proved);
      CHECK((answer.sums == theory::PathSums::enumerated) == (answer.paths <= most));
      Integer paths = 0;
      for (const PathShare& share : answer.shares) paths += share.paths;
      CHECK(paths == answer.paths);
    }
  }
}

TEST_CASE("too little precision is no proof") {
  PathOptions options;
  options.max_bits = 64;
  const PathAnswer answer = path_answer(with_skip(test::scalar_model("1", "1/10", "1", 3), 1), options);
  CHECK(answer.bits == 64);
  CHECK(answer.verdict() == Verdict::inconclusive);
}

TEST_CASE("what the lengths contribute is said in text and JSON") {
  const Network network = with_skip(test::scalar_model("1", "1/10", "1", 2), 1);
  const PathAnswer answer = path_answer(network, {});
  const std::string text = path_text(answer, network, "net.json", 6);
  CHECK(text.starts_with("net.json: 2 tokens, dim 1, depth 2, 4 paths\n\npath-decomposition: proved"));
  const auto json = nlohmann::json::parse(path_json(answer, network, "net.json", 6));
  CHECK(json["format"] == "rankfall-path-decomposition/1");
  CHECK(json["verdict"] == "proved");
  CHECK(json["sums"] == "enumerated");
  CHECK(json["paths"] == "4");
  REQUIRE(json["lengths"].size() == 3);
  CHECK(json["lengths"][1]["paths"] == "2");
  // length 0 is the input itself: composite sqrt 2
  const auto& ends = json["lengths"][0]["output"]["log10"];
  const Ball low(parse_number(ends[0].get<std::string>()), Precision(64)),
      high(parse_number(ends[1].get<std::string>()), Precision(64));
  CHECK(certainly_less_equal(low, Ball(Rational(1505149978319906, 10'000'000'000'000'000), Precision(64))));
  CHECK(certainly_less_equal(Ball(Rational(1505149978319905, 10'000'000'000'000'000), Precision(64)), high));
  CHECK(certainly_less(sub(high, low, Precision(64)), Ball(1e-6)));
}
