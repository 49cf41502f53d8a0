#include "verify/search/falsify.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/search/extremal.hpp"
#include "verify/search/falsify_text.hpp"
#include "verify/search/least_size.hpp"
#include "verify/search/mover_search.hpp"
#include "verify/search/search_state.hpp"
#include "verify/search/simplex.hpp"
#include "verify/search/tournament.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

FalsifyRequest request(const char* id, const Shape& shape, std::uint64_t evaluations,
                       std::uint64_t seed = 1) {
  FalsifyRequest result;
  result.statement = &theory::find_statement(id);
  result.shape = shape;
  result.evaluations = evaluations;
  result.seed = seed;
  return result;
}

bool go_on(const SearchState&) {
  return true;
}

SearchState searched(const FalsifyRequest& r) {
  return search(r, {}, go_on);
}

double ratio_found(const FalsifyRequest& r) {
  const Finding finding = certify(r, searched(r));
  REQUIRE(finding.ratio.has_value());
  return to_double(finding.ratio->low);
}

}  // namespace

TEST_CASE("a climb finds the top of a hill and is a function of its arguments") {
  const Goal hill = [](const Point& point) {
    double sum = 0;
    for (std::size_t i = 0; i < point.numbers.size(); ++i) {
      const double gap = point.numbers[i] - static_cast<double>(i + 1);
      sum -= gap * gap;
    }
    return sum;
  };
  const Point start{{5, -3, 0.5}, {1, 3}};
  const SearchOutcome a = climb(hill, start, Stream(1, 2, 3, 4), 3000),
                      b = climb(hill, start, Stream(1, 2, 3, 4), 3000);
  CHECK(a.value > -1e-6);
  CHECK(a.evaluations == 3000);
  CHECK(a.best.numbers == b.best.numbers);
  CHECK(climb(hill, start, Stream(2, 2, 3, 4), 3000).best.numbers != a.best.numbers);
}

TEST_CASE("rounding keeps so many bits of the largest of a group") {
  const Point point{{1.0 / 3, 100, 0, 1e-9}, {2, 4}};
  const Point coarse = rounded(point, 8);
  CHECK(coarse.numbers[0] == 0.5);  // a multiple of 2^-1
  CHECK(coarse.numbers[1] == 100);
  CHECK(coarse.numbers[2] == 0);
  CHECK(coarse.numbers[3] == doctest::Approx(1e-9).epsilon(0.01));
  CHECK(rounded(point, 53).numbers[0] == doctest::Approx(1.0 / 3).epsilon(1e-13));
}

TEST_CASE("the worst cases of THEORY are found again") {
  const double eighth = ratio_found(request("layer-cubic", {.tokens = 2, .dim = 1}, 3000));
  CHECK(eighth > 0.1249);
  CHECK(eighth <= 0.125);
  for (const char* id : {"diameter", "composite-diameter"}) {
    CAPTURE(id);
    const double equal = ratio_found(request(id, {.tokens = 2, .dim = 2, .outputs = 2}, 3000));
    CHECK(equal > 1 - 1e-6);
    CHECK(equal <= 1 + 1e-12);
  }
  const FalsifyRequest printed = request("proof-step-printed", {.tokens = 2, .dim = 1}, 2000);
  const Finding violation = certify(printed, searched(printed));
  CHECK(violation.violated());
  CHECK(violation.decision->claim() == theory::Status::refuted);
}

TEST_CASE("a climb that goes on is one climb") {
  const Goal slope = [](const Point& point) { return -std::abs(point.numbers[0] - 2); };
  const Point start{{7}, {1}};
  Climb climbing(slope, start, Stream(1, 2, 3, 4));
  climbing.go_on(40);
  climbing.go_on(59);
  const SearchOutcome whole = climb(slope, start, Stream(1, 2, 3, 4), 100);
  CHECK(climbing.outcome().evaluations == 100);
  CHECK(climbing.outcome().best.numbers == whole.best.numbers);
  climbing.go_on(1000, [] { return true; });
  CHECK(climbing.outcome().evaluations == 100);
}

