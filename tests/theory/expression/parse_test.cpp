#include "theory/expression/parse.hpp"

#include <doctest/doctest.h>

#include "tests/support.hpp"
#include "tests/theory/expression/random_expression.hpp"
#include "theory/expression/print.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

/// The message of the error that the text provokes, or "" when there is none.
std::string complaint(std::string_view text) {
  try {
    parse(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += part;
  return result;
}

}  // namespace

TEST_CASE("what is printed is parsed as the same tree") {
  test::RandomExpression random(1);
  for (int i = 0; i < 10'000 * test::multiplier(); ++i) {
    const Expression e = random.any(1 + i % 6);
    const std::string text = to_text(e);
    REQUIRE_MESSAGE(parse(text) == e, text);
  }
}

TEST_CASE("formulas built in C++ print as they are read") {
  const Expression beta = sym("beta"), d_qk = sym("d_qk"), r0 = sym("r0"), L = sym("L"), H = sym("H");
  CHECK(to_text(pow(4 * beta / sqrt(d_qk), (pow(3, L) - 1) / 2) * pow(r0, pow(3, L))) ==
        "(4*beta/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)");
  CHECK(to_text(sum("h", 1, H, sym("W1", {"h"}) * sym("t", {"h"}))) == "sum(h, 1, H, W1[h]*t[h])");
  CHECK(to_text(Rational(1, 2) * beta - Rational(157, 125)) == "1/2*beta - 1.256");
  CHECK(to_text(-(beta * H) + pow(-beta, 2) - (H - 1)) == "-beta*H + (-beta)^2 - (H - 1)");
  CHECK(to_text(pow(pow(beta, 2), -L)) == "(beta^2)^(-L)");
  CHECK(to_text(H / (beta * L) / 3 * (beta / L)) == "H/(beta*L)/3*(beta/L)");
}

TEST_CASE("precedence") {
  CHECK(parse("-a^2") == -pow(sym("a"), 2));
  CHECK(parse("a^b^c") == pow(sym("a"), pow(sym("b"), sym("c"))));
  CHECK(parse("a-b-c") == sym("a") - sym("b") - sym("c"));
  CHECK(parse("a/b/c") == sym("a") / sym("b") / sym("c"));
  CHECK(parse("-a*b") == -(sym("a") * sym("b")));
  CHECK(parse("2^-L") == pow(2, -sym("L")));
  CHECK(parse("a*--b") == sym("a") * sym("b"));
  CHECK(parse(" 1.5e-3 ") == Expression(Rational(3, 2000)));
  CHECK(parse("1/3") == Expression(Rational(1, 3)));
  CHECK(parse("012") == Expression(12));
  CHECK(parse("max(a,\n\tb, 1)") == call(Function::max, {sym("a"), sym("b"), 1}));
  CHECK(parse("a[l+1, 2]") == symbol("a", {sym("l") + 1, 2}));
}

TEST_CASE("errors point at the column and name what was expected") {
  CHECK(complaint("") == "column 1: expected a number, a symbol, a function or '(', found the end");
  CHECK(complaint("4*beta**2") == "column 8: expected a number, a symbol, a function or '(', found '*'");
  CHECK(complaint("4 beta") == "column 3: expected an operator or the end, found 'beta'");
  CHECK(complaint("(a + b") == "column 7: expected an operator or ')', found the end");
  CHECK(complaint("a + b)") == "column 6: expected an operator or the end, found ')'");
  CHECK(complaint("sqrt 2") == "column 6: expected '(', found '2'");
  CHECK(complaint("sqrt(2, 3)") == "column 1: sqrt takes 1 argument, found 2");
  CHECK(complaint("binomial(2)") == "column 1: binomial takes 2 arguments, found 1");
  CHECK(complaint("1 + sqr(2)") == "column 5: unknown function 'sqr'; did you mean 'sqrt'?");
  CHECK(complaint("sum(1, 2, 3, 4)") == "column 5: expected the name of the index, found '1'");
  CHECK(complaint("sum(i, 1, L)") == "column 12: expected an operator or ',', found ')'");
  CHECK(complaint("sum(exp, 1, L, 2)") == "column 5: 'exp' is a function and cannot name a symbol");
  CHECK(complaint("a[1") == "column 4: expected an operator, ',' or ']', found the end");
  CHECK(complaint("a[]") == "column 3: expected a number, a symbol, a function or '(', found ']'");
  CHECK(complaint("min()") == "column 5: expected a number, a symbol, a function or '(', found ')'");
  CHECK(complaint("a \xC2\xB7 b") == "column 3: expected an operator or the end, found '\xC2\xB7'");
  CHECK(complaint("\xCE\xB2 + 1") ==
        "column 1: expected a number, a symbol, a function or '(', found '\xCE\xB2'");
  CHECK(complaint("max(\xCE\xB2, %)").starts_with("column 5: "));
  CHECK(complaint("a +\n  b $ c") == "line 2, column 5: expected an operator or the end, found '$'");
  CHECK(complaint(std::string_view("a\0b", 3)) ==
        "column 2: expected an operator or the end, found the byte 0x00");
  CHECK(complaint("a \xFF b") == "column 3: expected an operator or the end, found the byte 0xFF");
  CHECK(complaint("1e9999999").starts_with("column 1: "));
  CHECK(complaint("sum").starts_with("column 4: expected '('"));
}

TEST_CASE("hostile formulas end in an error, not in a crash") {
  CHECK(complaint(repeated("(", 50'000)) == "column 201: nested deeper than 200 levels");
  CHECK(complaint(repeated("sqrt(", 20'000)).ends_with("nested deeper than 200 levels"));
  CHECK(complaint(repeated("a[", 40'000)).ends_with("nested deeper than 200 levels"));
  CHECK(complaint(repeated("a^", 40'000) + "a").ends_with("nested deeper than 200 levels"));
  CHECK(complaint(repeated("a/", 40'000) + "a").ends_with("nested deeper than 500 levels"));
  CHECK(complaint(repeated("-", 99'000) + "a").empty());
  CHECK(complaint(repeated("a+", 40'000) + "a").empty());
  CHECK(complaint(repeated("a", 100'001)) == "a formula of 100001 characters; at most 100000 are read");
  CHECK(complaint(repeated("1e1000000+", 20) + "1").find("bits") != std::string::npos);
  CHECK(complaint("1/0").empty());  // undefined, but well written
}

TEST_CASE("a shortened text keeps both ends") {
  const Expression e = parse(repeated("alpha+", 100) + "omega");
  const std::string text = to_short_text(e, 40);
  CHECK(text.starts_with("alpha + alpha"));
  CHECK(text.ends_with("omega"));
  CHECK(text.size() < 50);
}
