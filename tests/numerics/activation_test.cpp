#include "numerics/activation.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "numerics/san/direct.hpp"
#include "tests/support.hpp"

using namespace rankfall;

namespace {

constexpr Activation smooth[] = {Activation::gelu, Activation::gelu_tanh, Activation::tanh, Activation::silu};

std::string name(Activation activation) {
  switch (activation) {
    case Activation::identity:
      return "identity";
    case Activation::relu:
      return "relu";
    case Activation::gelu:
      return "gelu";
    case Activation::gelu_tanh:
      return "gelu_tanh";
    case Activation::tanh:
      return "tanh";
    case Activation::silu:
      return "silu";
  }
  return "?";
}

/// f(b) - f(a) by MPFR, in the textbook formulas of the direct evaluation, as a ball with a generous error.
Ball witness(Activation activation, const Rational& a, const Rational& b, long bits) {
  const PrecisionScope scope{Precision(bits)};
  Matrix<Real> points(1, 2);
  points << rounded<Real>(a), rounded<Real>(b);
  const Matrix<Real> images = activated(activation, points);
  const Ball result = to_ball(Real(images(0, 1) - images(0, 0)));
  const Ball error = scale(max(Ball(1), abs(Ball(b, Precision(64))), Precision(64)), 24 - bits);
  return add(result, symmetric(error), Precision(bits));
}

Rational power_of_two(long exponent) {
  return power(Rational(2), exponent);
}

/// A ball around `centre` of radius 2^log2_radius, and one of its points.
struct Sampled {
  Ball ball;
  Rational point;
};
Sampled sampled(std::mt19937_64& bits, const Rational& centre, long log2_radius) {
  const Precision exact(4000);
  const Ball radius = scale(Ball(1), log2_radius);
  const Rational fraction(static_cast<long>(bits() % 2001) - 1000, 1000);
  return {add(Ball(centre, exact), symmetric(radius), exact), centre + fraction * power_of_two(log2_radius)};
}

Rational coordinate(std::mt19937_64& bits) {
  return Rational(static_cast<long>(bits() % 16384) - 8192, 1024);
}

}  // namespace

TEST_CASE("values contain the textbook formulas in MPFR and are tight") {
  std::mt19937_64 bits(1);
  for (const Activation activation : {Activation::identity, Activation::relu, Activation::gelu,
                                      Activation::gelu_tanh, Activation::tanh, Activation::silu}) {
    CAPTURE(name(activation));
    for (int trial = 0; trial < 40 * test::multiplier(); ++trial) {
      const Rational x = coordinate(bits);
      const Ball exact = witness(activation, 0, x, 500);
      for (const long p : {53L, 200L}) {
        const Ball enclosure = value(activation, Ball(x, Precision(400)), Precision(p));
        CHECK(overlap(enclosure, exact));
        CHECK((is_zero(enclosure) || relative_accuracy_bits(enclosure) >= p - 4));
      }
    }
  }
}

TEST_CASE("differences contain every pair of points of their balls") {
  std::mt19937_64 bits(2);
  for (const Activation activation : {Activation::identity, Activation::relu, Activation::gelu,
                                      Activation::gelu_tanh, Activation::tanh, Activation::silu})
    for (const long exponent : {3L, 0L, -3L, -6L, -40L, -300L}) {
      CAPTURE(name(activation));
      CAPTURE(exponent);
      for (int trial = 0; trial < 12 * test::multiplier(); ++trial) {
        const Sampled y = sampled(bits, coordinate(bits), -10L * (trial % 7));
        const Sampled r =
            sampled(bits, Rational(static_cast<long>(bits() % 2048) - 1024, 1024), -9L * (trial % 5));
        const Ball exact =
            scale(witness(activation, y.point, y.point + r.point * power_of_two(exponent), 1000), -exponent);
        for (const long p : {64L, 256L}) {
          const Ball enclosure = difference(activation, y.ball, r.ball, Integer(exponent), Precision(p));
          CHECK(is_finite(enclosure));
          CHECK(overlap(enclosure, exact));
        }
      }
    }
}

TEST_CASE("differences of exact points keep nearly all bits at any step") {
  std::mt19937_64 bits(3);
  for (const Activation activation : smooth)
    for (const long exponent :
         {2L, 0L, -1L, -2L, -3L, -4L, -5L, -6L, -8L, -16L, -64L, -127L, -128L, -200L, -1000L}) {
      CAPTURE(name(activation));
      CAPTURE(exponent);
      for (int trial = 0; trial < 8 * test::multiplier(); ++trial) {
        const Rational y = coordinate(bits), r(static_cast<long>(bits() % 2048) - 1024, 1023);
        if (r.is_zero()) continue;
        const Ball exact = scale(witness(activation, y, y + r * power_of_two(exponent), 2500), -exponent);
        for (const long p : {53L, 128L}) {
          const Ball enclosure = difference(activation, Ball(y, Precision(1000)), Ball(r, Precision(1000)),
                                            Integer(exponent), Precision(p));
          CHECK(overlap(enclosure, exact));
          CHECK(relative_accuracy_bits(enclosure) >= p - 12);
        }
      }
    }
}

