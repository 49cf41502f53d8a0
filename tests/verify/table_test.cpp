#include "verify/table_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/print.hpp"
#include "verify/table_notes.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

TableRequest request(std::initializer_list<const char*> ids, std::map<Constant, std::string> axes) {
  TableRequest result;
  for (const char* id : ids) result.statements.push_back(&theory::find_statement(id));
  result.axes = std::move(axes);
  return result;
}

std::string text(const TableRequest& request, TableFormat format) {
  std::string result;
  write_table(Table(request), format, [&](std::string_view piece) {
    result += piece;
    return true;
  });
  return result;
}

/// The text read exactly, give or take the last of its digits.
Ball written(const std::string& number) {
  const Precision p(2048);
  const Rational value = parse_number(number), last = parse_number("1e-18");
  return hull(Ball(value * (1 - last), p), Ball(value * (1 + last), p), p);
}

}  // namespace

// python3: from mpmath import *; mp.dps = 260; n, k, b, g, r = 1000, mpf(7), mpf(3)/10, mpf(5)/4, mpf(1)/3
// for L in (1,2,5,12,60,400): E = (mpf(3)**L-1)/2; R = mpf(3)**L*log10(r); print(*[nstr(x, 20) for x in (
//   log10(sqrt(mpf(n)-1)) + E*log10(b/(2*sqrt(k))) + R, E*log10(4*b/sqrt(k)) + R, E*log10(4*g*b/sqrt(k)) +
//   R)])
TEST_CASE("bounds are those of an independent computation at any depth") {
  const std::vector<std::array<std::string, 4>> expected = {
      {"1", "-1.1780387809974433308", "-1.7747315381184908995", "-1.6778215251104344852"},
      {"2", "-7.7801395921697594744", "-5.6675623883149762862", "-5.2799223362827506288"},
      {"5", "-265.26207122789008907", "-157.48796554597790637", "-145.76185397200308023"},
      {"12", "-584769.05318674655523", "-344801.48162599141864", "-319050.55296949066822"},
      {"60", "-4.6645116739223156556e28", "-2.7503601451553945098e28", "-2.5449537601615054799e28"},
      {"400", "-7.7630572510230387188e190", "-4.5773716007917000995e190", "-4.2355176966953724332e190"}};
  TableRequest asked =
      request({"composite-diameter", "dong-2.2-v1", "dong-2.2"}, {{Constant::depth, "1,2,5,12,60,400"},
                                                                  {Constant::tokens, "1000"},
                                                                  {Constant::d_qk, "7"},
                                                                  {Constant::beta, "0.3"},
                                                                  {Constant::gamma, "5/4"},
                                                                  {Constant::residual, "1/3"}});
  asked.digits = 15;
  std::size_t line = 0;
  Table(asked).for_each([&](const TableRow& row) {
    REQUIRE(to_text(row.values[0]) == expected[line][0]);
    for (std::size_t i = 0; i < 3; ++i) {
      const Ball log10 = row.bounds[i].log10(Precision(256));
      CHECK(overlap(log10, written(expected[line][i + 1])));
      CHECK(relative_accuracy_bits(log10) > 60);
    }
    ++line;
    return true;
  });
  CHECK(line == expected.size());
}

TEST_CASE("a Markdown table rounds what it shows and names what it does not") {
  CHECK(text(request({"composite-diameter", "dong-2.2-v1"}, {{Constant::depth, "1,2,5,12,60,400"},
                                                             {Constant::tokens, "1000"},
                                                             {Constant::d_qk, "7"},
                                                             {Constant::beta, "0.3"},
                                                             {Constant::residual, "1/3"}}),
             TableFormat::markdown) ==
        "tokens 1000, heads 1, d_qk 7, beta 0.3, residual 1/3\n\n"
        "| depth | composite-diameter | dong-2.2-v1 | dong-2.2-v1 / composite-diameter, decades |\n"
        "|---:|---:|---:|---:|\n"
        "| 1 | 0.0663684 | 0.0167984 | -0.596693 |\n"
        "| 2 | 1.65905e-8 | 2.15e-6 | 2.11258 |\n"
        "| 5 | 5.46926e-266 | 3.25113e-158 | 107.774 |\n"
        "| 12 | 10^(-584769) | 10^(-344801) | 239968 |\n"
        "| 60 | 10^(-4.66451e28) | 10^(-2.75036e28) | 1.91415e28 |\n"
        "| 400 | 10^(-7.76306e190) | 10^(-4.57737e190) | 3.18569e190 |\n"
        "\n"
        "- composite-diameter (proved): sqrt(n - 1)*(beta*H/(2*sqrt(d_qk)))^((3^L - 1)/2)*r0^(3^L); beta "
        "stands for a "
        "bound of sqrt(beta_1 beta_inf), beta_p the largest |W_QK|_1 |W_h|_p of all heads; for one head in "
        "every layer "
        "|W_QK|_1 |W|_{1,inf} serves\n"
        "- dong-2.2-v1 (refuted): (4*beta/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)\n"
        "- composite-diameter is at most dong-2.2-v1 exactly when n <= 1 + 8^(3^L - 1) (L = 1: 65, L = 2: "
        "16777217)\n");
}

