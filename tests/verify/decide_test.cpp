#include "verify/decide.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/verify/networks.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/check.hpp"
#include "verify/check_text.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using theory::Gamma;
using theory::Status;

namespace {

CheckResult checked(const Network& network, std::vector<std::string> ids) {
  CheckOptions options;
  options.statements = std::move(ids);
  return check(network, options);
}

const Decision& only(const CheckResult& result, std::size_t to, theory::Quantity quantity) {
  const auto found = std::find_if(result.decisions.begin(), result.decisions.end(),
                                  [&](const Decision& d) { return d.to == to && d.quantity == quantity; });
  REQUIRE(found != result.decisions.end());
  return *found;
}

/// Two heads with equal scores: W_1 = e_1^T, W_2 = omega on m other columns (docs/theory/refutations).
Network two_heads(long m, const std::string& omega) {
  std::string first = "1", second = "0";
  for (long i = 0; i < m; ++i) {
    first += ",0";
    second += ",\"" + omega + "\"";
  }
  const std::string head = R"({"W_QK":[["0.01"]],"d_qk":1,"W":[[)";
  return parse_network(
      R"({"format":"rankfall-network/1","input":[[1],[-1]],"blocks":[{"kind":"attention","heads":[)" + head +
          first + "]]}," + head + second + "]]}]}]}",
      "two heads");
}

}  // namespace

TEST_CASE(
    "the scalar model's first layer: the printed bound is 8.03 times too large, the composite diameter "
    "exact") {
  const CheckResult result =
      checked(test::scalar_model("1", "0.1", "1", 1), {"dong-2.2-v1", "composite-diameter"});
  const Decision& printed = result.decisions.front();
  CHECK(printed.verdict == Verdict::proved);
  // ratio tanh(0.1) / 0.8
  CHECK(to_double(printed.looseness->low) == doctest::Approx(0.0996679946249558 / 0.8).epsilon(1e-12));
  CHECK(to_double(printed.looseness->high) == doctest::Approx(0.0996679946249558 / 0.8).epsilon(1e-12));
  const Decision& exact = only(result, 1, theory::Quantity::composite_diameter);
  CHECK(exact.verdict == Verdict::inconclusive);
  CHECK(exact.reason == "equality");
  CHECK_FALSE(result.lacks_precision());
}

TEST_CASE("as the tokens meet, the ratio of layer-cubic tends to 1/8") {
  const CheckResult result = checked(test::scalar_model("1e-30", "1", "1", 1), {"layer-cubic"});
  const Decision& d = result.decisions.front();
  CHECK(d.verdict == Verdict::proved);
  CHECK(to_double(d.looseness->low) == doctest::Approx(0.125).epsilon(1e-14));
}

TEST_CASE("two clusters attain the diameter theorem in every norm") {
  // n = 4, d = 3: rows +-u with equal weight, W_QK = u u^T/|u|^4 scaled, so k diam^2 = tanh's argument.
  const Network network = parse_network(
      R"({"format":"rankfall-network/1","input":[[1,0,0],[1,0,0],[-1,0,0],[-1,0,0]],"blocks":[{"kind":"attention","heads":[
         {"W_QK":{"shape":[3,3],"entries":[[0,0,"1/3"]]},"d_qk":1,"W":{"diag":[1,1,1]}}]}]})",
      "clusters");
  for (const Decision& d : checked(network, {"diameter"}).decisions) {
    CAPTURE(theory::name(d.quantity));
    CHECK(d.verdict == Verdict::inconclusive);
    CHECK(d.reason == "equality");
  }
}

