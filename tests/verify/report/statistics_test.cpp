#include "verify/report/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "csv_reader.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/report/page.hpp"
#include "verify/report/tables.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

constexpr Precision p(128);

Bracket exactly(const Rational& value) {
  return {Magnitude(value, p), Magnitude(value, p)};
}

/// One network on which `id` was decided as said, once.
CellResult decided(const std::string& id, Verdict verdict, const std::string& reason) {
  CellResult result;
  result.cell.spec.depth = 1;
  result.check.bits = p.bits;
  Decision d;
  d.statement = &theory::find_statement(id);
  d.bound = &d.statement->bounds.front();
  d.from = 0;
  d.to = d.depth = 1;
  d.verdict = verdict;
  d.reason = reason;
  d.compared = true;
  d.left = exactly(Rational(2));
  d.right = exactly(Rational(1));
  d.bits = p.bits;
  result.check.decisions.push_back(d);
  return result;
}

struct Told {
  std::string json, page;
};

Told tell(const std::vector<CellResult>& results) {
  Grid grid;
  grid.depth = {1};
  const auto by_claim = claims(instances(results, grid));
  std::vector<Digest> digests;
  digests.reserve(by_claim.size());
  for (const Claim& claim : by_claim) digests.push_back(digest(claim));
  return {verdicts_json(digests, provenance("rankfall report", grid, results), results.size(), 6),
          page_html({grid, "", "rankfall report", results, digests, {}, {}, {}, {}})};
}

}  // namespace

TEST_CASE("distribution: encloses the order statistics of whatever numbers the spans hold") {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Span> spans;
    std::vector<Rational> numbers;
    for (std::size_t i = 0; i < 1 + trial % 9U; ++i) {
      const Rational low(static_cast<long>(random() % 1000), 7);
      const Rational width(static_cast<long>(random() % 200), 3), part(static_cast<long>(random() % 11), 10);
      spans.push_back({Ball(low, p), Ball(Rational(low + width), p)});
      numbers.push_back(low + width * part);
    }
    std::sort(numbers.begin(), numbers.end());
    const Distribution d = distribution(spans);
    const std::size_t half = numbers.size() / 2;
    const Rational median =
        numbers.size() % 2 ? numbers[half] : Rational((numbers[half - 1] + numbers[half]) / 2);
    CHECK(d.count == numbers.size());
    // Quartiles: a quarter and three quarters of the way, in proportion between neighbours.
    const auto quartile = [&](std::size_t q) -> Rational {
      const std::size_t place = q * (numbers.size() - 1), below = place / 4;
      const Rational part(static_cast<long>(place % 4), 4);
      return numbers[below] + (part == 0 ? Rational(0) : part * (numbers[below + 1] - numbers[below]));
    };
    for (const auto& [span, number] : {std::pair{&d.least, numbers.front()},
                                       {&d.lower_quartile, quartile(1)},
                                       {&d.median, median},
                                       {&d.upper_quartile, quartile(3)},
                                       {&d.greatest, numbers.back()}}) {
      CHECK(certainly_less_equal(lower(span->low, p), Ball(number, Precision(300))));
      CHECK(certainly_less_equal(Ball(number, Precision(300)), upper(span->high, p)));
    }
  }
  CHECK(distribution({}).count == 0);
}

TEST_CASE("distribution: infinite ends stay infinite, finite ones finite") {
  Span infinite;
  arb_pos_inf(infinite.low.raw());
  arb_pos_inf(infinite.high.raw());
  const Span one{Ball(1), Ball(1)};
  const Distribution d = distribution({infinite, one, one});
  CHECK(is_finite(d.median.high));
  CHECK(!is_finite(d.greatest.low));
  const Distribution even = distribution({infinite, one});
  CHECK(is_finite(even.median.low));
  CHECK(!is_finite(even.median.high));
}

