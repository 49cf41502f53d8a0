#include "theory/expression/evaluate.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/support.hpp"
#include "tests/theory/expression/exact_oracle.hpp"
#include "tests/theory/expression/random_expression.hpp"
#include "theory/expression/parse.hpp"
#include "theory/expression/print.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

const Precision bits128(128);

Rational exactly(std::string_view text, const Environment& environment = {}) {
  const auto value = evaluate_exact(parse(text), environment);
  REQUIRE_MESSAGE(value.has_value(), text);
  return *value;
}

Magnitude enclosed(std::string_view text, const Environment& environment = {}, Precision p = bits128) {
  return evaluate(parse(text), environment, p);
}

template <class Failure>
std::string complaint(std::string_view text, const Environment& environment = {}) {
  try {
    enclosed(text, environment);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

test::Point random_point(test::RandomExpression& random) {
  test::Point point;
  for (const char* name : {"x", "y", "z", "c0", "c1", "c2", "i", "k"}) point[name] = random.rational();
  return point;
}

}  // namespace

TEST_CASE("exact evaluation agrees with the definitions") {
  test::RandomExpression random(2);
  int defined = 0, undefined = 0;
  for (int i = 0; i < 3000 * test::multiplier(); ++i) {
    const Expression e = random.rational_function(1 + i % 5);
    const test::Point point = random_point(random);
    const auto expected = test::oracle(e, point);
    const Environment environment = test::environment_of(point);
    INFO(to_text(e));
    if (expected) {
      ++defined;
      const auto found = evaluate_exact(e, environment);
      REQUIRE(found.has_value());
      CHECK(*found == *expected);
    } else {
      ++undefined;
      CHECK_THROWS_AS(evaluate_exact(e, environment), DomainError);
    }
  }
  CHECK(defined > 10 * undefined);
  CHECK(undefined > 20);
}

TEST_CASE("enclosures hold the exact value when nothing is kept exact") {
  test::RandomExpression random(3);
  const EvaluationLimits nothing_exact{.exact_bits = 0};
  int held = 0;
  for (int i = 0; i < 2000 * test::multiplier(); ++i) {
    const Expression e = random.rational_function(1 + i % 4);
    const test::Point point = random_point(random);
    const auto expected = test::oracle(e, point);
    if (!expected) continue;
    const Environment environment = test::environment_of(point);
    INFO(to_text(e));
    try {
      const Magnitude coarse = evaluate(e, environment, Precision(64), nothing_exact);
      const Magnitude fine = evaluate(e, environment, Precision(192), nothing_exact);
      CHECK(test::holds(coarse, *expected));
      CHECK(test::holds(fine, *expected));
      CHECK(overlap(coarse, fine));
      ++held;
    } catch (const DomainError&) {  // a divisor or an index that the enclosure does not decide
    }
  }
  CHECK(held > 1000);
}

TEST_CASE("the published bound at depth 400") {
  const Environment environment = Environment()
                                      .set("gamma", Rational(3, 2))
                                      .set("beta", Rational(1, 10))
                                      .set("H", 4)
                                      .set("d_qk", 3)
                                      .set("r0", Rational(7, 5))
                                      .set("L", 400);
  const Magnitude bound = enclosed("(4*gamma*beta*H/sqrt(d_qk))^((3^L-1)/2) * r0^(3^L)", environment);
  const Integer cubed = rankfall::power(Integer(3), 400);
  const Precision wide(2000);
  const Ball constant = log2(div(Ball(Rational(12, 5), wide), rankfall::sqrt(Ball(3), wide), wide), wide);
  const Ball start = log2(Ball(Rational(7, 5), wide), wide);
  const Ball expected =
      add(mul(Ball(Integer((cubed - 1) / 2)), constant, wide), mul(Ball(cubed), start, wide), wide);
  REQUIRE(bound.certainly_positive());
  CHECK(contains(bound.log2(), expected));
  CHECK(relative_accuracy_bits(bound.log2()) >= 120);
}

TEST_CASE("exponents stay exact, powers of them are not expanded") {
  const Integer cubed = rankfall::power(Integer(3), 400);
  CHECK(exactly("3^400") == Rational(cubed));
  CHECK(exactly("(3^400 - 1)/2") == Rational((cubed - 1) / 2));
  CHECK_FALSE(evaluate_exact(parse("2^(3^400)"), {}).has_value());
  CHECK(contains(enclosed("2^(3^400)").log2(), Rational(cubed)));
  CHECK(contains(enclosed("(1/2)^(3^400)").log2(), Rational(-cubed)));
  CHECK(enclosed("(-2)^(3^400)").sign() == Magnitude::Sign::negative);
  CHECK(enclosed("0^(3^400)").is_zero());
  CHECK(exactly("1^(3^400)") == 1);
  CHECK(exactly("(-1)^(3^400)") == -1);
  CHECK(exactly("2^(-3)") == Rational(1, 8));
  CHECK(exactly("0^0") == 1);
}

TEST_CASE("roots and functions are exact where they can be") {
  CHECK(exactly("sqrt(64)") == 8);
  CHECK(exactly("sqrt(9/16)") == Rational(3, 4));
  CHECK(exactly("8^(2/3)") == 4);
  CHECK(exactly("(16/81)^(-3/4)") == Rational(27, 8));
  CHECK(exactly("exp(0) + log(1) + tanh(0)") == 1);
  CHECK(exactly("max(1, 5/2, -3) - min(1, 5/2, -3) + abs(-2) + sign(-7)") == Rational(13, 2));
  CHECK_FALSE(evaluate_exact(parse("sqrt(2)"), {}).has_value());
  CHECK_FALSE(evaluate_exact(parse("tanh(1)"), {}).has_value());
  CHECK(exactly("sign(2) * 3") == 3);
  CHECK(std::get<Rational>(evaluate_value(parse("max(2, tanh(5))"), {}, bits128)) == 2);
}

TEST_CASE("functions enclose their values") {
  const auto near = [](std::string_view formula, const char* digits) {
    const Ball found = enclosed(formula).to_ball(bits128);
    const Ball wanted(parse_number(digits), Precision(200));
    CHECK(certainly_less(rankfall::abs(sub(found, wanted, Precision(200))), Ball(1e-28)));
    CHECK((contains_zero(found) || relative_accuracy_bits(found) > 110));
  };
  near("sqrt(2)", "1.41421356237309504880168872420969807857");
  near("exp(1)", "2.71828182845904523536028747135266249776");
  near("log(2)", "0.69314718055994530941723212145817656808");
  near("log(1/2)", "-0.69314718055994530941723212145817656808");
  near("tanh(1/10)", "0.09966799462495581711830508367835218354");
  near("2^(1/2)", "1.41421356237309504880168872420969807857");
  near("2^sqrt(2)", "2.66514414269022518865029724987313984827");
  near("min(sqrt(2), exp(1)) + max(-sqrt(2), -exp(1))", "0");
  near("abs(-exp(1))", "2.71828182845904523536028747135266249776");
  near("exp(tanh(1)^(3^300))", "1");
  near("2^(tanh(1)^(3^300))", "1");
}

TEST_CASE("sums and products over a range") {
  Environment environment;
  environment.set("L", 24).set("H", 16);
  for (long h = 1; h <= 4; ++h) environment.set("W", {h}, Rational(h * h)).set("W", {0, h}, Rational(-h));
  CHECK(exactly("sum(k, 0, L, binomial(L, k)*H^k) - (1+H)^L", environment) == 0);
  CHECK(exactly("sum(h, 1, 4, W[h]*W[0,h])", environment) == -100);
  CHECK(exactly("prod(h, 1, 4, W[h])", environment) == 576);
  CHECK(exactly("sum(h, 2, 1, 1/0) + prod(h, 2, 1, 1/0)") == 1);
  CHECK(exactly("sum(i, 1, 3, sum(j, 1, i, i*j))") == 1 + 2 * 3 + 3 * 6);
  CHECK(exactly("sum(i, 1, 3, sum(i, 1, i, i))") == 1 + 3 + 6);
  CHECK(exactly("sum(i, 3^400, 3^400 + 1, i - 3^400)") == 1);
  CHECK(exactly("prod(l, 0, 5, 2^(3^(5 - l)))") == exactly("2^((3^6 - 1)/2)"));
}

TEST_CASE("a long sum of fractions turns into an enclosure and stays tight") {
  const Magnitude harmonic = enclosed("sum(i, 1, 100000, 1/i)");
  const Ball wanted(parse_number("12.090146129863427947363219363504219500794"), Precision(200));
  CHECK(certainly_less(rankfall::abs(sub(harmonic.to_ball(bits128), wanted, Precision(200))), Ball(1e-30)));
  CHECK(relative_accuracy_bits(harmonic.log2()) > 110);
  const Magnitude factorial = enclosed("prod(i, 1, 20000, i)/prod(i, 1, 20000, i)");
  CHECK(test::holds(factorial, 1));
  CHECK(enclosed("prod(i, 1, 20000, i)*0").is_zero());
}

TEST_CASE("binomials") {
  CHECK(exactly("binomial(5, 2)") == 10);
  CHECK(exactly("binomial(5, 0) + binomial(5, 5) + binomial(0, 0)") == 3);
  CHECK(exactly("binomial(5, 6) + binomial(5, -1)") == 0);
  CHECK(exactly("binomial(3^400, 2) - 3^400*(3^400 - 1)/2") == 0);
  const Rational exact = exactly("binomial(2000, 700)");
  const Magnitude enclosure = evaluate(parse("binomial(2000, 700)"), {}, bits128, {.exact_bits = 64});
  CHECK(test::holds(enclosure, exact));
  CHECK(relative_accuracy_bits(enclosure.log2()) > 120);
  const Magnitude ratio = enclosed("binomial(10^30, 5*10^29)/binomial(10^30, 5*10^29 - 1)*5/(5 + 10^(-29))");
  CHECK(test::holds(ratio, 1));
  CHECK(complaint<DomainError>("binomial(1/2, 1)") ==
        "a binomial of other than integers n >= 0 and k, in binomial(1/2, 1)");
  CHECK(complaint<DomainError>("binomial(-1, 1)").ends_with("in binomial(-1, 1)"));
}

TEST_CASE("an unknown symbol is named, with the nearest known") {
  Environment environment;
  environment.set("beta", 1).set("gamma", 1).set("a", {0, 1}, 1);
  CHECK(complaint<InputError>("4*bet", environment) == "unknown symbol 'bet'; did you mean 'beta'?");
  CHECK(complaint<InputError>("a", environment) ==
        "no value for a; known is a at 1 places, the first a[0,1]");
  CHECK(complaint<InputError>("a[3,1]", environment) ==
        "no value for a[3,1]; known is a at 1 places, the first a[0,1]");
  CHECK(complaint<InputError>("beta[1]", environment) ==
        "no value for beta[1]; known is beta without indices");
  CHECK(complaint<InputError>("nothing_like_it", environment) ==
        "unknown symbol 'nothing_like_it'; known are a, beta, gamma");
  CHECK(complaint<InputError>("x") == "unknown symbol 'x'; no symbol is known");
}

TEST_CASE("what is undefined is named") {
  CHECK(complaint<DomainError>("2 + 1/(3 - 3)") == "division by zero, in 1/(3 - 3)");
  CHECK(complaint<DomainError>("log(1 - 2)*5") == "the logarithm of -1, in log(1 - 2)");
  CHECK(complaint<DomainError>("sqrt(-2)") == "the square root of -2, in sqrt(-2)");
  CHECK(complaint<DomainError>("0^(-1)") == "zero to the negative power -1, in 0^(-1)");
  CHECK(complaint<DomainError>("(-2)^(1/2)").ends_with("in (-2)^(1/2)"));
  CHECK(complaint<DomainError>("1/(sqrt(2) - sqrt(2))").ends_with("in 1/(sqrt(2) - sqrt(2))"));
  CHECK(complaint<DomainError>("log(sqrt(2) - sqrt(2))").ends_with("in log(sqrt(2) - sqrt(2))"));
  CHECK(complaint<DomainError>("(-2)^sqrt(2)").ends_with("in (-2)^sqrt(2)"));
  CHECK(complaint<DomainError>("sum(i, 1/2, 3, i)") ==
        "the first index 1/2 of sum(i, 1/2, 3, i) must be an exact integer, is 1/2");
  CHECK(complaint<DomainError>("sum(i, 1, sqrt(2), i)").find("the last index sqrt(2)") == 0);
  CHECK(complaint<DomainError>("a[1/2]").find("the index 1/2 of a[1/2]") == 0);
}

TEST_CASE("the number of terms is bounded") {
  const std::string one = complaint<InputError>("sum(i, 1, 10^9, i)");
  CHECK(one == "too many terms in sum(i, 1, 10^9, i): at most 10000000 are evaluated in all");
  const EvaluationLimits few{.terms = 100};
  CHECK_THROWS_AS(evaluate(parse("sum(i, 1, 11, sum(j, 1, 11, 1))"), {}, bits128, few), InputError);
  CHECK(evaluate_exact(parse("sum(i, 1, 9, sum(j, 1, 9, 1))"), {}, few) == Rational(81));
}

TEST_CASE("an unknown sign keeps a bound") {
  const Magnitude unknown = enclosed("sqrt(2) - sqrt(2)");
  CHECK(unknown.sign() == Magnitude::Sign::unknown);
  CHECK(certainly_less(unknown, Magnitude(Rational(1, 1'000'000'000), bits128)));
  CHECK(overlap(enclosed("sign(sqrt(2) - sqrt(2))"), Magnitude(Rational(1), bits128)));
}