TEST_CASE("a tournament spends what it is given, on any number of threads") {
  const Goal hills = [](const Point& point) {
    return std::cos(3 * point.numbers[0]) - std::abs(point.numbers[0]);
  };
  Tournament round{.goal = hills,
                   .start =
                       [](std::uint64_t k) {
                         return Point{{static_cast<double>(k) - 20}, {1}};
                       },
                   .stream = [](std::uint64_t k) { return Stream(1, 2, k, 0); },
                   .best_so_far = std::nullopt,
                   .threads = 1,
                   .stop = {}};
  for (const std::uint64_t evaluations : {1U, 7U, 100U, 4000U}) {
    CAPTURE(evaluations);
    round.threads = 1;
    const SearchOutcome alone = round.play(evaluations);
    CHECK(alone.evaluations == evaluations);
    round.threads = 3;
    CHECK(round.play(evaluations).best.numbers == alone.best.numbers);
  }
  CHECK(round.play(4000).value > 0.99);
  round.best_so_far = Point{{0}, {1}};
  CHECK(round.play(2).evaluations == 2);
  CHECK(round.play(50).value == 1);
  round.stop = [] { return true; };
  CHECK(round.play(4000).evaluations < 100);
}

TEST_CASE("a simplex reaches the end of a ridge, and stops where it is enough") {
  const Goal ridge = [](const Point& point) {
    const double x = point.numbers[0], y = point.numbers[1];
    return -100 * (x + y - 3) * (x + y - 3) - 0.01 * (x - y) * (x - y);
  };
  const Point start{{5, 1}, {1, 2}};
  const SearchOutcome top = simplex_search(ridge, start, Stream(1, 2, 3, 4), 3000, HUGE_VAL);
  CHECK(top.value > -1e-8);
  CHECK(top.evaluations < 3000);
  const SearchOutcome enough = simplex_search(ridge, start, Stream(1, 2, 3, 4), 3000, -1);
  CHECK(enough.value > -1);
  CHECK(enough.evaluations < top.evaluations);
  CHECK(simplex_search(ridge, start, Stream(1, 2, 3, 4), 3, HUGE_VAL).evaluations == 3);
}

TEST_CASE("deeper networks are searched where a bound speaks of the depth") {
  const FalsifyRequest r =
      request("composite-diameter", {.tokens = 2, .dim = 1, .heads = 1, .outputs = 2, .depth = 3}, 400);
  const Finding finding = certify(r, searched(r));
  REQUIRE(finding.network.has_value());
  CHECK(finding.network->blocks.size() == 3);
  CHECK(finding.decision->to == 3);
  CHECK_FALSE(finding.violated());
  CHECK_THROWS_WITH_AS(searched(request("layer-sharp", {.depth = 2}, 10)), doctest::Contains("one layer"),
                       InputError);
}

TEST_CASE("no statement held true is violated by a search") {
  for (const theory::Statement& s : theory::catalogue()) {
    if (s.status != theory::Status::proved || s.bounds.empty() || s.scope.feature != theory::Feature::none)
      continue;
    CAPTURE(s.id);
    const FalsifyRequest r = request(
        s.id.c_str(),
        {.tokens = 3, .dim = 2, .heads = 1, .outputs = 2, .skip = s.scope.skip ? 1 : 0, .mlp = s.scope.mlp},
        400);
    CHECK_FALSE(certify(r, searched(r)).violated());
  }
}

