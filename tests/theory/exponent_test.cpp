#include "theory/exponent.hpp"

#include <doctest/doctest.h>

#include <random>

#include "numerics/errors.hpp"
#include "tests/support.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/parse.hpp"
#include "theory/expression/print.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

Exponent of(std::string_view text) {
  const auto result = Exponent::from(parse(text));
  REQUIRE_MESSAGE(result.has_value(), text);
  return *result;
}

bool has_form(std::string_view text) {
  return Exponent::from(parse(text)).has_value();
}

Rational at(const Expression& e, long L, long l) {
  return *evaluate_exact(e, Environment().set("L", L).set("l", l));
}

}  // namespace

TEST_CASE("equal exponents have one normal form") {
  CHECK(of("(3^L - 1)/2") == of("3^L/2 - 1/2"));
  CHECK(of("1 + 3*((3^L - 1)/2)") == of("(3^(L + 1) - 1)/2"));
  CHECK(of("9^L") == of("3^(2*L)"));
  CHECK(of("3^(L - 1 - l)*3") == of("3^L*(1/3)^l"));
  CHECK(of("(L + 1)^2 - L^2") == of("2*L + 1"));
  CHECK(of("sum(l, 0, L - 1, 3^(L - 1 - l))") == of("(3^L - 1)/2"));
  CHECK(of("sum(k, 2, L + 3, 1)") == of("L + 2"));
  CHECK(of("(3^L + 1)*(3^L - 1)") == of("9^L - 1"));
  CHECK(of("2^L - 2^L").is_zero());
}

TEST_CASE("different exponents have different ones") {
  CHECK_FALSE(of("(3^L - 1)/2") == of("3^L/2"));
  CHECK_FALSE(of("3^L") == of("3^(L + 1)"));
  CHECK_FALSE(of("3^L") == of("2^L"));
  CHECK_FALSE(of("L*3^L") == of("3^L"));
  CHECK_FALSE(of("3^L") == of("3^l"));
}

TEST_CASE("what has no normal form is refused") {
  for (const char* text : {"3^(L/2)", "L^L", "(-3)^L", "sqrt(L)", "L/l", "1/0", "a[1]", "3^(3^L)",
                           "max(L, 1)", "(L + 1)^(-1)", "(L + 1)^100", "sum(k, 1, L, k)",
                           "sum(k, 0, L - 2, 1)", "sum(k, l, L, 1)", "sum(k, -3, L, 3^k)", "3^(10000*L)"})
    CHECK_MESSAGE(!has_form(text), text);
}

TEST_CASE("the normal form has the value of the expression, printed or not") {
  std::mt19937_64 engine(9);
  const char* const atoms[] = {"3^L", "L",   "l",           "3^(L - l)", "2^l",
                               "5",   "1/2", "(3^L - 1)/2", "(1/3)^l",   "sum(k, 0, L, 2^k*l)"};
  for (int i = 0; i < 500 * test::multiplier(); ++i) {
    const auto atom = [&] { return std::string(atoms[engine() % std::size(atoms)]); };
    const std::string text = "(" + atom() + " - " + atom() + ")*" + atom() + " + (" + atom() + ")^2/3";
    const Exponent form = of(text);
    const Expression printed = form.to_expression();
    INFO(text, " -> ", to_text(printed));
    CHECK(Exponent::from(printed) == form);
    for (const long L : {0L, 1L, 4L})
      for (const long l : {0L, 3L}) CHECK(at(printed, L, l) == at(parse(text), L, l));
  }
}

TEST_CASE("printing") {
  const auto printed = [](std::string_view text) { return to_text(of(text).to_expression()); };
  CHECK(printed("3^L/2 - 1/2") == "(3^L - 1)/2");
  CHECK(printed("3*3^L/2 - 1/2") == "(3^(L + 1) - 1)/2");
  CHECK(printed("3^(L - 1 - l)*3") == "3^(L - l)");
  CHECK(printed("2*9^L") == "2*3^(2*L)");
  CHECK(printed("0*L") == "0");
  CHECK(printed("1 - L") == "1 - L");
  CHECK(printed("3^(L - 1 - l)") == "3^(L - l - 1)");
  CHECK(printed("3^L/3 - 1") == "3^(L - 1) - 1");
}

TEST_CASE("substitution and splitting") {
  const Exponent L = Exponent::variable("L");
  CHECK(of("(3^L - 1)/2").substituted("L", L + Exponent(1)) == of("(3^(L + 1) - 1)/2"));
  CHECK(of("L^2*2^L").substituted("L", Exponent(3)) == Exponent(72));
  CHECK(of("3^l").substituted("l", L - Exponent::variable("l")) == of("3^(L - l)"));
  CHECK_THROWS_AS(of("3^L").substituted("L", Exponent(Rational(1, 2))), DomainError);
  CHECK(of("(3^L - 1)/2").split(3, "L") == std::pair<Rational, Rational>(Rational(1, 2), Rational(-1, 2)));
  CHECK_FALSE(of("3^L + L").split(3, "L").has_value());
  CHECK_FALSE(of("9^L").split(3, "L").has_value());
}
