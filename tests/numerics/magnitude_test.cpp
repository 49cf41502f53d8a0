#include "numerics/magnitude.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <optional>

#include "numerics/errors.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using test::Interval;
using test::log2_of;
using Sign = Magnitude::Sign;

namespace {

constexpr long precisions[] = {24, 53, 128};

Ball as_ball(const Interval& value) {
  return hull(Ball(value.low, Precision(600)), Ball(value.high, Precision(600)), Precision(600));
}

/// Whether the enclosure of a logarithm may be that of x > 0, as sharply as the oracle is narrow. In balls,
/// because their exponents may be beyond what a rational can hold.
bool log2_holds(const Magnitude& m, const Interval& log2) {
  return overlap(m.log2(), as_ball(log2));
}
bool log2_holds(const Magnitude& m, const Rational& log2) {
  return contains(m.log2(), log2);
}

/// Whether m may be the number x.
bool holds(const Magnitude& m, const Rational& x) {
  switch (m.sign()) {
    case Sign::zero:
      return x == 0;
    case Sign::positive:
      return x > 0 && log2_holds(m, log2_of(x));
    case Sign::negative:
      return x < 0 && log2_holds(m, log2_of(Rational(-x)));
    case Sign::unknown:
      return x == 0 || !certainly_less(upper(m.log2(), Precision(300)), as_ball(log2_of(Rational(abs(x)))));
  }
  return false;
}

/// A magnitude of every kind of sign and width, with numbers that it holds.
struct Sample {
  Magnitude magnitude;
  std::vector<Rational> points;
};

Sample sample(Draws& draws, bool may_be_wide = true) {
  const long kind = draws.integer(0, may_be_wide ? 9 : 5);
  if (kind == 0) return {Magnitude(), {Rational(0)}};
  Ball ball = kind <= 3 ? Ball(draws.dyadic(), Precision(64)) : draws.ball(draws.integer(5, 60), 30);
  if (kind >= 6) ball = draws.ball(draws.integer(0, 3), 3);  // wide
  if (kind >= 8) ball = draws.ball(-4, 3);                   // of unknown sign
  const Integer exponent = draws.integer(-40, 40);
  Sample result{Magnitude(ball, exponent, Precision(100)), test::points_of(ball, draws)};
  for (Rational& point : result.points) point *= test::two_to(exponent.convert_to<long>());
  return result;
}

using Binary = Magnitude (*)(const Magnitude&, const Magnitude&, Precision);
using ExactBinary = std::function<std::optional<Rational>(const Rational&, const Rational&)>;

void check_binary(Binary f, const ExactBinary& f_exact, std::uint64_t seed) {
  Draws draws(seed);
  int evaluated = 0;
  for (int round = 0; round < 40 * test::multiplier(); ++round) {
    const Sample a = sample(draws), b = sample(draws);
    for (const long bits : precisions) {
      std::optional<Magnitude> result;
      try {
        result = f(a.magnitude, b.magnitude, Precision(bits));
      } catch (const DomainError&) {
        continue;
      }
      ++evaluated;
      for (const Rational& x : a.points)
        for (const Rational& y : b.points) {
          const std::optional<Rational> value = f_exact(x, y);
          if (!value || !holds(*result, *value))
            FAIL_CHECK("bits " << bits << ": f(" << x << ", " << y << ") got out");
        }
    }
  }
  CHECK(evaluated > 60);
}

/// Narrowness of log2, absolute.
long log2_bits(const Magnitude& m) {
  Ball radius;
  arf_set_mag(arb_midref(radius.raw()), arb_radref(m.log2().raw()));
  return is_zero(radius) ? 1'000'000 : -binary_exponent(radius).convert_to<long>();
}

Magnitude of(const Rational& x) {
  return Magnitude(x, Precision(128));
}

}  // namespace

