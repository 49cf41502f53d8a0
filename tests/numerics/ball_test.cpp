#include "numerics/ball.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "numerics/errors.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using test::holds;
using test::Interval;

namespace {

constexpr long precisions[] = {2, 24, 53, 128, 300};

using Binary = Ball (*)(const Ball&, const Ball&, Precision);
using ExactBinary = std::function<Rational(const Rational&, const Rational&)>;
using Unary = Ball (*)(const Ball&, Precision);
using ExactUnary = std::function<Interval(const Rational&)>;

bool certainly_excludes_zero(const Ball& a) {
  return !contains_zero(a);
}
bool anything(const Ball&) {
  return true;
}

void check_binary(Binary f, const ExactBinary& f_exact, bool (*admissible)(const Ball&), std::uint64_t seed) {
  Draws draws(seed);
  for (int round = 0; round < 60 * test::multiplier(); ++round) {
    const Ball a = draws.ball(draws.integer(0, 40)), b = draws.ball(draws.integer(0, 40));
    if (!admissible(b)) continue;
    for (const long bits : precisions) {
      const Ball result = f(a, b, Precision(bits));
      for (const Rational& x : test::points_of(a, draws))
        for (const Rational& y : test::points_of(b, draws))
          if (!holds(result, f_exact(x, y)))
            FAIL_CHECK("bits " << bits << ": f(" << x << ", " << y << ") got out");
    }
    const Rational x = draws.fraction(), y = draws.fraction();
    const Ball exact_x(x, Precision(500)), exact_y(y, Precision(500));
    if (y == 0 || f_exact(x, y) == 0) continue;
    CHECK(relative_accuracy_bits(f(exact_x, exact_y, Precision(128))) >= 125);
  }
}

/// Points in the balls of `draw`, against the rational enclosure; `floor` bits at 128 for an exact argument.
void check_unary(Unary f, const ExactUnary& f_exact, const std::function<Ball(Draws&)>& draw, long floor) {
  Draws draws(17);
  for (int round = 0; round < 25 * test::multiplier(); ++round) {
    const Ball a = draw(draws);
    for (const Rational& x : test::points_of(a, draws, 1)) {
      const Interval value = f_exact(x);
      for (const long bits : precisions)
        if (!holds(f(a, Precision(bits)), value)) FAIL_CHECK("bits " << bits << ": f(" << x << ") got out");
    }
    const Ball point = midpoint(a);
    CHECK(relative_accuracy_bits(f(point, Precision(128))) >= floor);
  }
}

Ball any_small(Draws& draws) {
  return draws.ball(draws.integer(2, 60), 2);
}
Ball positive(Draws& draws) {
  for (;;) {
    Ball a = abs(draws.ball(draws.integer(2, 60), 30));
    if (certainly_positive(a)) return a;
  }
}

Ball with_radius(long centre, unsigned long radius) {
  Ball result(centre);
  mag_set_ui(arb_radref(result.raw()), radius);
  return result;
}

}  // namespace

TEST_CASE("sums, differences, products and quotients hold every exact result") {
  check_binary(
      add, [](const Rational& x, const Rational& y) { return Rational(x + y); }, anything, 1);
  check_binary(
      sub, [](const Rational& x, const Rational& y) { return Rational(x - y); }, anything, 2);
  check_binary(
      mul, [](const Rational& x, const Rational& y) { return Rational(x * y); }, anything, 3);
  check_binary(
      div, [](const Rational& x, const Rational& y) { return y == 0 ? Rational(0) : Rational(x / y); },
      certainly_excludes_zero, 4);
}

TEST_CASE("max, min and hull hold both orders") {
  check_binary(
      max, [](const Rational& x, const Rational& y) { return std::max(x, y); }, anything, 5);
  check_binary(
      min, [](const Rational& x, const Rational& y) { return std::min(x, y); }, anything, 6);
  Draws draws(7);
  for (int round = 0; round < 100; ++round) {
    const Ball a = draws.ball(10), b = draws.ball(10);
    const Ball both = hull(a, b, Precision(64));
    CHECK(contains(both, a));
    CHECK(contains(both, b));
  }
  CHECK(contains(max(with_radius(0, 3), with_radius(1, 1), Precision(53)), Rational(0)));
  CHECK_FALSE(contains(max(with_radius(0, 3), with_radius(2, 1), Precision(53)), Rational(1, 2)));
}