TEST_CASE("JSON and CSV hold outward-rounded ends") {
  const TableRequest asked = request(
      {"dong-2.2-v1"}, {{Constant::depth, "2:3"}, {Constant::beta, "0.1"}, {Constant::residual, "1/3"}});
  const auto json = nlohmann::json::parse(text(asked, TableFormat::json));
  CHECK(json["format"] == "rankfall-table/1");
  REQUIRE(json["rows"].size() == 2);
  const auto& row = json["rows"][0];
  CHECK(row["statement"] == "dong-2.2-v1");
  CHECK(row["depth"] == 2);
  CHECK(row["d_qk"] == 16);
  CHECK(row["beta"] == "0.1");
  CHECK(row["residual"] == "1/3");
  // 0.1^4 (1/3)^9
  theory::Environment values;
  const Magnitude exact(power(Rational(1, 10), 4) * power(Rational(1, 3), 9), Precision(256));
  const Ball log10 = exact.log10(Precision(256));
  const auto& ends = row["bound"]["log10"];
  const Ball low(parse_number(ends[0].get<std::string>()), Precision(256)),
      high(parse_number(ends[1].get<std::string>()), Precision(256));
  CHECK(certainly_less_equal(low, log10));
  CHECK(certainly_less_equal(log10, high));
  CHECK(certainly_less(sub(high, low, Precision(64)), Ball(1e-6)));
  CHECK(text(asked, TableFormat::csv)
            .starts_with("depth,tokens,dim,heads,d_qk,beta,gamma,lambda,residual,"
                         "log10_dong-2.2-v1_lo,log10_dong-2.2-v1_hi\n"
                         "2,16,16,1,16,0.1,1,1,1/3,"));
}

TEST_CASE("at the threshold C r0^2 = 1 the bound is r0 at every depth, to the last digit") {
  Table(request({"dong-2.2-v1"}, {{Constant::depth, "1,12,400"},
                                  {Constant::d_qk, "16"},
                                  {Constant::beta, "9"},
                                  {Constant::residual, "1/3"}}))
      .for_each([&](const TableRow& row) {
        CHECK(number_text(row.bounds[0], 12, false) == "0.333333333333");
        return true;
      });
}

TEST_CASE("near the threshold, where the powers nearly cancel, every digit is certain all the same") {
  // 4 beta / sqrt(d_qk) = beta = (1 - 10^-40) / r0^2: the bound is r0 (1 - 10^-40)^((3^L - 1)/2)
  const Rational nearly = 1 - parse_number("1e-40");
  TableRequest asked = request({"dong-2.2-v1"}, {{Constant::depth, "5000"},
                                                 {Constant::d_qk, "16"},
                                                 {Constant::beta, to_text(nearly * 9)},
                                                 {Constant::residual, "1/3"}});
  asked.digits = 15;
  Integer three_to_depth = 1;
  for (int i = 0; i < 5000; ++i) three_to_depth *= 3;
  const Precision p(10000);
  const Ball expected =
      sub(mul(Ball(Rational((three_to_depth - 1) / 2), p), log(Ball(nearly, p), p), p), log(Ball(3L), p), p);
  Table(asked).for_each([&](const TableRow& row) {
    const Ball log10 = row.bounds[0].log10(Precision(256));
    CHECK(overlap(mul(log10, log(Ball(10L), p), p), expected));
    CHECK(relative_accuracy_bits(log10) > 60);
    return true;
  });
}