TEST_CASE("a magnitude holds the numbers it was made from") {
  Draws draws(51);
  for (int round = 0; round < 100 * test::multiplier(); ++round) {
    const Sample a = sample(draws);
    for (const Rational& x : a.points) CHECK(holds(a.magnitude, x));
  }
  CHECK(Magnitude(Ball(3L), Precision(53)).sign() == Sign::positive);
  CHECK(Magnitude(Ball(-3L), Precision(53)).sign() == Sign::negative);
  CHECK(Magnitude(Ball(), Precision(53)).is_zero());
  CHECK(of(Rational(0)).is_zero());
  CHECK(is_exact(of(Rational(1, 1024)).log2()));
  Ball unknown;
  arb_indeterminate(unknown.raw());
  CHECK(Magnitude(unknown, Precision(53)).sign() == Sign::unknown);
  CHECK_FALSE(is_finite(Magnitude(unknown, Precision(53)).log2()));
  CHECK_THROWS_WITH_AS(Magnitude().log2(), "logarithm of a magnitude that is exactly zero", DomainError);
}

TEST_CASE("sums, differences, products, quotients, maxima and hulls hold every exact result") {
  check_binary(
      add, [](const Rational& x, const Rational& y) { return Rational(x + y); }, 1);
  check_binary(
      sub, [](const Rational& x, const Rational& y) { return Rational(x - y); }, 2);
  check_binary(
      mul, [](const Rational& x, const Rational& y) { return Rational(x * y); }, 3);
  check_binary(
      div,
      [](const Rational& x, const Rational& y) {
        return y == 0 ? std::nullopt : std::optional(Rational(x / y));
      },
      4);
  check_binary(
      max, [](const Rational& x, const Rational& y) { return std::max(x, y); }, 5);
  check_binary(
      min, [](const Rational& x, const Rational& y) { return std::min(x, y); }, 6);
  check_binary(
      hull, [](const Rational& x, const Rational&) { return x; }, 7);
  check_binary(
      hull, [](const Rational&, const Rational& y) { return y; }, 8);
}

TEST_CASE("negation and absolute value") {
  Draws draws(53);
  for (int round = 0; round < 100; ++round) {
    const Sample a = sample(draws);
    for (const Rational& x : a.points) {
      CHECK(holds(neg(a.magnitude), Rational(-x)));
      CHECK(holds(abs(a.magnitude), Rational(abs(x))));
    }
  }
  CHECK(abs(of(Rational(-5))).certainly_positive());
}

TEST_CASE("rational powers hold every exact result") {
  Draws draws(55);
  for (int round = 0; round < 100 * test::multiplier(); ++round) {
    const Sample a = sample(draws);
    for (const long exponent : {-3L, -2L, -1L, 0L, 1L, 2L, 3L, 7L}) {
      std::optional<Magnitude> result;
      const bool may_be_zero = a.magnitude.is_zero() || a.magnitude.sign() == Sign::unknown;
      if (exponent < 0 && may_be_zero) {
        CHECK_THROWS_AS(power(a.magnitude, Rational(exponent), Precision(64)), DomainError);
        continue;
      }
      const Magnitude value = power(a.magnitude, Rational(exponent), Precision(64));
      for (const Rational& x : a.points)
        if (!holds(value, x == 0 && exponent == 0 ? Rational(1) : power(x, exponent)))
          FAIL_CHECK(x << " to the power " << exponent << " got out");
    }
    if (a.magnitude.sign() == Sign::negative) {
      CHECK_THROWS_AS(sqrt(a.magnitude, Precision(64)), DomainError);
      continue;
    }
    const Magnitude root = sqrt(a.magnitude, Precision(64));
    const Magnitude squares =
        power(power(a.magnitude, Rational(2, 3), Precision(64)), Rational(3), Precision(64));
    for (const Rational& x : a.points) {
      if (x < 0) continue;
      CHECK(holds(power(root, Rational(2), Precision(64)), x));
      CHECK(holds(root, test::middle(test::sqrt_of(x))));
      CHECK(holds(squares, Rational(x * x)));
    }
  }
  CHECK_THROWS_WITH_AS(power(Magnitude(), Rational(-1), Precision(53)), "zero to the negative power -1",
                       DomainError);
  CHECK_THROWS_WITH_AS(sqrt(of(Rational(-4)), Precision(53)), "a negative number to the fractional power 0.5",
                       DomainError);
}

