// Repeated tokens, one token, values of zero: what is zero stays exactly zero, and says so in every output.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/random_network.hpp"
#include "tests/support.hpp"
#include "tests/verify/networks.hpp"
#include "tests/verify/report/csv_reader.hpp"
#include "tests/verify/report/tiny_report.hpp"
#include "verify/check_json.hpp"
#include "verify/check_text.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

bool exactly_zero(const StateMeasures& state) {
  bool zero =
      state.minimal.upper.is_zero() && state.minimal.lower.is_zero() && state.composite_diameter.is_zero();
  for (const Magnitude& residual : state.residual) zero = zero && residual.is_zero();
  for (const Magnitude& diameter : state.diameter) zero = zero && diameter.is_zero();
  return zero;
}

bool speaks_of_nan(const std::string& text) {
  static const std::regex word("(^|[^a-z])-?nan([^a-z]|$)", std::regex::icase);
  return std::regex_search(text, word);
}

/// Where the left side is exactly zero: proved (unless a hypothesis is not certified), with infinite slack
/// and no looseness, in numbers and in JSON. Returns how many such inequalities were proved.
int check_zeros(const Network& network) {
  CheckOptions options;
  options.digits = 4;
  const CheckResult result = check(network, options);
  const std::string text = check_text(result, {"zeros", ""}, "residual", options.digits);
  const std::string json_text = check_json(result, {"zeros", ""}, "residual", options.digits);
  CHECK_FALSE(speaks_of_nan(text));
  CHECK_FALSE(speaks_of_nan(json_text));
  const auto json = nlohmann::json::parse(json_text);
  int certified = 0;
  for (std::size_t i = 0; i < result.decisions.size(); ++i) {
    const Decision& d = result.decisions[i];
    CAPTURE(d.statement->id);
    CAPTURE(d.to);
    CHECK_FALSE(d.verdict == Verdict::refuted);
    if (!d.compared || !d.left.upper.is_zero()) continue;
    const bool hypotheses_hold = std::all_of(d.hypotheses.begin(), d.hypotheses.end(),
                                             [](const HypothesisResult& h) { return h.holds == true; });
    const char* expected = hypotheses_hold ? "proved" : "inapplicable";
    CHECK(name(d.verdict) == expected);
    certified += hypotheses_hold;
    CHECK_FALSE(d.looseness.has_value());
    const auto& shown = json["statements"][i];
    CHECK(shown["left"]["log10"] == nlohmann::json({"-inf", "-inf"}));
    CHECK(shown["slack_decades"]["value"] == nlohmann::json({"inf", "inf"}));
    CHECK(shown["looseness"].is_null());
    CHECK(shown["verdict"] == expected);
  }
  return certified;
}

void check_states(const Network& network, std::size_t first) {
  for (const long bits : {64L, 300L}) {
    theory::Simulation simulation(network, Precision(bits));
    for (std::size_t k = first; k <= network.blocks.size(); ++k) {
      CAPTURE(k);
      CHECK(exactly_zero(simulation.state(k)));
    }
  }
}

Network drawn(std::uint64_t seed) {
  return test::RandomNetwork(seed).draw();
}

}  // namespace

TEST_CASE("one token: every residual is exactly zero, every bound proved with infinite slack") {
  int zeros = 0;
  for (std::uint64_t seed = 1; seed <= 12 * static_cast<std::uint64_t>(test::multiplier()); ++seed) {
    CAPTURE(seed);
    Network network = drawn(seed);
    const ExactMatrix all = network.input;
    std::vector<Rational> first;
    for (Index j = 0; j < all.cols(); ++j) first.push_back(all(0, j));
    network.input = ExactMatrix::from(1, all.cols(), first);
    check_states(network, 0);
    zeros += check_zeros(network);
  }
  CHECK(zeros > 100);
}

TEST_CASE("repeated tokens: every residual is exactly zero, every bound proved with infinite slack") {
  int zeros = 0;
  for (std::uint64_t seed = 1; seed <= 12 * static_cast<std::uint64_t>(test::multiplier()); ++seed) {
    CAPTURE(seed);
    Network network = drawn(seed);
    const ExactMatrix all = network.input;
    std::vector<Rational> entries;
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < all.cols(); ++j) entries.push_back(all(0, j));
    network.input = ExactMatrix::from(3, all.cols(), entries);
    check_states(network, 0);
    zeros += check_zeros(network);
  }
  CHECK(zeros > 100);
}

TEST_CASE("values of zero without a skip: every state after them is exactly zero") {
  int zeros = 0;
  for (std::uint64_t seed = 1; seed <= 12 * static_cast<std::uint64_t>(test::multiplier()); ++seed) {
    CAPTURE(seed);
    Network network = drawn(seed);
    auto& block = std::get<AttentionBlock>(network.blocks.front());
    block.skip = 0;
    for (Head& head : block.heads)
      (head.fused ? head.W : head.W_V) =
          ExactMatrix((head.fused ? head.W : head.W_V).rows(), (head.fused ? head.W : head.W_V).cols());
    check_states(network, 1);
    zeros += check_zeros(network);
  }
  CHECK(zeros > 100);
}

TEST_CASE("a report on single tokens: infinite slack, no looseness, no NaN in any table or page") {
  const test::Scratch scratch("rankfall-zeros");
  const std::string grid =
      "depth = [1, 3]\ntokens = [1, 2]\ndim = 2\nheads = [1, 2]\nbeta = [\"0.1\"]\ndigits = 4\n";
  ReportRequest request;
  request.grid_text = grid;
  request.grid = parse_grid(grid, "zeros");
  request.command = "rankfall report --config zeros.toml";
  request.directory = scratch / "report";
  request.threads = 1;
  const ReportOutcome outcome = write_report(request);
  CHECK(outcome.contradictions == 0);
  for (const auto& [name, content] : test::files_below(scratch / "report")) {
    if (name.ends_with(".gp") || name.ends_with(".dat"))
      continue;  // gnuplot's word for a point that is not there
    CAPTURE_BOUND(name);
    CHECK_FALSE(speaks_of_nan(content));
  }
  const auto lines = test::read_csv(test::slurp(scratch / "report" / "tightness.csv"));
  int zeros = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::map<std::string, std::string> row;
    for (std::size_t column = 0; column < lines[i].size(); ++column) row[lines[0][column]] = lines[i][column];
    if (row.at("tokens") != "1" || row.at("log10_left_hi").empty()) continue;
    ++zeros;
    CHECK(row.at("log10_left_hi") == "-inf");
    CHECK(row.at("verdict") == "proved");
    CHECK(row.at("slack_lo") == "inf");
    CHECK(row.at("slack_hi") == "inf");
    CHECK(row.at("looseness_lo").empty());
    CHECK(row.at("looseness_hi").empty());
  }
  CHECK(zeros > 20);
}
