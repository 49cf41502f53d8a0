#include "verify/architectures.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "numerics/san/preset.hpp"
#include "numerics/san/surgery.hpp"
#include "tests/verify/networks.hpp"
#include "verify/architectures_output.hpp"
#include "verify/check.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

Subject bert(std::uint64_t seed) {
  PresetSpec spec{"bert-base", 4, 8, 2, 2, seed};
  Subject subject{"bert-base", seed, generate(spec), {}};
  subject.inputs = {subject.network.input};
  return subject;
}

std::vector<Profile> profiles_of(std::vector<Subject> subjects, const ArchitectureOptions& options = {}) {
  return profiles({subjects.size(), [&](std::size_t i) { return subjects[i]; }}, options);
}

const Profile& of(const std::vector<Profile>& all, Parts parts) {
  return *std::find_if(all.begin(), all.end(), [&](const Profile& p) { return p.parts == parts; });
}

}  // namespace

TEST_SUITE("architectures") {
  TEST_CASE("the relative residual is that of check, at the ends of layers") {
    const Subject subject = bert(3);
    const auto all = profiles_of({subject});
    REQUIRE(all.size() == 4);
    CheckOptions options;
    options.statements = {"path-count"};
    const CheckResult whole = check(subject.network, options);
    // input, embedding norm, then attention, norm, mlp, norm twice
    const Profile& profile = of(all, Parts::whole);
    REQUIRE(profile.layers.size() == 3);
    for (std::size_t layer = 0; layer < 3; ++layer)
      CHECK(overlap(profile.layers[layer].mean, whole.states[1 + 4 * layer].relative.log10(Precision(128))));

    const Network bare = operated(subject.network, surgery({"skip", "mlp", "layernorm"}));
    const CheckResult attention = check(bare, options);
    const Profile& alone = of(all, Parts::attention);
    REQUIRE(alone.layers.size() == 3);
    for (std::size_t layer = 0; layer < 3; ++layer)
      CHECK(overlap(alone.layers[layer].mean, attention.states[layer].relative.log10(Precision(128))));
  }

  TEST_CASE("mean, least and greatest are over all runs") {
    const auto one = profiles_of({bert(1)}), two = profiles_of({bert(2)}),
               both = profiles_of({bert(1), bert(2)});
    constexpr Precision p(128);
    for (std::size_t i = 0; i < both.size(); ++i)
      for (std::size_t layer = 0; layer < both[i].layers.size(); ++layer) {
        const Spread& spread = both[i].layers[layer];
        const Ball &a = one[i].layers[layer].mean, &b = two[i].layers[layer].mean;
        CHECK(spread.runs == 2);
        CHECK(overlap(spread.mean, scale(add(a, b, p), -1L)));
        CHECK(overlap(spread.least, min(a, b, p)));
        CHECK(overlap(spread.greatest, max(a, b, p)));
      }
  }

  TEST_CASE("models stand apart") {
    Subject other = bert(1);
    other.name = "other";
    const auto all = profiles_of({bert(1), other});
    REQUIRE(all.size() == 8);
    CHECK(all[3].model == "bert-base");
    CHECK(all[4].model == "other");
    CHECK(all[4].parts == Parts::attention);
    const auto figures = architecture_figures(all, 4, "2 runs");
    REQUIRE(figures.size() == 2);
    CHECK(figures[1].name == "architectures-other");
  }

  TEST_CASE("one token has a relative residual of exactly zero") {
    Subject subject = bert(1);
    subject.network.input = ExactMatrix::from(1, 8, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
    subject.inputs = {subject.network.input};
    const auto all = profiles_of({subject});
    for (const Profile& profile : all)
      for (const Spread& spread : profile.layers) CHECK(spread.zeros == 1);
    CHECK(architectures_markdown(all, 4).find("| 0 | exactly 0 | exactly 0 | exactly 0 | exactly 0 |") !=
          std::string::npos);
    CHECK(architectures_csv(all, 4).find("bert-base,whole,0,1,1,-inf,-inf,-inf,-inf,-inf,-inf\n") !=
          std::string::npos);
  }

  TEST_CASE("what the texts say encloses what was computed") {
    const auto all = profiles_of({bert(1), bert(2)});
    const auto json = nlohmann::json::parse(architectures_json(all, 6));
    CHECK(json["format"] == "rankfall-architectures/1");
    REQUIRE(json["profiles"].size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(json["profiles"][i]["parts"] == name(all[i].parts));
      for (std::size_t layer = 0; layer < all[i].layers.size(); ++layer) {
        const auto& ends = json["profiles"][i]["layers"][layer]["least"]["log10"];
        const double low = std::stod(ends[0].get<std::string>()),
                     high = std::stod(ends[1].get<std::string>());
        const double value = to_double(all[i].layers[layer].least);
        CHECK(low <= value);
        CHECK(value <= high);
        CHECK(high - low <= 1e-6 * std::max(1.0, std::abs(value)));
      }
    }
  }

  TEST_CASE("a precision limit that does not suffice is said") {
    ArchitectureOptions options;
    options.digits = 40;
    options.max_bits = 96;
    for (const Profile& profile : profiles_of({bert(1)}, options)) CHECK_FALSE(profile.narrow);
    options.max_bits = 512;
    for (const Profile& profile : profiles_of({bert(1)}, options)) CHECK(profile.narrow);
  }
}