TEST_CASE("exp, log and tanh hold every exact result, of every sign") {
  Draws draws(57);
  int logarithms = 0;
  for (int round = 0; round < 60 * test::multiplier(); ++round) {
    Sample a = sample(draws);
    Rational size = 0;
    for (const Rational& x : a.points) size = std::max(size, Rational(abs(x)));
    if (size > 60) {  // keep the oracle quick
      const Rational factor =
          test::two_to(-static_cast<long>(msb(Integer(numerator(size) / denominator(size)))) + 4);
      a.magnitude = mul(a.magnitude, Magnitude(factor, Precision(128)), Precision(128));
      for (Rational& x : a.points) x *= factor;
    }
    for (const long bits : precisions) {
      const Magnitude e = exp(a.magnitude, Precision(bits)), t = tanh(a.magnitude, Precision(bits));
      CHECK(e.certainly_positive());
      for (const Rational& x : a.points) {
        CHECK(holds(e, test::middle(test::exp_of(x))));
        if (abs(x) > test::two_to(-60)) CHECK(holds(t, test::middle(test::tanh_of(x))));
        if (!a.magnitude.certainly_positive()) continue;
        const Magnitude l = log(a.magnitude, Precision(bits));
        CHECK(holds(l, test::middle(test::log_of(x))));
        ++logarithms;
      }
    }
    if (!a.magnitude.certainly_positive()) CHECK_THROWS_AS(log(a.magnitude, Precision(53)), DomainError);
  }
  CHECK(logarithms > 50);
}

TEST_CASE("powers with an inexact exponent") {
  Draws draws(59);
  for (int round = 0; round < 100; ++round) {
    const Rational base = abs(draws.fraction(10)) + Rational(1, 100);
    const long exponent = draws.integer(-20, 20);
    Ball about(exponent);
    arb_add_error_2exp_si(about.raw(), draws.integer(-60, -10));
    const Magnitude value = power(of(base), Magnitude(about, Precision(100)), Precision(100));
    CHECK(holds(value, power(base, exponent)));
  }
  CHECK_THROWS_AS(power(of(Rational(-2)), of(Rational(1, 3)), Precision(53)), DomainError);
  CHECK(holds(power(of(Rational(-2)), Magnitude(), Precision(53)), Rational(1)));
}

TEST_CASE("sums lose next to nothing") {
  Draws draws(61);
  for (int round = 0; round < 100; ++round) {
    const Rational x = abs(draws.fraction()) + 1, y = abs(draws.fraction()) + 1;
    CHECK(log2_bits(add(of(x), of(y), Precision(128))) >= 115);
    if (x == y) continue;
    const Rational lost = abs(Rational((x - y) / (x + y)));
    const long cancelled =
        static_cast<long>(msb(denominator(lost))) - static_cast<long>(msb(numerator(lost)));
    CHECK(log2_bits(sub(of(x), of(y), Precision(128))) >= 112 - cancelled);
    CHECK(sub(of(x), of(y), Precision(128)).sign() == (x > y ? Sign::positive : Sign::negative));
  }
  // 1 - (1 - 2^-100): the logarithm of a number near 1 is known to its own last bit.
  const Magnitude near = of(Rational(1 - test::two_to(-100)));
  const Magnitude gap = sub(of(Rational(1)), near, Precision(128));
  REQUIRE(gap.certainly_positive());
  CHECK(holds(gap, test::two_to(-100)));
  CHECK(log2_bits(gap) >= 20);
}

