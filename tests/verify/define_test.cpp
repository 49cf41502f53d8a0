#include "verify/define.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "numerics/san/generate.hpp"
#include "tests/verify/networks.hpp"
#include "theory/closed_form.hpp"
#include "theory/expression/parse.hpp"
#include "verify/check.hpp"
#include "verify/check_json.hpp"
#include "verify/explain.hpp"
#include "verify/grid.hpp"
#include "verify/table.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

theory::Statements defined(std::string_view text) {
  theory::Statements known;
  define(known, text, "my.toml");
  return known;
}

/// What is said of a file with this bound, whose other keys are sound.
std::string complaint_about(const std::string& lines) {
  const bool bounded = lines.find("at_") != std::string::npos;
  try {
    defined("[[bound]]\n" + lines + "\nname = \"mine\"\nquantity = \"residual\"\n" +
            (bounded ? "" : "at_most = \"r0\"\n"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string complaint(std::string_view text) {
  try {
    defined(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The decisions on the two tokens of docs/theory (a = 1, w = 0.1, v = 1), residual sqrt 2 to 0.140952.
std::vector<Decision> decisions(CheckOptions& options, const std::string& lines, int depth = 1) {
  options.known = defined("[[bound]]\nname = \"mine\"\n" + lines);
  options.statements = {"mine"};
  return check(test::scalar_model("1", "0.1", "1", depth), options).decisions;
}

Decision decision(CheckOptions& options, const std::string& lines) {
  const std::vector<Decision> all = decisions(options, lines);
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("a bound of one's own is decided like those of the catalogue") {
  CheckOptions options;
  // 0.140952 <= C * 2.828427 holds from C = 0.0498340 on: one eighth of the paper's 0.4.
  const Decision holds =
      decision(options,
               "quantity = \"residual\"\neach = \"layer\"\nat_most = \"C*r0^3\"\nconstant = \"C\"\n"
               "where = { C = \"beta*s/2\", s = \"1\" }\n");
  CHECK(holds.verdict == Verdict::proved);
  CHECK(holds.claim() == theory::Status::open);
  CHECK(to_double(holds.looseness->high) == doctest::Approx(0.0996679946249558 / 0.1).epsilon(1e-12));
  CHECK(holds.reference == "minimal");
  const Decision fails = decision(options, "quantity = \"residual\"\nat_most = \"0.0498*r0^3\"\n");
  CHECK(fails.verdict == Verdict::refuted);
  const Decision below = decision(options, "quantity = \"diameter-inf\"\nat_least = \"0.199*diam_inf/2\"\n");
  CHECK(below.verdict == Verdict::proved);
  CHECK(below.reference.empty());
  options.gammas = {{theory::Gamma::Kind::one, 1}};
  const Decision at_reference =
      decision(options, "quantity = \"residual\"\nat_most = \"gamma*r0\"\nhypotheses = [\"rho <= 1.256\"]\n");
  CHECK(at_reference.verdict == Verdict::proved);
  CHECK(at_reference.reference == "mean");
  CHECK(at_reference.hypotheses.front().holds == true);
}

TEST_CASE("depth bounds are decided at every prefix, with the constants of each layer") {
  CheckOptions options;
  const auto all = decisions(options,
                             "quantity = \"residual\"\n"
                             "at_most = \"prod(l, 0, L - 1, C[l]^(3^(L - 1 - l)))*r0^(3^L)\"\n"
                             "where = { \"C[l]\" = \"sum(h, 1, H, a[l,h]*W_c[l,h])/2\" }\n",
                             3);
  REQUIRE(all.size() == 3);
  for (const Decision& d : all) CHECK(d.verdict == Verdict::proved);
  CHECK(all.back().depth == 3);
}

TEST_CASE("hypotheses that fail, also signed ones, make a bound inapplicable") {
  CheckOptions options;
  const Decision d = decision(options,
                              "quantity = \"residual\"\nat_most = \"r0\"\n"
                              "hypotheses = [\"beta - 1 <= -0.5\", \"beta >= 0.2\"]\n");
  CHECK(d.verdict == Verdict::inapplicable);
  REQUIRE(d.hypotheses.size() == 2);
  CHECK(d.hypotheses[0].holds == true);
  CHECK(d.hypotheses[1].holds == false);
  CheckResult result;
  result.decisions = {d};
  const auto json = nlohmann::json::parse(check_json(result, {"f", ""}, "residual", 6));
  CHECK(json["statements"][0]["hypotheses"][0]["value"]["value"][0].get<std::string>().starts_with("-0.9"));
  CHECK(json["statements"][0]["reason"] ==
        "hypothesis beta >= 0.2 is not certified at any admissible reference");
}

TEST_CASE("where the residual is known between two bounds only, a bound may rise or fall with it") {
  GenerateSpec spec;
  spec.tokens = 6;
  spec.dim = 4;
  spec.depth = 1;
  const Network network = generate(spec);
  CheckOptions options;
  options.known = defined(
      "[[bound]]\nname = \"falls\"\nquantity = \"residual\"\nat_most = \"1/r0\"\n"
      "[[bound]]\nname = \"rises\"\nquantity = \"residual\"\nat_most = \"r0\"\n"
      "[[bound]]\nname = \"negative\"\nquantity = \"residual\"\nat_most = \"-r0\"\n");
  options.statements = {"falls", "rises", "negative"};
  const CheckResult result = check(network, options);
  const Bracket& start = result.states.front().minimal;
  REQUIRE(certainly_less(start.lower, start.upper));
  const Decision &falls = result.decisions[0], &rises = result.decisions[1], &negative = result.decisions[2];
  const Precision p(128);
  const Magnitude one(Rational(1), p);
  CHECK(certainly_less_equal(falls.right.lower, div(one, start.upper, p)));
  CHECK(certainly_less_equal(div(one, start.lower, p), falls.right.upper));
  CHECK(certainly_less(falls.right.lower, falls.right.upper));
  CHECK(certainly_less_equal(rises.right.lower, start.lower));
  CHECK(certainly_less_equal(start.upper, rises.right.upper));
  CHECK(negative.verdict == Verdict::refuted);
  CHECK(check_json(result, {"f", ""}, "residual", 6).find("\"-inf\"") != std::string::npos);
}

TEST_CASE("what a bound names says on which networks it speaks") {
  const auto known = defined(R"(
[[bound]]
name = "skips"
quantity = "diameter-2"
each = "layer"
at_most = "(alpha + rate_2)*diam_2"
[[bound]]
name = "mlps"
quantity = "residual"
at_most = "lambda*r0"
[[bound]]
name = "one"
heads = 1
quantity = "residual-about-reference"
each = "layer"
at_most = "beta/sqrt(d_qk)*r0^3"
)");
  CHECK(known.find("skips").scope.skip);
  CHECK(known.find("skips").references == theory::References::none);
  CHECK(known.find("mlps").scope.mlp);
  CHECK(known.find("one").scope.one_head);
  CHECK(known.find("one").scope.common_d_qk);
  CHECK(known.find("one").references == theory::References::propagated);
  CHECK(explain(known.find("one"), ExplainFormat::text).find("proof       none") != std::string::npos);
  CHECK(explain_all(known, ExplainFormat::text).find("\nmlps ") != std::string::npos);
  const Grid grid = parse_grid("statements = [\"skips\"]\ndepth = 1\n", "grid.toml", known);
  CHECK(&grid.options.known.find("skips") == &known.find("skips"));
}

TEST_CASE("a bound of one's own in scalar constants has a closed form for tables, another has none") {
  const auto known = defined(R"toml(
[[bound]]
name = "scalar"
quantity = "residual"
at_most = "sqrt(n)*(beta*H)^((3^L - 1)/2)*r0^(3^L)"
constant = "beta*H"
prefactor = "sqrt(n)"
[[bound]]
name = "heads"
quantity = "residual"
at_most = "a^((3^L - 1)/2)*r0^(3^L)"
constant = "a"
)toml");
  const auto form = theory::closed_form(known.find("scalar"));
  REQUIRE(form.has_value());
  CHECK(form->constant == theory::parse("beta*H"));
  CHECK(form->prefactor == theory::parse("sqrt(n)"));
  CHECK_FALSE(theory::closed_form(known.find("heads")).has_value());
}

TEST_CASE("a bound in the constants of a table is tabulated as it stands, with its ratio to others") {
  const theory::Statements known = defined(
      "[[bound]]\nname = \"mine\"\nquantity = \"residual\"\nat_most = \"beta*r0^3/L\"\n"
      "[[bound]]\nname = \"measured\"\nquantity = \"residual\"\nat_most = \"W_1[1]*r0\"\n"
      "[[bound]]\nname = \"undefined\"\nquantity = \"residual\"\nat_most = \"r0/(L - 2)\"\n");
  TableRequest request;
  request.statements = {&known.find("mine"), &known.find("dong-2.2-v1")};
  request.axes = {
      {Constant::depth, "1,2"}, {Constant::beta, "1/2"}, {Constant::residual, "1/2"}, {Constant::d_qk, "16"}};
  const auto rows = [&] {
    std::vector<TableRow> all;
    Table(request).for_each([&](const TableRow& row) {
      all.push_back(row);
      return true;
    });
    return all;
  };
  const std::vector<TableRow> table = rows();
  const Precision p(128);
  CHECK(contains(table.at(1).bounds[0].to_ball(p), Rational(1, 32)));
  // dong-2.2-v1 at L = 2: (1/2)^4 (1/2)^9
  CHECK(contains(table.at(1).ratios[1]->to_ball(p), Rational(32, 8192)));
  request.statements = {&known.find("measured")};
  CHECK_THROWS_WITH_AS(Table{request},
                       "my.toml: line 6: measured names W_1, which only a network has; a table takes L, n, "
                       "d, H, d_qk, beta, gamma, lambda and r0",
                       InputError);
  request.statements = {&known.find("undefined")};
  CHECK_THROWS_WITH_AS(rows(), doctest::Contains("my.toml: undefined at depth 2: division by zero"),
                       InputError);
}

TEST_CASE("where a formula is undefined no precision is asked for; a side below zero is written as it is") {
  CheckOptions options;
  const auto undefined = decisions(options, "quantity = \"residual\"\nat_most = \"r0/(L - 1)\"\n", 2);
  CHECK(undefined[0].verdict == Verdict::inapplicable);
  CHECK(undefined[0].reason.starts_with("undefined here: division by zero"));
  CHECK(undefined[1].verdict != Verdict::inapplicable);
  for (const char* formula : {"sqrt(0 - 1)*r0", "log(0)*r0", "exp(exp(exp(exp(100))))*r0", "r0*0^(0 - 1)"})
    CHECK(complaint_about(std::string("at_most = \"") + formula + "\"").find("undefined: ") !=
          std::string::npos);
  options.statements.clear();
  const CheckResult negative = [&] {
    options.known = defined("[[bound]]\nname = \"mine\"\nquantity = \"residual\"\nat_most = \"-r0\"\n");
    options.statements = {"mine"};
    return check(test::scalar_model("1", "0.1", "1", 1), options);
  }();
  const auto json = nlohmann::json::parse(check_json(negative, {"file", "sum"}, "residual", 6));
  CHECK(json["statements"][0]["verdict"] == "refuted");
  CHECK(json["statements"][0]["right"]["value"][0].get<std::string>().starts_with("-1.41421"));
}

TEST_CASE("mistakes are named with file and line") {
  CHECK(complaint_about("at_most = \"4*bet*r0\"") ==
        "my.toml: line 2: at_most: unknown symbol 'bet'; did you mean 'beta'?");
  CHECK(complaint_about("at_most = \"4*beta**r0\"") ==
        "my.toml: line 2: at_most: column 8: expected a number, a symbol, a function or '(', found '*'");
  CHECK(complaint_about("at_most = 3") == "my.toml: line 2: at_most: a string is expected");
  CHECK(complaint_about("at_most = \"a[1,2,3]\"") ==
        "my.toml: line 2: at_most: a[1,2,3] has 3 indices; a takes none, [head] or [layer,head]");
  CHECK(complaint_about("at_most = \"beta[1]\"") ==
        "my.toml: line 2: at_most: beta[1] has 1 indices; beta takes none");
  CHECK(complaint_about("at_most = \"sum(h, 1, beta, a[h])\"")
            .starts_with(
                "my.toml: line 2: at_most: beta stands as the last index of sum(h, 1, beta, a[h]), where "
                "a whole number is expected"));
  CHECK(complaint_about("at_most = \"a[1/2]\"").find("whole number") != std::string::npos);
  CHECK(complaint_about("at_most = \"binomial(r0, 2)\"").find("whole number") != std::string::npos);
  CHECK(complaint_about("where = { C = \"k/2\", k = \"C + 1\" }\nat_most = \"C*r0\"") ==
        "my.toml: line 2: where.C: the definition leads back to itself: C -> k -> C");
  CHECK(complaint_about("[bound.where]\nC = \"1\"\nk = \"C[1]\"") ==
        "my.toml: line 4: where.k: C is defined with 0 indices and named with 1");
  CHECK(complaint_about("where = { beta = \"1\" }") ==
        "my.toml: line 2: where.beta: 'beta' is a measured symbol and cannot be defined anew");
  CHECK(complaint_about("where = { Cons = \"1\" }\nat_most = \"Con*r0\"") ==
        "my.toml: line 3: at_most: unknown symbol 'Con'; did you mean 'Cons'?");
  CHECK(complaint_about("where = { \"sqrt(2)\" = \"1\" }").find("is not a name") != std::string::npos);
  CHECK(complaint_about("hypotheses = [\"rho < 1\"]")
            .starts_with("my.toml: line 2: hypotheses: 'rho < 1' is no"));
  CHECK(complaint_about("hypotheses = [\"rho <= 1 +\"]").find("column 11") != std::string::npos);
  CHECK(complaint_about("hypotheses = \"rho <= 1\"") ==
        "my.toml: line 2: hypotheses: a list of strings is expected");
  CHECK(complaint_about("at_mots = \"r0\"") ==
        "my.toml: line 2: unknown key 'at_mots'; did you mean 'at_most'?");
  CHECK(complaint_about("at_most = \"r0\"\nat_least = \"r0\"").find("either `at_most` or `at_least`") !=
        std::string::npos);
  CHECK(complaint_about("each = \"state\"").starts_with("my.toml: line 2: each: "));
  CHECK(complaint_about("heads = 2").starts_with("my.toml: line 2: heads: only 1"));
  CHECK(complaint_about("prefactor = \"2\"").starts_with("my.toml: line 2: prefactor: "));
  CHECK(complaint_about("constant = \"beta\"\nat_most = \"beta*r0^(3^L)\"")
            .find("the cubic one of `constant` (and `prefactor`): base case L = 0, exponent of beta fails") !=
        std::string::npos);
  CHECK(complaint_about("constant = \"beta\"\neach = \"layer\"\nat_most = \"2*beta*r0^3\"")
            .ends_with("it is not beta*r0^3"));
  CHECK(complaint_about("hypotheses = [\"Cmax <= 1\"]").find("needs `constant`") != std::string::npos);
  CHECK(complaint_about("at_most = \"" + std::string(1, '\\') + "q\"").find("line 2: not TOML") !=
        std::string::npos);

  CHECK(complaint("[[bound]]\nname = \"x\"\nquantity = \"residul\"\nat_most = \"r0\"\n") ==
        "my.toml: line 3: quantity: unknown 'residul'; did you mean 'residual'?");
  CHECK(complaint("[[bound]]\nname = \"dong-2.2\"\nquantity = \"residual\"\nat_most = \"r0\"\n") ==
        "my.toml: line 2: the name 'dong-2.2' is taken by a statement of the catalogue; choose another");
  const std::string one = "[[bound]]\nname = \"x\"\nquantity = \"residual\"\nat_most = \"r0\"\n";
  CHECK(complaint(one + one) == "my.toml: line 6: the name 'x' is taken by my.toml, line 2; choose another");
  CHECK(complaint("[[bound]]\nname = \"a,b\"\nquantity = \"residual\"\nat_most = \"r0\"\n")
            .starts_with("my.toml: line 2: name: "));
  CHECK(complaint("[[bound]]\nquantity = \"residual\"\nat_most = \"r0\"\n") ==
        "my.toml: line 1: a bound needs `name`");
  CHECK(complaint("[[bound]]\nname = \"x\"\nquantity = \"residual-about-reference\"\nat_most = \"r0\"\n")
            .starts_with("my.toml: line 2: the residual about the reference is known for one layer"));
  CHECK(complaint("") == "my.toml: it defines nothing; write [[bound]]");
  CHECK(complaint("bound = 3") == "my.toml: line 1: bound: tables are expected; write [[bound]]");
  CHECK(complaint("bounds = 3") == "my.toml: line 1: unknown key 'bounds'; did you mean 'bound'?");
  CHECK_THROWS_WITH_AS(
      define(*std::make_unique<theory::Statements>(), std::filesystem::path("/nowhere.toml")),
      doctest::Contains("/nowhere.toml"), InputError);
}

TEST_CASE("an index that a network does not have is named with the bound") {
  CheckOptions options;
  CHECK_THROWS_WITH_AS(decision(options, "quantity = \"residual\"\nat_most = \"a[7,1]*r0\"\n"),
                       "my.toml: line 2: mine: no value for a[7,1]; known is a at 1 places, the first a[0,1]",
                       InputError);
}
