#include "verify/averages.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"

using namespace rankfall;
using namespace rankfall::verify;

TEST_CASE("every average is proved on its instances, and the sampled mean lies in its interval") {
  for (const std::string& id : average_ids()) {
    CAPTURE(id);
    const auto all = confirmations(id, {.samples = 2000});
    CHECK(all.size() >= 5);
    for (const Confirmation& c : all) {
      CAPTURE(c.instance);
      CHECK(c.id == id);
      CHECK(c.verdict == Verdict::proved);
    }
  }
}

TEST_CASE("the interval narrows with the root of the samples and widens with the confidence") {
  const auto width = [](std::uint64_t samples, double confidence) {
    const auto all = confirmations("gaussian-rate", {.samples = samples, .confidence = confidence});
    const Ball& interval = all.back().right;
    REQUIRE(all.back().confidence == confidence);
    return to_double(sub(upper(interval, Precision(64)), lower(interval, Precision(64)), Precision(64)));
  };
  CHECK(width(40'000, 0.99) < 0.6 * width(10'000, 0.99));
  CHECK(width(10'000, 0.999) > 1.1 * width(10'000, 0.99));
}

TEST_CASE("sampled means miss no more often than the confidence allows") {
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    missed +=
        confirmations("gaussian-rate", {.samples = 200, .seed = seed, .confidence = 0.9}).back().verdict !=
        Verdict::proved;
  CHECK(missed <= 15);  // expected below 6; 16 or more has probability below 10^-4
}

TEST_CASE("averages are told in text and JSON, and unknown ids refused") {
  const auto all = confirmations("noci-correlation", {});
  CHECK(averages_text(all).starts_with("noci-correlation\n  proved     4.0026183 = 4.0026183\n"));
  const auto json = nlohmann::json::parse(averages_json(all));
  CHECK(json["format"] == "rankfall-averages/1");
  CHECK(json["confirmations"].size() == all.size());
  CHECK(json["confirmations"][0]["confidence"].is_null());
  CHECK_THROWS_WITH_AS(confirmations("gausian-rate", {}), doctest::Contains("did you mean \"gaussian-rate\""),
                       InputError);
}