TEST_CASE("what cancels leaves a bound by the widths, and nothing at all when both are exact") {
  const Magnitude exact_value = Magnitude::from_log2(Ball(Rational(1, 1024), Precision(64)));
  CHECK(sub(exact_value, exact_value, Precision(64)).is_zero());
  const Magnitude third = of(Rational(1, 3)), rest = sub(third, third, Precision(128));
  REQUIRE(rest.sign() == Sign::unknown);
  CHECK(to_double(upper(rest.log2(), Precision(53))) < -110);
  CHECK(to_double(upper(rest.log2(), Precision(53))) > -140);
  // Ends so near each other that their difference rounds to an interval about zero.
  Ball wide(-1L);
  arb_add_error(wide.raw(), Ball(Rational(1 - test::two_to(-29)), Precision(64)).raw());
  for (const long bits : precisions) {
    const Magnitude small = Magnitude::from_log2(wide), one = of(Rational(1));
    const Magnitude difference = sub(one, small, Precision(bits));
    CHECK(holds(difference, Rational(3, 4)));
    CHECK(holds(difference, Rational(1, 2)));
  }
}

TEST_CASE("logarithms of the size of 3^400") {
  const Integer huge = power(Integer(3), 400);
  for (const long bits : {24L, 128L, 700L}) {
    const Precision p(bits);
    for (const int side : {1, -1}) {
      CAPTURE(bits);
      CAPTURE(side);
      const Rational size = Rational(huge) * side;
      const Magnitude x = Magnitude::from_log2(Ball(Integer(huge * side)));
      CHECK(log2_holds(add(x, x, p), Rational(size + 1)));
      CHECK(log2_holds(mul(x, x, p), Rational(2 * size)));
      CHECK(log2_holds(mul(x, neg(x), p), Rational(2 * size)));
      CHECK(mul(x, neg(x), p).sign() == Sign::negative);
      CHECK(log2_holds(sqrt(x, p), Rational(size / 2)));
      CHECK(log2_holds(power(x, Rational(-7, 5), p), Rational(size * Rational(-7, 5))));
      CHECK(log2_holds(div(of(Rational(8)), x, p), Rational(3 - size)));
      const Magnitude quarter = mul(x, of(Rational(1, 4)), p), three_quarters = sub(x, quarter, p);
      if (three_quarters.sign() == Sign::positive) {
        const Rational expected = Rational(size) + test::middle(log2_of(Rational(3, 4)));
        CHECK(log2_holds(three_quarters, expected));
      }
      CHECK((bits < 700 || three_quarters.sign() == Sign::positive));
      const Rational log10 = test::middle(test::log_of(2)) / test::middle(test::log_of(10)) * size;
      const Rational slack = abs(log10) * test::two_to(-390);
      CHECK(test::holds(x.log10(p), Interval{Rational(log10 - slack), Rational(log10 + slack)}));
    }
  }
  const Magnitude large = Magnitude::from_log2(Ball(huge)),
                  small = Magnitude::from_log2(Ball(Integer(-huge)));
  const Precision p(128);
  CHECK(certainly_less(small, large));
  CHECK(certainly_less(neg(large), small));
  CHECK(overlap(add(small, of(Rational(1)), p), of(Rational(1))));
  CHECK(tanh(small, p).certainly_positive());
  CHECK(log2_holds(tanh(small, p), Rational(-huge)));
  CHECK(holds(tanh(large, p), Rational(1)));
  CHECK(tanh(neg(large), p).sign() == Sign::negative);
  CHECK(holds(exp(small, p), Rational(1)));
  CHECK(log2_bits(exp(small, p)) > 120);
  CHECK(holds(exp(neg(small), p), Rational(1)));
  CHECK(log2_holds(log(large, p), log2_of(Rational(Rational(huge) * test::middle(test::log_of(2))))));
  CHECK(holds(power(of(Rational(3)), small, p), Rational(1)));
  // (1/2)^(3^400): the exponent as a number, the value as a magnitude.
  CHECK(log2_holds(power(of(Rational(1, 2)), of(Rational(huge)), p), Rational(-huge)));
  CHECK(certainly_less(exp(neg(large), p), small));
  CHECK(certainly_less(large, exp(large, p)));
  CHECK_THROWS_AS(large.to_ball(p), DomainError);
  CHECK_THROWS_AS(small.to_ball(p), DomainError);
  CHECK(is_finite(Magnitude::from_log2(Ball(Integer(-huge)), Sign::unknown).to_ball(p)));
}

