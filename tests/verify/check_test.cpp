#include "verify/check.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "numerics/san/generate.hpp"
#include "tests/verify/networks.hpp"
#include "verify/check_json.hpp"
#include "verify/check_text.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

/// Attention, then a relu block with W_1 = (3, -4), W_2 = (1, 1/2)^T, then attention.
Network with_mlp() {
  return parse_network(
      R"({"format":"rankfall-network/1","input":[[1],[-1]],"blocks":[
        {"kind":"attention","heads":[{"W_QK":[[0.1]],"d_qk":1,"W":[[1]]}]},
        {"kind":"mlp","activation":"relu","layers":[{"W":[[3,-4]]},{"W":[[1],["1/2"]]}]},
        {"kind":"attention","heads":[{"W_QK":[[0.1]],"d_qk":1,"W":[[1]]}]}]})",
      "mlp");
}

CheckOptions mlp_statements() {
  CheckOptions options;
  options.statements = {"dong-3.2-mlp", "dong-3.2-repaired"};
  return options;
}

}  // namespace

TEST_CASE("lambda of an MLP block: local beside global, in numbers, text and JSON") {
  const CheckResult result = check(with_mlp(), mlp_statements());
  REQUIRE(result.lipschitz.size() == 1);
  const Lipschitz& lambda = result.lipschitz.front();
  CHECK(lambda.block == 1);
  // Global: sqrt(28) sqrt(3/2) = sqrt(42). Local: the slope 3 s - 2 t for s, t in [0, 1], at most 3.
  const Precision p(64);
  CHECK(overlap(lambda.global, sqrt(Magnitude(Rational(42), p), p)));
  for (const Magnitude& local : lambda.local) {  // a radius is rounded up to 30 bits
    CHECK_FALSE(certainly_less(local, Magnitude(Rational(3), p)));
    CHECK(certainly_less(local, Magnitude(Rational(3000001, 1000000), p)));
  }

  const auto json = nlohmann::json::parse(check_json(result, {"mlp", ""}, "residual", 12));
  REQUIRE(json["lambda"].size() == 1);
  CHECK(json["lambda"][0]["block"] == 1);
  CHECK(
      json["lambda"][0]["global"]["log10"][0].get<std::string>().starts_with("0.8116246451"));  // log10(42)/2
  CHECK(json["lambda"][0]["local"]["mean"]["log10"][1].get<std::string>().starts_with("0.477121"));

  const std::string text = check_text(result, {"mlp", ""}, "residual", 12);
  CHECK(text.find("global (product of norms)") != std::string::npos);
  CHECK(text.find("0.8116246451") != std::string::npos);
  CHECK(text.find("0.477121") != std::string::npos);
}

TEST_CASE("a network without MLP blocks shows no lambda") {
  const CheckResult result = check(test::scalar_model("1", "0.1", "1", 2), mlp_statements());
  CHECK(result.lipschitz.empty());
  CHECK(nlohmann::json::parse(check_json(result, {"scalar", ""}, "residual", 6))["lambda"].empty());
  CHECK(check_text(result, {"scalar", ""}, "residual", 6).find("lambda") == std::string::npos);
}

TEST_CASE("the heading promises digits only where the enclosures have them") {
  CheckOptions options = mlp_statements();
  const auto heading = [&](int digits, long bits) {
    options.digits = digits, options.start_bits = options.max_bits = bits;
    const CheckResult result = check(with_mlp(), options);
    return check_text(result, {"heading", ""}, "residual", digits);
  };
  CHECK(heading(100, 64).find(", not all of the 100 digits certified") != std::string::npos);
  CHECK(heading(100, 1024).find(", 100 digits certified") != std::string::npos);
}

TEST_CASE("threads within a check change nothing") {
  for (const auto& [heads, depth] : {std::pair<Index, Index>{4, 3}, {1, 30}}) {
    GenerateSpec spec;
    spec.tokens = 5;
    spec.dim = 8;
    spec.heads = heads;
    spec.depth = depth;
    const Network network = generate(spec);
    CheckOptions options;
    options.digits = 20;
    const auto told = [&](unsigned threads) {
      options.threads = threads;
      return check_json(check(network, options), {"threads", ""}, "residual", options.digits);
    };
    const std::string alone = told(1);
    CHECK(told(2) == alone);
    CHECK(told(7) == alone);
  }
}
