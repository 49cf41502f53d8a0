#include "verify/search/falsify.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/search/falsify_text.hpp"
#include "verify/search/least_size.hpp"
#include "verify/search/search_state.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

FalsifyRequest request(const char* id, Shape shape, std::uint64_t evaluations, std::uint64_t seed = 1) {
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