TEST_CASE("tanh of a magnitude whose logarithm spans everything") {
  Ball wide;
  arb_add_error(wide.raw(), Ball(power(Integer(10), 100)).raw());
  const Magnitude t = tanh(Magnitude::from_log2(wide), Precision(53));
  CHECK(holds(t, Rational(1)));
  CHECK(holds(t, test::two_to(-500)));
  CHECK(certainly_less(t.log2(), Ball(power(Integer(10), 92))));  // a ball of such a width has a blurred end
}

TEST_CASE("balls and magnitudes convert both ways") {
  Draws draws(63);
  for (int round = 0; round < 100; ++round) {
    const Sample a = sample(draws);
    const Ball ball = a.magnitude.to_ball(Precision(100));
    for (const Rational& x : a.points) CHECK(test::holds(ball, x));
  }
  CHECK(relative_accuracy_bits(of(Rational(7, 3)).to_ball(Precision(128))) > 115);
  CHECK(relative_accuracy_bits(of(test::two_to(-5000) * 7).to_ball(Precision(128))) > 105);
}

TEST_CASE("order is certain or absent") {
  Draws draws(65);
  for (int round = 0; round < 200 * test::multiplier(); ++round) {
    const Sample a = sample(draws), b = sample(draws);
    const bool less = certainly_less(a.magnitude, b.magnitude);
    const bool less_equal = certainly_less_equal(a.magnitude, b.magnitude);
    for (const Rational& x : a.points)
      for (const Rational& y : b.points) {
        if (less) CHECK(x < y);
        if (less_equal) CHECK(x <= y);
        if (x == y) CHECK(overlap(a.magnitude, b.magnitude));
      }
  }
  CHECK(certainly_less(of(Rational(1, 3)), of(Rational(1, 2))));
  CHECK(certainly_less(of(Rational(-1, 2)), of(Rational(-1, 3))));
  CHECK(certainly_less(Magnitude(), of(Rational(1, 3))));
  CHECK(certainly_less(of(Rational(-1, 3)), Magnitude()));
  CHECK(certainly_less_equal(of(Rational(1, 4)), of(Rational(1, 4))));
  CHECK(certainly_less_equal(Magnitude(), Magnitude()));
  CHECK_FALSE(certainly_less(Magnitude(), Magnitude()));
  const Magnitude blurred = Magnitude::from_log2(Ball(-1L), Sign::unknown);  // |x| <= 1/2
  CHECK(certainly_less(blurred, of(Rational(3, 4))));
  CHECK(certainly_less(of(Rational(-3, 4)), blurred));
  CHECK_FALSE(certainly_less(blurred, of(Rational(1, 4))));
  CHECK(overlap(blurred, Magnitude()));
}

TEST_CASE("the maximum with a number of unknown sign keeps what is certain") {
  const Magnitude blurred = Magnitude::from_log2(Ball(3L), Sign::unknown);  // |x| <= 8
  for (const Magnitude& top :
       {max(of(Rational(2)), blurred, Precision(53)), max(blurred, of(Rational(2)), Precision(53))}) {
    CHECK(top.certainly_positive());
    CHECK(holds(top, Rational(2)));
    CHECK(holds(top, Rational(8)));
    CHECK_FALSE(holds(top, Rational(1)));
  }
  CHECK(min(of(Rational(-2)), blurred, Precision(53)).sign() == Sign::negative);
  CHECK(max(of(Rational(-2)), of(Rational(-3)), Precision(53)).sign() == Sign::negative);
}