TEST_CASE("functions hold every exact value and lose few bits") {
  check_unary(exp, test::exp_of, any_small, 124);
  check_unary(
      expm1,
      [](const Rational& x) {
        const Interval e = test::exp_of(x);
        return Interval{Rational(e.low - 1), Rational(e.high - 1)};
      },
      any_small, 122);
  check_unary(tanh, test::tanh_of, any_small, 122);
  check_unary(log, test::log_of, positive, 116);
  check_unary(log2, test::log2_of, positive, 116);
  check_unary(sqrt, test::sqrt_of, positive, 125);
}

TEST_CASE("negation, absolute value, scaling, ends and midpoints") {
  Draws draws(23);
  for (int round = 0; round < 100 * test::multiplier(); ++round) {
    const Ball a = draws.ball(draws.integer(-3, 40));
    const long shift = draws.integer(-300, 300);
    const Interval set = test::ends(a), moved = test::ends(scale(a, shift)), opposite = test::ends(neg(a));
    CHECK(moved.low == Rational(set.low * test::two_to(shift)));
    CHECK(moved.high == Rational(set.high * test::two_to(shift)));
    CHECK(test::ends(scale(a, Integer(shift))).low == moved.low);
    CHECK(opposite.low == Rational(-set.high));
    CHECK(opposite.high == Rational(-set.low));
    for (const Rational& x : test::points_of(a, draws)) {
      CHECK(holds(abs(a), Rational(abs(x))));
      CHECK(holds(symmetric(a), x));
      CHECK(holds(symmetric(a), Rational(-x)));
    }
    for (const long bits : precisions) {
      const Ball low = lower(a, Precision(bits)), high = upper(a, Precision(bits));
      REQUIRE(is_exact(low));
      REQUIRE(is_exact(high));
      CHECK(test::ends(low).low <= set.low);
      CHECK(test::ends(high).high >= set.high);
    }
    CHECK(test::ends(midpoint(a)).low == test::middle(set));
  }
  CHECK(is_zero(symmetric(Ball())));
}

TEST_CASE("rationals are enclosed, and exact when they fit") {
  Draws draws(29);
  for (int round = 0; round < 200; ++round) {
    const Rational value = draws.fraction(30);
    for (const long bits : precisions) CHECK(holds(Ball(value, Precision(bits)), value));
    CHECK(is_exact(Ball(draws.dyadic(), Precision(15))));
  }
  CHECK_FALSE(is_exact(Ball(Rational(1, 3), Precision(1000))));
  CHECK(is_exact(Ball(Rational(0), Precision(2))));
  CHECK(contains(Ball(power(Integer(3), 400)), Rational(power(Integer(3), 400))));
  CHECK(holds(Ball(0.1), Rational(Integer(0x1999999999999aLL), power(Integer(2), 56))));
}

TEST_CASE("membership of a rational is decided exactly") {
  Ball a(1L);
  arb_add_error_2exp_si(a.raw(), -40);  // [1 - 2^-40, 1 + 2^-40]
  const Rational edge = 1 + test::two_to(-40);
  CHECK(contains(a, edge));
  CHECK(contains(a, Rational(2 - edge)));
  // Just outside, where rounding the radius of a * denominator upwards would let it in.
  for (const long bits : {45, 60, 80, 200, 1000}) {
    CAPTURE(bits);
    const Rational outside = edge + test::two_to(-bits) / 3;
    CHECK_FALSE(contains(a, outside));
    CHECK_FALSE(contains(a, Rational(2 - outside)));
    CHECK(contains(a, Rational(edge - test::two_to(-bits) / 3)));
  }
  CHECK(contains(Ball(Rational(1, 3), Precision(20)), Rational(1, 3)));
  CHECK(contains(Ball(5L), Rational(5)));
  CHECK_FALSE(contains(Ball(5L), Rational(16, 3)));
  const Ball far = scale(a, power(Integer(10), 30));  // no exact sum of far and 1 fits any memory
  CHECK_FALSE(contains(far, Rational(1)));
}