TEST_CASE("exceptions: a statement held true and refuted stands first on the page and in verdicts.json") {
  const std::vector<CellResult> results = {decided("layer-cubic", Verdict::inconclusive, "precision"),
                                           decided("diameter", Verdict::refuted, "")};
  const Told told = tell(results);
  const auto json = nlohmann::json::parse(told.json);
  REQUIRE(json.at("exceptions").size() == 2);
  const auto& first = json.at("exceptions").at(0);
  CHECK(first.at("kind") == "refuted-though-held-true");
  CHECK(first.at("statement") == "diameter");
  CHECK(first.at("command").get<std::string>().find("rankfall check - --statement diameter") !=
        std::string::npos);
  CHECK(json.at("exceptions").at(1).at("kind") == "undecided-for-lack-of-precision");
  const std::size_t alarm = told.page.find("<section class=\"alarm\"");
  REQUIRE(alarm != std::string::npos);
  CHECK(alarm < told.page.find("<h1>"));
  CHECK(told.page.find("A statement held true was refuted") != std::string::npos);
  CHECK(told.page.find("No statement held true was refuted") == std::string::npos);
}

TEST_CASE("exceptions: a refuted instance of a claim known to be false is counted, not an alarm") {
  const std::vector<CellResult> results = {decided("dong-2.2-v1", Verdict::refuted, "")};
  const Told told = tell(results);
  const auto json = nlohmann::json::parse(told.json);
  CHECK(json.at("exceptions").empty());
  CHECK(json.at("verdicts").at("refuted") == 1);
  CHECK(json.at("statements").at(0).at("claim_status") == "refuted");
  CHECK(told.page.find("class=\"alarm\"") == std::string::npos);
  CHECK(told.page.find("No statement held true was refuted") != std::string::npos);
  CHECK(told.page.find("refuted here: <code>dong-2.2-v1</code> on 1 of 1 instances") != std::string::npos);
}

TEST_CASE("csv: a reason with commas and quotes comes back as it was") {
  const std::string reason = "blocks[0] is \"odd\", outside the scope";
  const std::vector<CellResult> results = {decided("dong-2.2-v1", Verdict::inapplicable, reason)};
  Grid grid;
  grid.depth = {1};
  const auto lines = test::read_csv(tightness_csv(instances(results, grid), 6));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0][11] == "reason");
  CHECK(lines[1][11] == reason);
  CHECK(lines[1][0] == "dong-2.2-v1");
}

TEST_CASE("csv: the whole line of a decided instance") {
  const std::vector<CellResult> results = {decided("dong-2.2-v1", Verdict::refuted, "")};
  Grid grid;
  grid.depth = {1};
  const std::string text = tightness_csv(instances(results, grid), 6);
  CHECK(text.substr(text.find('\n') + 1) ==
        "dong-2.2-v1,,1,16,16,1,16,,gaussian,1,refuted,,0.301029995,0.301029996,0,0,0,0,,,128,residual,0,1,,"
        "gaussian,refuted,,,pure\n");
}

TEST_CASE("markdown: one row a claim, as many cells as the head") {
  const std::vector<CellResult> results = {decided("dong-2.2-v1", Verdict::refuted, ""),
                                           decided("diameter", Verdict::proved, "")};
  Grid grid;
  grid.depth = {1};
  const auto by_claim = claims(instances(results, grid));
  std::vector<Digest> digests;
  digests.reserve(by_claim.size());
  for (const Claim& claim : by_claim) digests.push_back(digest(claim));
  const std::string text =
      tightness_markdown(digests, provenance("rankfall report", grid, results), results.size());
  std::vector<std::string> rows;
  for (std::size_t at = text.find("\n|"); at != std::string::npos; at = text.find("\n|", at + 1))
    rows.push_back(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
  REQUIRE(rows.size() == 4);
  for (const std::string& row : rows) CHECK(std::count(row.begin(), row.end(), '|') == 15);
  CHECK(rows[2].starts_with("| dong-2.2-v1 | refuted | 0 | 1 | 0 | 0 |"));
  CHECK(rows[3].starts_with("| diameter, diameter-1 | proved | 1 | 0 | 0 | 0 |"));
}