TEST_CASE("dong-2.3 is refuted by two heads at m = 70000 and not at m = 65025") {
  // rationals just below m^-1/2: 0.00377964473009^2 < 1/70000, 255^-2 = 1/65025
  const CheckResult wide =
      checked(two_heads(70000, "0.003779644730092"), {"dong-2.3-v1", "dong-2.3", "dong-2.3-repaired"});
  for (const Decision& d : wide.decisions) {
    CAPTURE(d.statement->id);
    const bool repaired = d.statement->id == "dong-2.3-repaired";
    CHECK(d.verdict == (repaired ? Verdict::proved : Verdict::refuted));
    CHECK(d.claim() == (repaired ? Status::proved : Status::refuted));
    if (!repaired) CHECK(to_double(d.looseness->low) == doctest::Approx(1.018496).epsilon(1e-6));
  }
  CHECK_FALSE(wide.refutes_a_true_statement());
  for (const Decision& d : checked(two_heads(65025, "1/255"), {"dong-2.3-v1", "dong-2.3"}).decisions)
    CHECK(d.verdict == Verdict::proved);
}

TEST_CASE("exact zeros: repeated tokens have slack without end and no looseness") {
  Network network = test::scalar_model("0", "1", "1", 3);
  const CheckResult result = checked(network, {});
  for (const Decision& d : result.decisions) {
    CAPTURE(d.statement->id);
    CHECK(d.verdict == (d.compared ? Verdict::proved : Verdict::inapplicable));
    CHECK_FALSE(d.looseness.has_value());
    if (d.compared) CHECK_FALSE(is_finite(d.slack.low));
  }
  CHECK(std::count_if(result.decisions.begin(), result.decisions.end(),
                      [](const Decision& d) { return d.compared; }) >= 40);
}

TEST_CASE("outside the scope nothing is decided, and why is said") {
  const Network network = parse_network(
      R"({"format":"rankfall-network/1","input":[[1],[-1]],"blocks":[{"kind":"attention","skip":"1/2","heads":[
         {"W_QK":[[1]],"d_qk":1,"W":[[1]]}]}]})",
      "skip");
  for (const Decision& d : checked(network, {}).decisions) {
    CAPTURE(d.statement->id);
    if (d.statement->scope.skip) {  // two tokens attain the upper side
      CHECK((d.verdict == Verdict::proved || d.reason == "equality"));
      continue;
    }
    CHECK(d.verdict == Verdict::inapplicable);
    if (!d.statement->scope.any_skip)
      CHECK(d.reason.find("blocks[0] has a skip connection") != std::string::npos);
    CHECK_FALSE(d.compared);
  }
  for (const Decision& d : checked(two_heads(1, "1"), {"dong-2.2-v1"}).decisions)
    CHECK(d.reason.find("has 2 heads") != std::string::npos);
}

TEST_CASE("hypotheses that fail make a statement inapplicable, with the comparison still shown") {
  const CheckResult result = checked(test::scalar_model("3", "1", "1", 1), {"layer-cubic", "small-logits"});
  for (const Decision& d : result.decisions) {
    CHECK(d.verdict == Verdict::inapplicable);
    CHECK(d.compared);
    CHECK(std::any_of(d.hypotheses.begin(), d.hypotheses.end(),
                      [](const auto& h) { return h.holds == false; }));
  }
}

TEST_CASE("implied gamma is the looseness at gamma one") {
  CheckOptions options;
  options.statements = {"dong-2.2"};
  options.gammas = {{Gamma::Kind::one, 1}, {Gamma::Kind::implied, 1}};
  const CheckResult result = check(test::scalar_model("1", "0.1", "1", 1), options);
  REQUIRE(result.decisions.size() == 2);
  CHECK(result.decisions[1].reason == "equality");
  CHECK(
      overlap(result.decisions[1].gamma_value->to_ball(Precision(128)), result.decisions[0].looseness->low));
}

TEST_CASE("where the simple lower bound of the minimal residual leaves a gap, the better one decides") {
  // One column (0, 0, 1) goes to itself times tanh-like mixing; the simple bound is sqrt(1/2), the least
  // residual sqrt(3/4).
  const Network network = parse_network(
      R"({"format":"rankfall-network/1","input":[[0],[0],[1]],"blocks":[{"kind":"attention","heads":[
         {"W_QK":[["0.4"]],"d_qk":1,"W":[["1"]]}]}]})",
      "column");
  theory::Simulation simulation(network, Precision(128));
  const Magnitude simple = simulation.state(0).minimal.lower;
  CHECK(simulation.refine_minimal(0));
  CHECK_FALSE(simulation.refine_minimal(0));
  const Magnitude better = simulation.state(0).minimal.lower;
  CHECK(to_double(simple.to_ball(Precision(64))) == doctest::Approx(std::sqrt(0.5)));
  CHECK(to_double(better.to_ball(Precision(64))) == doctest::Approx(std::sqrt(0.75)));
  CHECK(overlap(better, simulation.state(0).minimal.upper));
}

