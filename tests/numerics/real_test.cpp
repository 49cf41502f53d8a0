#include "numerics/real.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "numerics/errors.hpp"

using namespace rankfall;

TEST_CASE("a precision scope gives at least the bits asked for and nests") {
  const long outside = current_bits();
  {
    const PrecisionScope outer{Precision(1000)};
    CHECK(current_bits() >= 1000);
    CHECK(current_bits() <= 1008);
    {
      const PrecisionScope inner{Precision(2)};
      CHECK(current_bits() >= 2);
      CHECK(current_bits() <= 16);
    }
    CHECK(current_bits() >= 1000);
    const Real third = Real(1) / 3;
    CHECK(mpfr_get_prec(third.backend().data()) >= 1000);
    CHECK(abs(Real(3 * third - 1)) < ldexp(Real(1), -999));
  }
  CHECK(current_bits() == outside);
  for (long bits = 2; bits < 400; ++bits) {
    const PrecisionScope scope{Precision(bits)};
    CHECK(current_bits() >= bits);
  }
}

TEST_CASE("a precision out of range is refused with the range") {
  CHECK_THROWS_WITH_AS(PrecisionScope{Precision(1)}, "precision of 1 bits; allowed are 2 to 2147483648",
                       DomainError);
  CHECK_THROWS_AS(PrecisionScope{Precision(-5)}, DomainError);
}

TEST_CASE("a scope opens the widest exponent range and closes it again") {
  const mpfr_exp_t least = mpfr_get_emin();
  {
    const PrecisionScope scope{Precision(64)};
    Real tiny = ldexp(Real(1), -2000000000);
    for (int step = 0; step < 20; ++step) tiny *= tiny;
    CHECK(tiny > 0);
    CHECK(mpfr_get_emin() == mpfr_get_emin_min());
    CHECK(mpfr_get_emax() == mpfr_get_emax_max());
  }
  CHECK(mpfr_get_emin() == least);
}

TEST_CASE("exact values are rounded to nearest") {
  CHECK(rounded<double>(Rational(1, 10)) == 0.1);
  CHECK(rounded<double>(Rational(-2, 3)) == -2.0 / 3.0);
  CHECK(rounded<float>(Rational(2, 3)) == 2.0F / 3.0F);
  CHECK(rounded<double>(power(Rational(10), 400)) == INFINITY);
  CHECK(rounded<double>(power(Rational(10), -400)) == 0.0);
  // Halfway above 1: to even; a hair more: up.
  const Rational half_ulp = power(Rational(2), -53);
  CHECK(rounded<double>(1 + half_ulp) == 1.0);
  CHECK(rounded<double>(1 + half_ulp * Rational(1025, 1024)) == 1.0 + std::numeric_limits<double>::epsilon());

  const PrecisionScope scope{Precision(200)};
  const ExactMatrix exact = ExactMatrix::from(1, 2, {Rational(1, 3), Rational(-5)});
  const Matrix<Real> matrix = rounded<Real>(exact);
  CHECK(matrix(0, 1) == -5);
  CHECK(abs(Real(3 * matrix(0, 0) - 1)) < ldexp(Real(1), -199));
  CHECK(rounded<float>(exact)(0, 1) == -5.0F);
}

TEST_CASE("a Real becomes the ball of its exact value") {
  const PrecisionScope scope{Precision(300)};
  const Rational dyadic = Rational(power(Integer(7), 90)) * power(Rational(2), -2000);
  const Ball ball = to_ball(rounded<Real>(dyadic));
  CHECK(is_exact(ball));
  CHECK(contains(ball, dyadic));
  CHECK(is_zero(to_ball(Real(0))));
  CHECK_THROWS_AS(to_ball(Real(1) / Real(0)), DomainError);
}
