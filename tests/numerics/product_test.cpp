#include "numerics/product.hpp"

#include <doctest/doctest.h>
#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

#include "numerics/errors.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

Matrix<Rational> triple_loop(const Matrix<Rational>& a, const Matrix<Rational>& b) {
  Matrix<Rational> c = Matrix<Rational>::Constant(a.rows(), b.cols(), Rational(0));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// Balls about the points, wider than rounding.
BallMatrix blurred(const Matrix<Rational>& points, Draws& draws, Precision p) {
  BallMatrix result = test::balls(points, p);
  for (Index i = 0; i < result.size(); ++i)
    if (!is_zero(result.data()[i])) arb_add_error_2exp_si(result.data()[i].raw(), draws.integer(-60, -2));
  return result;
}

void check_holds(const BallMatrix& c, const Matrix<Rational>& expected) {
  REQUIRE(c.rows() == expected.rows());
  REQUIRE(c.cols() == expected.cols());
  for (Index i = 0; i < c.size(); ++i)
    if (!test::holds(c.data()[i], expected.data()[i])) FAIL_CHECK("entry " << i << " got out");
}

}  // namespace

TEST_CASE("products hold the triple loop in rationals") {
  Draws draws(71);
  struct Shape {
    Index n, k, m;
  };
  for (const Shape& s :
       {Shape{1, 1, 1}, Shape{1, 5, 1}, Shape{3, 1, 4}, Shape{4, 7, 2}, Shape{16, 16, 16}, Shape{5, 40, 3}}) {
    for (int round = 0; round < test::multiplier(); ++round) {
      const Matrix<Rational> a = test::random_matrix(s.n, s.k, draws),
                             b = test::random_matrix(s.k, s.m, draws);
      const Matrix<Rational> expected = triple_loop(a, b);
      for (const long bits : {24L, 53L, 128L, 300L}) {
        const Precision p(bits);
        check_holds(product(test::balls(a, p), test::balls(b, p), p), expected);
        check_holds(product(blurred(a, draws, p), blurred(b, draws, p), p), expected);
        BallVector x(s.k);
        for (Index i = 0; i < s.k; ++i) x(i) = Ball(b(i, 0), p);
        const BallVector y = product(test::balls(a, p), x, p);
        const Matrix<Rational> transposed = a.transpose();
        const BallVector z = transposed_product(test::balls(transposed, p), x, p);
        REQUIRE(y.size() == s.n);
        REQUIRE(z.size() == s.n);
        for (Index i = 0; i < s.n; ++i) {
          CHECK(test::holds(y(i), expected(i, 0)));
          CHECK(test::holds(z(i), expected(i, 0)));
        }
      }
    }
  }
}

TEST_CASE("the kernels for large matrices hold the exact product too") {
  Draws draws(73);
  const Index n = 70;  // beyond the switch to block products
  const Matrix<Rational> a = test::random_matrix(n, n, draws, 4), b = test::random_matrix(n, n, draws, 4);
  const BallMatrix c =
      product(test::balls(a, Precision(128)), blurred(b, draws, Precision(128)), Precision(128));
  for (const Index i : {Index(0), Index(13), n - 1})
    for (Index j = 0; j < n; ++j) {
      Rational sum = 0;
      for (Index k = 0; k < n; ++k) sum += a(i, k) * b(k, j);
      if (!test::holds(c(i, j), sum)) FAIL_CHECK("entry " << i << ", " << j << " got out");
    }
}

TEST_CASE("products keep the bits of their operands") {
  Draws draws(75);
  for (const Index n : {8, 64}) {
    BallMatrix a(n, n), b(n, n);
    for (Index i = 0; i < a.size(); ++i) {
      a.data()[i] = Ball(draws.uniform() + 0.5);
      b.data()[i] = Ball(draws.uniform() + 0.5);
    }
    const BallMatrix c = product(a, b, Precision(128));
    for (Index i = 0; i < c.size(); ++i) CHECK(relative_accuracy_bits(c.data()[i]) >= 116);
  }
}

TEST_CASE("zeros stay exactly zero") {
  Draws draws(77);
  for (const Index n : {3, 40, 70}) {
    BallMatrix a(n, n), b(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        if (i % 3 != 0) a(i, j) = draws.ball(50);  // every third row is zero
        if (j % 4 != 1) b(i, j) = draws.ball(50);  // every fourth column is
      }
    const BallMatrix c = product(a, b, Precision(128));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (i % 3 == 0 || j % 4 == 1) CHECK(is_zero(c(i, j)));
    BallVector x(n);
    CHECK(is_zero(product(a, x, Precision(53))(n - 1)));
    CHECK(is_zero(transposed_product(a, x, Precision(53))(0)));
  }
}

TEST_CASE("empty shapes, and shapes that do not fit") {
  const BallMatrix nothing = product(BallMatrix(3, 0), BallMatrix(0, 2), Precision(53));
  REQUIRE(nothing.rows() == 3);
  REQUIRE(nothing.cols() == 2);
  for (Index i = 0; i < nothing.size(); ++i) CHECK(is_zero(nothing.data()[i]));
  CHECK_THROWS_WITH_AS(product(BallMatrix(2, 3), BallMatrix(2, 5), Precision(53)),
                       "product of a 2 x 3 and a 2 x 5 matrix: the inner sizes differ", DomainError);
  CHECK_THROWS_AS(product(BallMatrix(2, 3), BallVector(2), Precision(53)), DomainError);
  CHECK_THROWS_AS(transposed_product(BallMatrix(2, 3), BallVector(3), Precision(53)), DomainError);
}

TEST_CASE("while asked for, products are those of Arb") {
  constexpr Index n = 16;
  const Precision p(128);
  Draws draws(76);
  BallMatrix a(n, n), b(n, n);
  for (Index i = 0; i < a.size(); ++i) {
    a.data()[i] = Ball(Rational(draws.integer(1, 1000), 997), p);
    b.data()[i] = Ball(Rational(draws.integer(-1000, -1), 991), p);
  }
  arb_mat_t left, right, both;
  for (arb_mat_struct* m : {left, right, both}) arb_mat_init(m, n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      arb_set(arb_mat_entry(left, i, j), a(i, j).raw());
      arb_set(arb_mat_entry(right, i, j), b(i, j).raw());
    }
  arb_mat_mul(both, left, right, p.bits);
  const auto equal_to_arb = [&](const BallMatrix& c) {
    int equal = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) equal += arb_equal(c(i, j).raw(), arb_mat_entry(both, i, j));
    return equal;
  };
  CHECK(equal_to_arb(product(a, b, p)) < n * n);
  {
    const ProductsByArb outer;
    { const ProductsByArb inner; }
    CHECK(equal_to_arb(product(a, b, p)) == n * n);
  }
  CHECK(equal_to_arb(product(a, b, p)) < n * n);
  for (arb_mat_struct* m : {left, right, both}) arb_mat_clear(m);
}