TEST_CASE("equal bounds have a ratio of exactly one at every depth") {
  Table(request({"dong-2.2-v1", "dong-2.2"}, {{Constant::depth, "1,400"}, {Constant::d_qk, "7"}}))
      .for_each([&](const TableRow& row) {
        CHECK(is_zero(row.ratios[1]->log10(Precision(64))));
        return true;
      });
}

TEST_CASE("the grouped form is the bound, and the bound the statement's own where that is closed") {
  for (const theory::Statement& s : theory::catalogue()) {
    if (!closed_form(s)) continue;
    CAPTURE(s.id);
    theory::Environment values;
    for (const auto& [name, value] : {std::pair{"L", 3},
                                      {"n", 26},
                                      {"H", 2},
                                      {"d_qk", 4},
                                      {"beta", 3},
                                      {"gamma", 5},
                                      {"lambda", 7},
                                      {"r0", 2}})
      values.set(name, Rational(value));
    const Precision p(256);
    const Magnitude bound = evaluate(closed_form(s)->bound(), values, p),
                    grouped = evaluate(closed_form(s)->grouped(), values, p);
    CHECK(overlap(bound, grouped));
    CHECK(relative_accuracy_bits(grouped.log2()) > 200);
    if (s.id.starts_with("dong-2.") && !s.id.starts_with("dong-2.3-repaired"))
      CHECK(overlap(bound, evaluate(s.bounds.front().right, values, p)));
  }
}

TEST_CASE("equal layers chain to the closed form") {
  // sum_h a_h |W_h|_p = H beta/sqrt(d_qk) for heads that are all alike
  for (const char* id :
       {"composite-diameter", "dong-2.3-repaired", "dong-2.3-repaired-sharp", "dong-3.2-repaired"}) {
    CAPTURE(id);
    const theory::Statement& s = theory::find_statement(id);
    theory::Environment values;
    const Rational beta(3, 10), lambda(3, 2);
    const long heads = 2, depth = 3;
    values.set("L", Rational(depth))
        .set("n", Rational(26))
        .set("H", Rational(heads))
        .set("d_qk", Rational(4));
    values.set("beta", beta).set("lambda", lambda).set("r0", Rational(1, 3));
    for (long l = 0; l < depth; ++l) {
      values.set("lambda", {l}, lambda);
      for (long h = 1; h <= heads; ++h)
        values.set("a", {l, h}, Rational(beta / 2))
            .set("W_1", {l, h}, Rational(1))
            .set("W_inf", {l, h}, Rational(1));
    }
    const Precision p(256);
    const Magnitude chained = evaluate(s.bounds.back().right, values, p),
                    closed = evaluate(closed_form(s)->bound(), values, p);
    CHECK(overlap(chained, closed));
    CHECK(relative_accuracy_bits(closed.log2()) > 200);
  }
}

TEST_CASE("crossings are found from the constants, and the bounds are equal there") {
  const theory::Statement& ours = theory::find_statement("composite-diameter");
  const auto limit = [&](const char* id) { return crossing(ours, theory::find_statement(id)); };
  const std::vector<std::string> notes =
      Table(request({"composite-diameter", "dong-2.2-v1", "dong-2.2"}, {})).notes();
  REQUIRE(notes.size() == 5);
  CHECK(notes[3] ==
        "composite-diameter is at most dong-2.2-v1 exactly when n <= 1 + 8^(3^L - 1) "
        "(L = 1: 65, L = 2: 16777217)");
  CHECK(notes[4] == "composite-diameter is at most dong-2.2 exactly when n <= 1 + (8*gamma)^(3^L - 1)");
  CHECK_FALSE(crossing(theory::find_statement("dong-2.2"), ours).has_value());
  REQUIRE(limit("dong-2.3-v1").has_value());
  for (const std::string tokens : {"65", "16777217"}) {
    const std::string depth = tokens == "65" ? "1" : "2";
    Table(request({"composite-diameter", "dong-2.2-v1"},
                  {{Constant::depth, depth}, {Constant::tokens, tokens}}))
        .for_each([&](const TableRow& row) {
          CHECK(is_zero(row.ratios[1]->log10(Precision(64))));
          return true;
        });
  }
}

