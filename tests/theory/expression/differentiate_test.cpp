#include "theory/expression/differentiate.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/support.hpp"
#include "tests/theory/expression/exact_oracle.hpp"
#include "tests/theory/expression/random_expression.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/parse.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/substitute.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

std::string derivative(std::string_view text, std::string_view by = "x") {
  return to_text(differentiate(parse(text), parse(by)));
}

/// (f(x + h) - f(x - h))/(2h) at 2000 bits, h = 2^-400; for smooth f it is f'(x) up to about 2^-800 f'''(x).
Ball central_difference(const Expression& f, const Environment& environment, const Rational& x) {
  const Precision wide(2000);
  const Rational h(1, power(Integer(2), 400));
  const auto at = [&](const Rational& place) {
    Environment moved = environment;
    return evaluate(f, moved.set("x", place), wide).to_ball(wide);
  };
  return div(sub(at(x + h), at(x - h), wide), Ball(2 * h, wide), wide);
}

}  // namespace

TEST_CASE("derivatives agree with certified differences") {
  const char* const formulas[] = {
      "x^3 - 2*x + 1/x",
      "(4*beta*x/sqrt(d_qk))^((3^L - 1)/2)*x^(3^L)",
      "sqrt(1 + x^2)*exp(-x)",
      "log(x)^2/tanh(x/3)",
      "x^x + 2^x",
      "(1 + x)^(beta*x)",
      "tanh(beta*x^2/4)*x",
      "abs(x - 3)*max(x, x^2, 1/x) - min(x, 2)",
      "sum(i, 1, L, x^i/i)",
      "prod(i, 0, L, x + i^2)",
      "prod(i, 1, 3, sum(j, 1, i, tanh(x*j)))",
      "prod(l, 0, L - 1, (x*C[l])^(3^(L - 1 - l)))",
      "sum(x, 1, 3, x) + sum(i, 1, 3, sum(x, i, 4, x*i))*x",
  };
  Environment environment;
  environment.set("beta", Rational(2, 3)).set("d_qk", 5).set("L", 4);
  for (long l = 0; l < 4; ++l) environment.set("C", {l}, Rational(l + 2, 3));
  for (const char* text : formulas)
    for (const Rational& x : {Rational(7, 5), Rational(1, 3), Rational(19, 4)}) {
      INFO(text, " at ", x.str());
      const Expression f = parse(text);
      Environment here = environment;
      const Ball found =
          evaluate(differentiate(f, sym("x")), here.set("x", x), Precision(1000)).to_ball(Precision(1000));
      const Ball difference = sub(found, central_difference(f, environment, x), Precision(2000));
      const Ball scale_of = add(abs(found), Ball(1), Precision(64));
      CHECK(certainly_less(abs(difference), scale(scale_of, -300L)));
    }
}

TEST_CASE("derivatives of rational functions are exact dual numbers") {
  // (f(x + h) - f(x - h))/(2h) -> f'(x): for rational functions the quotient is expanded in exact arithmetic.
  test::RandomExpression random(7);
  int compared = 0;
  const Rational h(1, power(Integer(2), 200));
  for (int i = 0; i < 1500 * test::multiplier(); ++i) {
    const Expression f = random.rational_function(1 + i % 4);
    const Expression slope = differentiate(f, sym("x"));
    INFO(to_text(f), "  ->  ", to_text(slope));
    test::Point point;
    for (const char* name : {"x", "y", "z", "c0", "c1", "c2", "i", "k", "i_1", "k_1"})
      point[name] = random.rational();
    point["x"] += Rational(1, 17);  // away from kinks and zeros
    test::Point up = point, down = point;
    up["x"] += h;
    down["x"] -= h;
    const auto above = test::oracle(f, up), below = test::oracle(f, down), here = test::oracle(f, point);
    const auto found = test::oracle(slope, point);
    if (!above || !below || !here || !found) continue;
    const Rational quotient = (*above - *below) / (2 * h);
    const Rational error = abs(quotient - *found);
    CHECK(error <= (1 + abs(*found)) / power(Integer(2), 150));
    ++compared;
  }
  CHECK(compared > 1000);
}

TEST_CASE("derivatives read well") {
  CHECK(derivative("4*x^3 + y") == "12*x^2");
  CHECK(derivative("beta*x/sqrt(d)") == "beta/sqrt(d)");
  CHECK(derivative("exp(2*x)") == "2*exp(2*x)");
  CHECK(derivative("tanh(x)") == "1 - tanh(x)^2");
  CHECK(derivative("x^n") == "n*x^(n - 1)");
  CHECK(derivative("log(C^((3^L-1)/2))", "C") == "(3^L - 1)/(2*C)");
  CHECK(derivative("y") == "0");
  CHECK(derivative("x[1]") == "0");
  CHECK(derivative("sum(i, 1, L, i*x)") == "sum(i, 1, L, i)");
}

TEST_CASE("kinks: the mean of the one-sided derivatives") {
  const auto at = [](std::string_view text, const Rational& x) {
    return *evaluate_exact(differentiate(parse(text), sym("x")), Environment().set("x", x));
  };
  CHECK(at("abs(x)", 0) == 0);
  CHECK(at("max(x, 0)", 0) == Rational(1, 2));
  CHECK(at("min(x, 3*x)", 0) == 2);
  CHECK(at("max(x, 0)", 1) == 1);
  CHECK(at("max(x, 0)", -1) == 0);
  CHECK(at("max(0, 1, x)", 1) == Rational(1, 2));
  CHECK(at("sign(x)", 0) == 0);
}

TEST_CASE("by an entry of a family") {
  Environment environment;
  environment.set("k", 2);
  for (long l = 0; l < 4; ++l) environment.set("C", {l}, Rational(l + 1));
  CHECK(evaluate_exact(differentiate(parse("sum(k, 0, 3, k*C[k]^2)"), parse("C[k]")), environment) ==
        Rational(12));
  CHECK(evaluate_exact(differentiate(parse("prod(l, 0, 3, C[l])"), parse("C[2]")), environment) ==
        Rational(8));
  CHECK(derivative("C[1] + C[2]^2 + C", "C[2]") == "2*C[2]");
}

TEST_CASE("where there is no derivative the reason is named") {
  CHECK_THROWS_WITH_AS(derivative("sum(i, 1, x, i)"),
                       "no derivative of sum(i, 1, x, i) by x: the symbol stands in the limits of the range",
                       DomainError);
  CHECK_THROWS_WITH_AS(derivative("2*binomial(x, 2)"),
                       "no derivative of binomial(x, 2) by x: a binomial is defined between integers only",
                       DomainError);
  CHECK_THROWS_WITH_AS(derivative("a[x]"), "no derivative of a[x] by x: the symbol stands in an index",
                       DomainError);
  CHECK_THROWS_AS(derivative("x", "x + 1"), DomainError);
}
