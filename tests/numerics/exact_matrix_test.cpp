#include <doctest/doctest.h>

#include <limits>

#include "numerics/errors.hpp"
#include "numerics/matrix.hpp"

using namespace rankfall;

namespace {

Rational ratio(long top, long bottom) {
  return Rational(Integer(top), Integer(bottom));
}

}  // namespace

TEST_CASE("an exact matrix gives back its entries") {
  const auto thirds = ExactMatrix::from(2, 2, {ratio(1, 3), ratio(-1, 2), Rational(0), ratio(7, 1)});
  CHECK(thirds(0, 0) == ratio(1, 3));
  CHECK(thirds(0, 1) == ratio(-1, 2));
  CHECK(thirds(1, 1) == 7);
  const auto doubles = ExactMatrix::from(1, 3, std::vector<double>{0.1, -2.0, 5e-324});
  CHECK(doubles(0, 0) == ratio(3602879701896397, 36028797018963968));
  CHECK(doubles(0, 1) == -2);
  CHECK(doubles(0, 2) == power(Rational(2), -1074));
  CHECK(ExactMatrix(2, 3)(1, 2) == 0);
  CHECK(ExactMatrix::identity(3)(2, 2) == 1);
  CHECK(ExactMatrix::identity(3)(2, 1) == 0);
}

TEST_CASE("equality looks at the values, however they were given") {
  const auto from_rationals = ExactMatrix::from(1, 2, {ratio(1, 2), Rational(3)});
  const auto from_doubles = ExactMatrix::from(1, 2, std::vector<double>{0.5, 3.0});
  CHECK(from_rationals == from_doubles);
  CHECK(ExactMatrix::from(1, 1, std::vector<double>{-0.0}) == ExactMatrix(1, 1));
  CHECK_FALSE(from_doubles == ExactMatrix::from(2, 1, std::vector<double>{0.5, 3.0}));
  CHECK_FALSE(from_doubles == ExactMatrix::from(1, 2, {ratio(1, 3), Rational(3)}));
  CHECK(ExactMatrix() == ExactMatrix());
  CHECK(ExactMatrix().empty());
  CHECK_FALSE(from_doubles.empty());
}

TEST_CASE("balls enclose the entries, exactly where they fit") {
  const auto matrix = ExactMatrix::from(1, 3, {ratio(1, 3), ratio(5, 8), Rational(0)});
  for (const long bits : {24L, 53L, 200L}) {
    const BallMatrix balls = matrix.balls(Precision(bits));
    CHECK(contains(balls(0, 0), ratio(1, 3)));
    CHECK(relative_accuracy_bits(balls(0, 0)) >= bits - 2);
    CHECK(is_exact(balls(0, 1)));
    CHECK(contains(balls(0, 1), ratio(5, 8)));
    CHECK(is_zero(balls(0, 2)));
    CHECK(overlap(balls(0, 0), matrix.ball(0, 0, Precision(2 * bits))));
  }
  const auto doubles = ExactMatrix::from(1, 1, std::vector<double>{0.1});
  CHECK(contains(doubles.ball(0, 0, Precision(20)), doubles(0, 0)));
}

TEST_CASE("nearest doubles") {
  const auto matrix = ExactMatrix::from(2, 1, {ratio(1, 10), ratio(-2, 3)});
  CHECK(matrix.nearest()(0, 0) == 0.1);
  CHECK(matrix.nearest()(1, 0) == -2.0 / 3.0);
  CHECK(ExactMatrix::identity(2).nearest()(1, 1) == 1.0);
}

TEST_CASE("wrong sizes and values that are no numbers are refused") {
  CHECK_THROWS_WITH_AS(ExactMatrix::from(2, 2, std::vector<double>(3)),
                       "ExactMatrix: 3 entries for the shape 2 x 2", DomainError);
  CHECK_THROWS_AS(ExactMatrix::from(2, 2, std::vector<Rational>(5)), DomainError);
  CHECK_THROWS_AS(ExactMatrix::from(-1, -1, std::vector<double>(1)), DomainError);
  CHECK_THROWS_AS(ExactMatrix::from(1L << 62, 4, std::vector<double>()), DomainError);
  CHECK_THROWS_AS(ExactMatrix(-1, 2), DomainError);
  CHECK_THROWS_AS(ExactMatrix(1L << 40, 1L << 40), DomainError);
  CHECK_THROWS_AS(ExactMatrix::from(1, 1, std::vector<double>{std::numeric_limits<double>::infinity()}),
                  DomainError);
  CHECK_THROWS_AS(ExactMatrix::from(1, 1, std::vector<double>{std::numeric_limits<double>::quiet_NaN()}),
                  DomainError);
}
