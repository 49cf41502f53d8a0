#include "verify/precision.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "numerics/errors.hpp"
#include "numerics/san/generate.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

const PrecisionRow& row(const PrecisionStudy& study, const char* arithmetic, Form form, long bits = 0) {
  const auto found = std::ranges::find_if(study.rows, [&](const PrecisionRow& r) {
    return r.arithmetic == arithmetic && r.form == form && (bits == 0 || r.bits == bits);
  });
  REQUIRE(found != study.rows.end());
  return *found;
}

}  // namespace

TEST_CASE("naive arithmetic gives wrong verdicts, the residual in double and balls do not") {
  GenerateSpec spec;
  spec.depth = 6;
  const PrecisionStudy study = study_precision(generate(spec), {{64, 256}, false});

  const PrecisionRow& single = row(study, "float32", Form::naive);
  CHECK(single.refutes == 4);
  CHECK(single.decades > 8);
  CHECK(single.decades < 9);
  CHECK(single.vanishes == 5);
  CHECK(single.blind == 4);
  CHECK(single.digits[1] > 4);
  CHECK_FALSE(single.seconds.has_value());
  const PrecisionRow& twice = row(study, "double", Form::naive);
  CHECK(twice.refutes == 4);
  CHECK(twice.decades > 1);
  CHECK(row(study, "bf16", Form::naive).blind <= 3);

  for (const char* arithmetic : {"double", "long double", "double-double", "cpp_bin_float", "mpfr"}) {
    const PrecisionRow& residual = row(study, arithmetic, Form::residual);
    CHECK_FALSE(residual.refutes.has_value());
    CHECK_FALSE(residual.vanishes.has_value());
    CHECK(residual.digits.back() > 10);
  }
  for (const PrecisionRow& r : study.rows) {
    if (r.encloses) CHECK_FALSE(r.refutes.has_value());
    CHECK(r.digits.size() == 7);
  }
  for (const auto& [enclosing, few, many] : {std::tuple{"ball", 64, 256}, {"mpfi", 65, 257}}) {
    CHECK(row(study, enclosing, Form::naive, few).encloses);
    CHECK_FALSE(row(study, enclosing, Form::residual, many).undecided.has_value());
    CHECK(row(study, enclosing, Form::naive, few).undecided == 4);
  }
}

TEST_CASE("the bits that a direct evaluation needs are those that the enclosures predict") {
  GenerateSpec spec;
  spec.depth = 6;
  const PrecisionStudy study = study_precision(generate(spec), {{64}, false});
  REQUIRE(study.needs.size() == 6);
  for (const DepthNeed& need : study.needs) {
    REQUIRE(need.direct.has_value());
    CHECK(std::abs(*need.direct - need.predicted) <= 8);
    REQUIRE(need.residual.has_value());
    CHECK(*need.residual <= 8 * static_cast<long>(need.depth) + 16);
  }
  CHECK(study.needs.back().predicted > 500);
}

TEST_CASE("CSV and JSON hold every row; what cannot be studied is refused") {
  GenerateSpec spec;
  spec.depth = 2;
  const PrecisionStudy study = study_precision(generate(spec), {{64}, true});
  CHECK(std::ranges::all_of(study.rows, [](const PrecisionRow& r) { return r.seconds && *r.seconds > 0; }));
  const auto json = nlohmann::json::parse(precision_text(study, PrecisionFormat::json));
  CHECK(json["format"] == "rankfall-precision/1");
  CHECK(json["rows"].size() == study.rows.size());
  CHECK(json["bits"][1]["depth"] == 2);
  const std::string csv = precision_text(study, PrecisionFormat::csv);
  CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == 1 + 3 * study.rows.size());
  spec.depth = 65;
  CHECK_THROWS_AS(study_precision(generate(spec), {}), InputError);
}

TEST_CASE("tokens that are equal are seen as equal by every arithmetic") {
  Network network = generate(GenerateSpec{});
  network.blocks.resize(2);
  network.input = ExactMatrix::from(3, 16, std::vector<double>(48, 0.5));
  const PrecisionStudy study = study_precision(network, {{64}, false});
  for (const PrecisionRow& r : study.rows) {
    CHECK_FALSE(r.refutes.has_value());
    CHECK_FALSE(r.vanishes.has_value());
    if (r.form == Form::residual) CHECK_FALSE(r.undecided.has_value());  // balls on tokens cannot tell
  }
}

TEST_CASE("figures draw every kind of number once, in each form, and the bits of every depth") {
  GenerateSpec spec;
  spec.depth = 3;
  const PrecisionStudy study = study_precision(generate(spec), {{64, 128}, false});
  const std::vector<Figure> figures = precision_figures(study);
  REQUIRE(figures.size() == 3);
  CHECK(figures[0].name == "precision-naive");
  CHECK(figures[1].name == "precision-residual");
  CHECK(figures[2].name == "precision-bits");
  for (const Figure& figure : {figures[0], figures[1]})
    for (const char* label : {"# bf16\n", "# cpp_bin_float\n", "# mpfr 128\n", "# ball 128\n"})
      CHECK_MESSAGE(figure.data.find(label) != std::string::npos, label);
  CHECK(figures[0].data.find("ball 64") == std::string::npos);
  const std::string depth_3 = fmt::format("\n3 {} ", *study.needs[2].residual);
  CHECK_MESSAGE(figures[2].data.find(depth_3) != std::string::npos, depth_3);
}