TEST_CASE("a step below every exponent range is the derivative to all bits") {
  const Precision p(128);
  const Integer far = -power(Integer(3), 400);
  for (const Activation activation : smooth)
    for (const Integer& exponent : {Integer(-100000), far})
      for (const int quarter : {-9, -2, 0, 1, 7}) {
        CAPTURE(name(activation));
        CAPTURE(quarter);
        const Ball y(Rational(quarter, 4), p), r(Rational(-3, 7), p);
        const Ball enclosure = difference(activation, y, r, exponent, p);
        CHECK(overlap(enclosure, mul(r, derivative(activation, y, p), p)));
        CHECK(relative_accuracy_bits(enclosure) >= 116);
      }
}

TEST_CASE("a residual of zero stays exactly zero") {
  for (const Activation activation : {Activation::identity, Activation::relu, Activation::gelu,
                                      Activation::gelu_tanh, Activation::tanh, Activation::silu})
    CHECK(is_zero(
        difference(activation, Ball(Rational(1, 3), Precision(64)), Ball(), Integer(-7), Precision(64))));
}

TEST_CASE("relu: exact on either side of the kink, both sides where it is not resolved") {
  const Precision p(64);
  const auto relu = [&](const Ball& y, const Ball& r, long exponent) {
    return difference(Activation::relu, y, r, Integer(exponent), p);
  };
  const Ball third = Ball(Rational(1, 3), p);
  CHECK(overlap(relu(Ball(1), third, -50), third));
  CHECK(relative_accuracy_bits(relu(Ball(1), third, -50)) >= 60);
  CHECK(is_zero(relu(Ball(-1), third, -50)));
  CHECK(contains(relu(Ball(1), Ball(-3), 0), Rational(-1)));  // crosses downwards: 0 - 1
  CHECK(is_exact(relu(Ball(1), Ball(-3), 0)));
  CHECK(contains(relu(Ball(-1), Ball(3), 0), Rational(2)));  // upwards: 2 - 0
  CHECK(is_exact(relu(Ball(-1), Ball(3), 0)));
  CHECK(contains(relu(Ball(0), Ball(5), -100000), Rational(5)));
  CHECK(is_exact(relu(Ball(0), Ball(5), -100000)));
  CHECK(is_zero(relu(Ball(0), Ball(-5), -100000)));

  // y = 0 +- 2^-20 against a step of 2^-100000: the sign of y decides between r and 0, and is not known.
  const Ball kink = symmetric(scale(Ball(1), -20L));
  const Ball unresolved = relu(kink, Ball(1), -100000);
  CHECK(contains(unresolved, Rational(0)));
  CHECK(contains(unresolved, Rational(1)));
  CHECK(certainly_less(unresolved, Ball(Rational(1001, 1000), p)));
  // The same y is resolved by a step of 1: max(y + 1, 0) - max(y, 0) lies in [1 - 2^-20, 1].
  const Ball narrow = relu(kink, Ball(1), 0);
  CHECK(contains(narrow, Rational(1)));
  CHECK(relative_accuracy_bits(narrow) >= 18);
  CHECK(contains_zero(relu(kink, Ball(-1), 0)));
  CHECK(relative_accuracy_bits(add(Ball(1), relu(kink, Ball(-1), 0), p)) >= 18);
}

TEST_CASE("far tails and wide balls are enclosed, not lost") {
  const Precision p(64);
  for (const Activation activation : smooth) {
    CAPTURE(name(activation));
    const bool bounded = activation == Activation::tanh;
    for (const long log2_size : {7L, 20L, 61L, 130L, 5000L}) {
      const Ball far = scale(Ball(1), log2_size);
      CHECK(overlap(value(activation, far, p), bounded ? Ball(1) : far));
      CHECK(overlap(scale(value(activation, neg(far), p), 40L),
                    bounded ? scale(Ball(-1), 40L) : symmetric(Ball(1))));
      const Ball step = difference(activation, neg(far), Ball(1), Integer(-3), p);
      CHECK(is_finite(step));
      CHECK(overlap(step, symmetric(scale(Ball(1), -40L))));
      CHECK(overlap(difference(activation, far, Ball(1), Integer(-3), p),
                    bounded ? symmetric(scale(Ball(1), -40L)) : Ball(1)));
    }
    for (const long log2_width : {0L, 3L, 200L}) {
      const Ball wide = symmetric(scale(Ball(1), log2_width));
      CHECK(contains(value(activation, wide, p), value(activation, Ball(0), p)));
      CHECK(overlap(value(activation, wide, p), value(activation, Ball(1), p)));
      CHECK(contains_zero(difference(activation, wide, wide, Integer(0), p)));
      CHECK(overlap(derivative(activation, wide, p), derivative(activation, Ball(Rational(1, 2), p), p)));
    }
  }
}
