#include "theory/least_depth.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "theory/expression/parse.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

const char* const cubic = "C^((3^L - 1)/2)*r0^(3^L)";

std::optional<Integer> depth(const Rational& C, const Rational& r0, const Value& target) {
  return least_depth(parse(cubic), "L", Environment().set("C", C).set("r0", r0), target);
}

}  // namespace

TEST_CASE("the least depth agrees with the recursion") {
  for (const Rational& C : {Rational(1, 10), Rational(1), Rational(5, 2)})
    for (const Rational& r0 : {Rational(1, 2), Rational(3, 5), Rational(31, 50)})
      for (const Rational& target : {Rational(1, 3), Rational(1, 1000), power(Rational(10), -200)}) {
        if (C * r0 * r0 >= 1) continue;
        Rational r = r0;
        Integer expected = 0;
        for (; r >= target; ++expected) r = C * r * r * r;
        CHECK(depth(C, r0, target) == expected);
      }
}

TEST_CASE("no depth where the bound does not contract") {
  CHECK_FALSE(depth(4, Rational(1, 2), Rational(1, 10)).has_value());  // C r0^2 = 1: the bound stays at r0
  CHECK_FALSE(depth(1, 2, Rational(1)).has_value());
  CHECK_FALSE(depth(Rational(1, 2), 2, Rational(1)).has_value());  // C < 1 is not enough
  CHECK(depth(Rational(1, 2), 2, Rational(3)) == Integer(0));      // below it from the start
  CHECK_FALSE(depth(Rational(1, 2), Rational(1, 2), Rational(0)).has_value());
  CHECK_FALSE(depth(Rational(1, 2), Rational(1, 2), Rational(-1)).has_value());
}

TEST_CASE("a target that is met exactly is not fallen below") {
  CHECK(depth(1, Rational(1, 2), Rational(1, 8)) == Integer(2));
  CHECK(depth(1, Rational(1, 2), Rational(1, 8) + power(Rational(2), -500)) == Integer(1));
}

TEST_CASE("depths and targets beyond any exponent range") {
  const Integer cubed = power(Integer(3), 400);
  const Magnitude target = Magnitude::from_log2(Ball(Integer(-cubed - 1)));  // 2^-(3^400 + 1)
  CHECK(depth(1, Rational(1, 2), target) == Integer(401));
  const Magnitude little_more = Magnitude::from_log2(Ball(Integer(1 - cubed)));
  CHECK(depth(1, Rational(1, 2), little_more) == Integer(400));
  // a start just below the threshold: log r0 = -2^-200, so that 3^L must exceed about 2^200
  const Rational near_one = 1 - power(Rational(2), -200);
  CHECK(depth(1, near_one, Rational(1, 2)) == Integer(126));
}

TEST_CASE("irrational constants are decided by enclosures") {
  const Environment environment =
      Environment().set("beta", Rational(1, 10)).set("d_qk", 3).set("r0", Rational(3, 2)).set("n", 16);
  const Expression printed = parse("sqrt(n - 1)*(4*beta/sqrt(d_qk))^((3^L - 1)/2)*r0^(3^L)");
  const auto found = least_depth(printed, "L", environment, power(Rational(10), -100));
  REQUIRE(found.has_value());
  const Rational target = power(Rational(10), -100);
  const auto at = [&](const Integer& L) {
    Environment here = environment;
    return evaluate(printed, here.set("L", Rational(L)), Precision(256));
  };
  CHECK(certainly_less(at(*found), Magnitude(target, Precision(256))));
  CHECK(certainly_less(Magnitude(target, Precision(256)), at(*found - 1)));
}

TEST_CASE("what cannot be decided is said") {
  const Ball wide = hull(Ball(-4), Ball(-2), Precision(64));
  CHECK_THROWS_AS(depth(1, Rational(1, 2), Magnitude::from_log2(wide)), PrecisionLimit);
  CHECK_THROWS_AS(depth(1, Rational(1, 2), Magnitude::from_log2(wide, Magnitude::Sign::unknown)),
                  PrecisionLimit);
  CHECK_THROWS_AS(least_depth(parse("C^L"), "L", Environment().set("C", Rational(1, 2)), Rational(1, 10)),
                  InputError);
  CHECK_THROWS_AS(least_depth(parse(cubic), "L", Environment(), Rational(1, 10)), InputError);
}
