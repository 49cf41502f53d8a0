#include "numerics/least_singular_value.hpp"

#include <doctest/doctest.h>

#include "numerics/norms.hpp"
#include "numerics/product.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

constexpr Precision p(128);

Ball least(const ExactMatrix& a) {
  return least_singular_value(a.balls(p), p);
}

}  // namespace

TEST_CASE("the least singular value of matrices whose singular values are known") {
  CHECK(contains(least(ExactMatrix::identity(4)), Rational(1)));
  CHECK(contains(least(test::matrix(2, 2, {0, 3, -7, 0})), Rational(3)));
  CHECK(contains(least(test::matrix(1, 2, {3, 4})), Rational(5)));
  const Ball golden = least(test::matrix(2, 2, {1, 1, 0, 1}));  // (sqrt 5 - 1)/2
  CHECK(overlap(golden, scale(sub(sqrt(Ball(5), p), Ball(1), p), -1)));
  CHECK(relative_accuracy_bits(golden) >= 100);
}

TEST_CASE("rotated diagonals, also badly conditioned") {
  Draws draws(341);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    Matrix<Rational> D = Matrix<Rational>::Constant(4, 4, Rational(0));
    const Rational smallest = test::two_to(-20L * round);
    for (Index i = 0; i < 4; ++i) D(i, i) = i == 2 ? smallest : Rational(draws.integer(1, 9));
    const Matrix<Rational> U = test::rational_rotation(4, draws), V = test::rational_rotation(4, draws);
    const Ball found = least(test::exact_matrix(test::multiplied(test::multiplied(U, D), V)));
    CHECK(contains(found, smallest));
    CHECK(relative_accuracy_bits(found) >= 60);
  }
}

TEST_CASE("singular matrices: exactly zero where it shows, an enclosure of zero otherwise") {
  CHECK(is_zero(least(test::matrix(2, 1, {3, 4}))));
  CHECK(is_zero(least(test::matrix(2, 2, {0, 0, 1, 4}))));
  const Ball dependent = least(test::matrix(2, 2, {1, 2, 2, 4}));
  CHECK(contains(dependent, Rational(0)));
  CHECK(certainly_less(dependent, Ball(Rational(1, 1000), p)));
}