TEST_CASE("axes are exact values, lists and ranges") {
  const AxisRange reals{false, Rational(1, 100), 100, "numbers"};
  const Axis axis("beta", "0.1,1/3,1:2:0.25", reals);
  REQUIRE(axis.size() == 7);
  std::vector<std::string> values;
  for (long i = 0; i < 7; ++i) values.push_back(to_text(axis.at(i)));
  CHECK(values == std::vector<std::string>{"0.1", "1/3", "1", "1.25", "1.5", "1.75", "2"});
  CHECK(Axis("depth", "1:10:4", {true, 1, 100, "integers"}).size() == 3);
}

TEST_CASE("what makes no table is refused with what is allowed") {
  const auto refused = [](std::map<Constant, std::string> axes, const char* part) {
    CAPTURE(part);
    CHECK_THROWS_WITH_AS(Table(request({"dong-2.2"}, std::move(axes))), doctest::Contains(part), InputError);
  };
  refused({{Constant::depth, "0"}}, "--depth: \"0\" is out of range; allowed are integers from 1 to 100000");
  refused({{Constant::depth, "-3"}}, "--depth: \"-3\" is out of range");
  refused({{Constant::depth, "1.5"}}, "--depth: \"1.5\" is out of range; allowed are integers");
  refused({{Constant::depth, "5:1"}}, "runs backwards");
  refused({{Constant::depth, "1:9:0"}}, "has a step that is no integer above 0");
  refused({{Constant::depth, "1:2:3:4"}}, "is no range");
  refused({{Constant::depth, "1,,2"}}, "is empty");
  refused({{Constant::beta, "0"}}, "--beta: \"0\" is out of range; allowed are numbers above 0");
  refused({{Constant::beta, "-1"}}, "--beta");
  refused({{Constant::beta, "x"}}, "--beta");
  refused({{Constant::d_qk, "0"}}, "--d-qk: \"0\" is out of range; allowed are integers from 1");
  refused({{Constant::tokens, "2:1000000001"}, {Constant::depth, "1"}},
          "the table would have 1000000000 rows; allowed are 1 to 10000000");
  refused({{Constant::heads, "2"}}, "dong-2.2 is stated for one head; allowed is 1");
  CHECK_THROWS_WITH_AS(Table(request({"dong-2.3"}, {{Constant::heads, "3"}})),
                       doctest::Contains("dim 16 is not a multiple of 3 heads"), InputError);
  CHECK_THROWS_WITH_AS(Table(request({"diameter"}, {})), doctest::Contains("composite-diameter"), InputError);
}

TEST_CASE("path tables show the exact distribution of one network and the summary of several") {
  const std::vector<PathRow> one = {{"", theory::path_count(2, 2)}};
  CHECK(path_table(one, TableFormat::markdown, 4) ==
        "| model | heads | depth | mean length | share of full length | mode | paths |\n"
        "|---:|---:|---:|---:|---:|---:|---:|\n"
        "| 2 heads, 2 layers | 2 | 2 | 1.333 | 0.4444 | 1 and 2 | 9 |\n"
        "\n"
        "| length | paths | share |\n"
        "|---:|---:|---:|\n"
        "| 0 | 1 | 0.1111 |\n"
        "| 1 | 4 | 0.4444 |\n"
        "| 2 | 4 | 0.4444 |\n");
  CHECK(path_table(one, TableFormat::csv, 4) ==
        "model,heads,depth,length,paths,total\n,2,2,0,1,9\n,2,2,1,4,9\n,2,2,2,4,9\n");
  const auto json = nlohmann::json::parse(path_table(one, TableFormat::json, 4))["rows"][0];
  CHECK(json["mean"] == "4/3");
  CHECK(json["of_length"] == nlohmann::json({"1", "4", "4"}));
  // THEORY: GPT-3 has mean 95.0103 and share 0.3698; log10 of the total 190.7301
  const theory::PathModel& gpt = theory::find_path_model("gpt-3");
  CHECK(path_table({{"GPT-3", theory::path_count(gpt.heads, gpt.depth)}}, TableFormat::markdown, 4)
            .find("| GPT-3 | 96 | 96 | 95.01 | 0.3698 | 95 and 96 | 5.371e190 |") != std::string::npos);
}