TEST_CASE("raising the precision decides again only what is open, and in the end the same") {
  const Network network = test::scalar_model("1", "0.1", "0.9", 4);
  CheckOptions low, high;
  low.start_bits = 32;
  high.start_bits = 512;
  const CheckResult escalated = check(network, low), direct = check(network, high);
  REQUIRE(escalated.decisions.size() == direct.decisions.size());
  REQUIRE(escalated.bits > 32);
  bool kept = false;
  for (std::size_t i = 0; i < direct.decisions.size(); ++i) {
    const Decision &a = escalated.decisions[i], &b = direct.decisions[i];
    CAPTURE(a.statement->id);
    CHECK(a.statement == b.statement);
    CHECK(a.from == b.from);
    CHECK(a.to == b.to);
    CHECK(a.verdict == b.verdict);
    CHECK(a.reason == b.reason);
    kept = kept || (a.bits > 0 && a.bits < escalated.bits);
  }
  CHECK(kept);
}

TEST_CASE("digits that the precision limit does not reach are not called certified") {
  const Network network = test::scalar_model("1", "0.1", "1", 1);
  CheckOptions options;
  options.digits = 100;
  options.max_bits = 64;
  const CheckResult short_of = check(network, options);
  CHECK_FALSE(short_of.narrow_states(100));
  CHECK(check_text(short_of, {"file", "sum"}, "residual", 100).find("not all of the 100 digits certified") !=
        std::string::npos);
  options.max_bits = 0;
  const CheckResult reached = check(network, options);
  CHECK(reached.narrow_states(100));
  CHECK(check_text(reached, {"file", "sum"}, "residual", 100).find("residual, 100 digits certified") !=
        std::string::npos);
}

TEST_CASE("what was not compared says why: open for lack of precision, or outside the scope") {
  // scores of 10^800 saturate the softmax beyond what 1056 bits resolve
  const CheckResult open = checked(test::scalar_model("1e5000", "1e-10", "1", 1), {"leading-order"});
  REQUIRE(open.decisions.front().reason == "precision");
  CHECK(check_text(open, {"file", "sum"}, "residual", 12).find("inconclusive everywhere: precision") !=
        std::string::npos);
  const CheckResult outside = checked(test::scalar_model("1", "1", "1", 1), {"diameter-skip"});
  CHECK(check_text(outside, {"file", "sum"}, "residual", 12).find("inapplicable everywhere: blocks[0]") !=
        std::string::npos);
  const std::string both = check_text(checked(test::scalar_model("1", "1", "1", 1), {"layernorm-lifted"}),
                                      {"file", "sum"}, "residual", 12);
  CHECK(both.find("inapplicable everywhere (post-ln): no normalisation of tokens follows") !=
        std::string::npos);
  CHECK(both.find("inapplicable everywhere (pre-ln): blocks[0] has no pre_norm") != std::string::npos);
}

namespace {

void check_distinct(const std::vector<Decision>& decisions) {
  std::set<std::string> names;
  for (const Decision& d : decisions) {
    const std::string name = fmt::format("{} {} {} {} {}", d.statement->id,
                                         d.gamma ? theory::name(*d.gamma) : "", d.subject(), d.from, d.to);
    CAPTURE(name);
    CHECK(names.insert(name).second);
  }
  CHECK(names.size() > 50);
}

}  // namespace

TEST_CASE("no two decisions on a network go by the same name") {
  Network plain = test::scalar_model("1", "0.1", "1", 2), with_skip = plain;
  for (Block& block : with_skip.blocks) std::get<AttentionBlock>(block).skip = 1;
  for (const Network& network : {plain, with_skip}) check_distinct(checked(network, {}).decisions);
}