TEST_CASE("predicates speak for every choice of points") {
  const Ball a = with_radius(0, 1), b = with_radius(3, 1), c = with_radius(2, 2);
  CHECK(certainly_less(a, b));
  CHECK_FALSE(certainly_less(b, a));
  CHECK_FALSE(certainly_less(a, c));
  CHECK_FALSE(certainly_less_equal(a, c));
  CHECK(certainly_less_equal(a, with_radius(3, 2)));  // they touch in one point
  CHECK_FALSE(certainly_less(a, with_radius(3, 2)));
  CHECK(overlap(a, with_radius(3, 2)));
  CHECK_FALSE(overlap(a, b));
  CHECK(contains_zero(a));
  CHECK_FALSE(is_zero(a));
  CHECK(is_zero(Ball()));
  CHECK(certainly_positive(b));
  CHECK_FALSE(certainly_positive(c));
  CHECK(certainly_negative(neg(b)));
  CHECK(contains(c, b));
  CHECK_FALSE(contains(b, c));
  CHECK(midpoint_less(a, b));
  CHECK_FALSE(midpoint_less(a, a));
}

TEST_CASE("the binary exponent bounds the ball and is at most one too large") {
  Draws draws(31);
  for (int round = 0; round < 200; ++round) {
    const Ball a = draws.ball(draws.integer(0, 50));
    if (is_zero(a)) continue;
    const Interval set = test::ends(a);
    const Rational size = std::max(Rational(abs(set.low)), Rational(abs(set.high)));
    const long exponent = binary_exponent(a).convert_to<long>();
    CHECK(size < test::two_to(exponent));
    CHECK(size >= test::two_to(exponent - 2));
  }
  CHECK(binary_exponent(Ball(1L)) == 1);
  CHECK(binary_exponent(scale(Ball(-1L), power(Integer(3), 100))) == power(Integer(3), 100) + 1);
  Ball infinite;
  arb_pos_inf(infinite.raw());
  CHECK_THROWS_AS(binary_exponent(infinite), DomainError);
  arb_indeterminate(infinite.raw());
  CHECK_THROWS_AS(binary_exponent(infinite), DomainError);
  CHECK_THROWS_AS(binary_exponent(Ball()), DomainError);
}

TEST_CASE("accuracy in bits, and the nearest double") {
  CHECK(relative_accuracy_bits(with_radius(1L << 40, 1)) >= 39);
  CHECK(relative_accuracy_bits(with_radius(1L << 40, 1)) <= 41);
  CHECK(relative_accuracy_bits(Ball(3L)) > 1'000'000);
  CHECK(relative_accuracy_bits(with_radius(1, 1000)) < 0);
  CHECK(to_double(Ball(Rational(1, 3), Precision(200))) == 1.0 / 3);
}

TEST_CASE("powers of two have exact logarithms") {
  for (const long exponent : {-1'000'000L, -1L, 0L, 1L, 52L, 1L << 40}) {
    const Ball value = log2(scale(Ball(1L), exponent), Precision(64));
    CHECK(is_exact(value));
    CHECK(contains(value, Rational(exponent)));
  }
  CHECK_FALSE(is_exact(log2(Ball(3L), Precision(64))));
}

TEST_CASE("operands outside the domain are named") {
  CHECK_THROWS_WITH_AS(div(Ball(1L), with_radius(0, 1), Precision(53)),
                       "division: the operand [-1, 1] is outside the domain (a divisor that excludes zero)",
                       DomainError);
  CHECK_THROWS_WITH_AS(sqrt(Ball(-2L), Precision(53)),
                       "square root: the operand [-2, -2] is outside the domain (zero or more)", DomainError);
  CHECK_THROWS_WITH_AS(log(Ball(), Precision(53)),
                       "logarithm: the operand [0, 0] is outside the domain (certainly positive)",
                       DomainError);
  CHECK_THROWS_AS(log2(with_radius(1, 1), Precision(53)), DomainError);
  CHECK(contains(sqrt(with_radius(0, 4), Precision(53)), Rational(2)));
}

TEST_CASE("infinite and undefined balls stay so") {
  Ball unknown;
  arb_indeterminate(unknown.raw());
  for (const Ball& result : {add(unknown, Ball(1L), Precision(53)), mul(unknown, Ball(), Precision(53)),
                             max(unknown, Ball(1L), Precision(53)), exp(unknown, Precision(53)), neg(unknown),
                             sqrt(unknown, Precision(53)), hull(unknown, Ball(1L), Precision(53))})
    CHECK_FALSE(is_finite(result));
  CHECK_FALSE(certainly_positive(unknown));
  CHECK_FALSE(certainly_less(unknown, Ball(1L)));
  CHECK(contains_zero(unknown));
  CHECK(overlap(unknown, Ball(1L)));
}
