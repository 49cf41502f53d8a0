#include "numerics/near.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numerics/norms.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

TEST_CASE("a near double is within its bound, at every size") {
  Draws draws(901);
  for (int round = 0; round < 500 * test::multiplier(); ++round) {
    Ball a = draws.ball(draws.integer(2, 400), draws.integer(2, 60));
    if (round % 3 == 0) a = scale(a, draws.integer(-1400, 700));
    const Rational x = test::exact(arb_midref(a.raw()));
    const double near = near_double(a);
    const Rational apart = abs(Rational(Rational(near) - x));
    CHECK(apart <= std::max(Rational(abs(x) * test::two_to(-52)), test::two_to(-500)));
  }
  CHECK(near_double(Ball(0L)) == 0);
  CHECK(near_double(Ball(-3L)) == -3);
  CHECK(near_double(scale(Ball(1), 5000)) == HUGE_VAL);
  CHECK(near_double(scale(Ball(1), -5000)) == 0);
}

TEST_CASE("the largest is never left out, and what lies clearly below is") {
  CHECK(may_be_largest({}, {}).empty());
  CHECK(may_be_largest({1, 3, 2}, {0, 0, 0}) == std::vector<Index>{1});
  CHECK(may_be_largest({1, 3, 2}, {0, 0.5, 0.5}) == std::vector<Index>{1, 2});
  CHECK(may_be_largest({1, 3, 2}, {3, 0, 0}) == std::vector<Index>{0, 1});
  CHECK(may_be_largest({0, 0}, {0, 0}) == std::vector<Index>{0, 1});
  CHECK(may_be_largest({-2, -1}, {0, 0}) == std::vector<Index>{1});
  CHECK(may_be_largest({HUGE_VAL, 1, 7}, {0, 0, 0}) == std::vector<Index>{0, 2});
  CHECK(may_be_largest({NAN, 1, 7}, {0, 0, HUGE_VAL}) == std::vector<Index>{0, 1, 2});
}

TEST_CASE("sums that differ by less than doubles see are told apart by balls") {
  // Two columns whose sums differ by 2^-90, and entries beyond the range of doubles.
  const Precision p(256);
  for (const long exponent : {0L, -3000L, 3000L}) {
    BallMatrix a(2, 2);
    a(0, 0) = scale(Ball(1), exponent);
    a(1, 0) = scale(Ball(-1), exponent);
    a(0, 1) = scale(add(Ball(1), scale(Ball(1), -90L), p), exponent);
    a(1, 1) = scale(Ball(1), exponent);
    const Ball expected = scale(add(Ball(2), scale(Ball(1), -90L), p), exponent);
    CHECK(arb_equal(norm_1(a, p).raw(), expected.raw()));
    CHECK(arb_equal(norm_inf(a, p).raw(), expected.raw()));
    const BallVector median = reference_row(a, Reference::median, p);
    CHECK(arb_contains_si(median(0).raw(), 0));
    CHECK(arb_contains(median(1).raw(), scale(expected, -1).raw()));
  }
}