TEST_CASE("a search does not depend on the threads, and one that was stopped goes on as if it had not been") {
  FalsifyRequest r = request("layer-sharp", {.tokens = 3, .dim = 1, .outputs = 2}, 12'000, 7);
  const SearchState whole = searched(r);
  CHECK(whole.evaluations == 12'000);
  r.threads = 3;
  const SearchState threaded = searched(r);
  CHECK(threaded.best.numbers == whole.best.numbers);
  CHECK(threaded.value == whole.value);
  std::string kept;
  search(r, {}, [&](const SearchState& state) {
    kept = search_state_text(r, state);
    return state.rounds < 2;  // interrupted
  });
  const SearchState resumed = search(r, parse_search_state(kept, "kept", r), go_on);
  CHECK(resumed.evaluations == whole.evaluations);
  CHECK(resumed.rounds == whole.rounds);
  CHECK(resumed.best.numbers == whole.best.numbers);

  FalsifyRequest other = r;
  other.seed = 8;
  CHECK_THROWS_WITH_AS(parse_search_state(kept, "kept", other),
                       "kept: belongs to another search: seed is 7 there and 8 here", InputError);
  CHECK_THROWS_AS(parse_search_state("{}", "kept", r), InputError);
  CHECK_THROWS_AS(parse_search_state(kept.substr(0, kept.size() / 2), "kept", r), InputError);
}

TEST_CASE("what is no search is refused") {
  CHECK_THROWS_WITH_AS(searched(request("path-count", {}, 10)), doctest::Contains("no bound on the states"),
                       InputError);
  CHECK_THROWS_AS(searched(request("diameter", {.tokens = 0}, 10)), InputError);
  CHECK_THROWS_WITH_AS(searched(request("diameter", {.tokens = 4096, .dim = 2}, 10)),
                       doctest::Contains("at most 4096"), InputError);
  CHECK_THROWS_WITH_AS(searched(request("layer-cubic", {.heads = 2}, 10)), doctest::Contains("has 2 heads"),
                       InputError);
}

TEST_CASE("text and JSON say what was found, and no more") {
  const FalsifyRequest r = request("diameter", {.tokens = 2, .dim = 1}, 800);
  const Finding finding = certify(r, searched(r));
  CHECK(falsify_text(r, finding).find("no violation found in 800 evaluations (seed 1)") != std::string::npos);
  const auto json = nlohmann::json::parse(falsify_json(r, finding));
  CHECK(json["format"] == "rankfall-falsify/1");
  CHECK(json["violated"] == false);
  CHECK(json["network"]["format"] == "rankfall-network/1");
  CHECK(json["ratio"]["value"].size() == 2);
}

TEST_CASE("the least width at which dong-2.3 breaks") {
  const auto found = least_instance("dong-2.3", 1, 1, [](long) {});
  REQUIRE(found.has_value());
  CHECK(found->size > 65'025);
  CHECK(found->size < 65'100);
  CHECK(found->not_found_at == found->size - 1);
  CHECK(found->refutation.certified);
  CHECK(nlohmann::json::parse(least_instance_json(*found, 1))["size"]["m"] == found->size);
}

TEST_CASE("the least number of tokens at which dong-2.2-v1 breaks in its family") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    CAPTURE(seed);
    const auto found = least_instance("dong-2.2-v1", seed, 8000, [](long) {});
    REQUIRE(found.has_value());
    CHECK(found->size == 3568);
    CHECK(found->not_found_at == 3567);
    CHECK(found->refutation.certified);
  }
}

TEST_CASE("fast arithmetic on the family of dong-2.2-v1 agrees with the certified ratio") {
  const Point point = first_movers();
  for (const long tokens : {500L, 3000L}) {
    CAPTURE(tokens);
    const Precision p(128);
    const theory::Refutation r = theory::against_sharper_family(movers(tokens, point), p);
    const double certified = to_double(sub(r.left.log2(), r.right.log2(), p));
    CHECK(mover_estimate(tokens, point) == doctest::Approx(certified).epsilon(1e-4));
  }
  CHECK(mover_estimate(500, Point{{70, 10, 0.85, 0.2, 0.34, 0.14}, {6}}) == -HUGE_VAL);
}

TEST_CASE("orthogonal outputs lose residual from two columns on") {
  const auto found = least_instance("dong-3.1-orthogonal", 1, 100, [](long) {});
  REQUIRE(found.has_value());
  CHECK(found->size == 2);
  CHECK(found->not_found_at == 1);
  CHECK(found->refutation.certified);
}

TEST_CASE("a table of extremes has a row for each size, the same in every format") {
  const FalsifyRequest r = request("diameter", {}, 600);
  const std::vector<ExtremalRow> rows =
      extremal_rows(r, {{.tokens = 2, .dim = 1}, {.tokens = 2, .dim = 2, .outputs = 2}}, [](std::size_t) {});
  REQUIRE(rows.size() == 2);
  const std::string markdown = extremal_table(r, rows, TableFormat::markdown, 4);
  CHECK(markdown.find("| 2 | 2 | 1 | 2 |") != std::string::npos);
  CHECK(markdown.find("600 evaluations of each size, seed 1") != std::string::npos);
  CHECK(extremal_table(r, rows, TableFormat::csv, 4)
            .starts_with("tokens,dim,heads,outputs,ratio_lo,ratio_hi,violated\n2,1,1,1,"));
  CHECK(extremal_table(r, rows, TableFormat::latex, 4).find("\\toprule") != std::string::npos);
  const auto json = nlohmann::json::parse(extremal_table(r, rows, TableFormat::json, 4));
  CHECK(json["rows"].size() == 2);
  CHECK(json["rows"][1]["network"]["format"] == "rankfall-network/1");
}
