#include <doctest/doctest.h>

#include "numerics/eigenbasis.hpp"
#include "numerics/norms.hpp"
#include "numerics/product.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using Exact = Matrix<Rational>;

namespace {

Exact multiplied(const Exact& a, const Exact& b) {
  Exact c = Exact::Constant(a.rows(), b.cols(), Rational(0));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// A matrix with these singular values.
Exact with_singular_values(const std::vector<Rational>& values, Index rows, Index cols, Draws& draws) {
  Exact S = Exact::Constant(rows, cols, Rational(0));
  for (std::size_t i = 0; i < values.size(); ++i) S(static_cast<Index>(i), static_cast<Index>(i)) = values[i];
  return multiplied(multiplied(test::rational_rotation(rows, draws), S),
                    test::rational_rotation(cols, draws));
}

void check_norm(const Exact& a, const Rational& expected, long floor_at_128) {
  for (const long bits : {24L, 53L, 128L, 400L}) {
    CAPTURE(bits);
    const Ball norm = spectral_norm(test::balls(a, Precision(bits)), Precision(bits));
    CHECK(test::holds(norm, expected));
    if (bits >= 128) CHECK(relative_accuracy_bits(norm) >= floor_at_128 + bits - 128);
  }
}

}  // namespace

TEST_CASE("rank one") {
  Draws draws(91);
  Exact a(6, 4);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 4; ++j) a(i, j) = Rational((i % 2 ? 4 : 3) * (j + 1), 7);  // |u|^2 = 75, |v|^2 = 30
  const test::Interval expected = test::sqrt_of(Rational(75 * 30, 49));
  for (const long bits : {53L, 128L, 300L}) {
    const Ball norm = spectral_norm(test::balls(a, Precision(bits)), Precision(bits));
    CHECK(test::holds(norm, expected));
    CHECK(relative_accuracy_bits(norm) >= bits - 12);
  }
  check_norm(with_singular_values({Rational(5)}, 16, 16, draws), 5, 116);
  check_norm(Exact::Constant(1, 1, Rational(-3)), 3, 120);
  check_norm(with_singular_values({Rational(7)}, 1, 8, draws), 7, 118);
}

TEST_CASE("identity, orthogonal, diagonal and rectangular matrices") {
  Draws draws(93);
  Exact identity = Exact::Constant(16, 16, Rational(0));
  for (Index i = 0; i < 16; ++i) identity(i, i) = 1;
  CHECK(is_exact(spectral_norm(test::balls(identity, Precision(53)), Precision(53))));
  check_norm(identity, 1, 128);
  for (const Index n : {2, 5, 12}) check_norm(test::rational_rotation(n, draws), 1, 112);
  Exact diagonal = Exact::Constant(5, 5, Rational(0));
  for (Index i = 0; i < 5; ++i) diagonal(i, i) = Rational(i + 1, 3);
  check_norm(diagonal, Rational(5, 3), 118);
  check_norm(with_singular_values({Rational(3), Rational(2), Rational(1)}, 3, 9, draws), 3, 114);
  check_norm(with_singular_values({Rational(3), Rational(2), Rational(1)}, 9, 3, draws), 3, 114);
}

TEST_CASE("singular values that nearly coincide") {
  Draws draws(95);
  for (const long apart : {10L, 30L, 50L, 52L, 60L, 90L, 120L, 200L}) {
    CAPTURE(apart);
    const Rational second = 1 - test::two_to(-apart);
    check_norm(with_singular_values({Rational(1), second}, 6, 6, draws), 1, 108);
    check_norm(with_singular_values({Rational(1), second, second, Rational(1, 2)}, 6, 6, draws), 1, 108);
  }
  std::vector<Rational> ladder;
  for (long i = 0; i < 10; ++i) ladder.push_back(Rational(1 - i * test::two_to(-52)));
  check_norm(with_singular_values(ladder, 10, 10, draws), 1, 108);
}

TEST_CASE("singular values far apart, and scales beyond the doubles") {
  Draws draws(97);
  const Exact a = with_singular_values({Rational(1), test::two_to(-100), test::two_to(-300)}, 5, 5, draws);
  check_norm(a, 1, 112);
  BallMatrix scaled = test::balls(a, Precision(128));
  for (const long exponent : {5000L, -5000L, -(1L << 40)}) {
    BallMatrix moved = scaled;
    for (Index i = 0; i < moved.size(); ++i) moved.data()[i] = scale(moved.data()[i], exponent);
    const Ball norm = scale(spectral_norm(moved, Precision(128)), -exponent);
    CHECK(test::holds(norm, Rational(1)));
    CHECK(relative_accuracy_bits(norm) >= 112);
  }
}

TEST_CASE("random matrices: between the bounds of the textbook and overlapping at two precisions") {
  Draws draws(99);
  for (int round = 0; round < 10 * test::multiplier(); ++round) {
    const Index n = draws.integer(1, 9), m = draws.integer(1, 9);
    const BallMatrix a = test::balls(test::random_matrix(n, m, draws), Precision(300));
    const Ball rough = spectral_norm(a, Precision(64)), fine = spectral_norm(a, Precision(256));
    CHECK(overlap(rough, fine));
    CHECK(relative_accuracy_bits(rough) >= 48);
    CHECK(relative_accuracy_bits(fine) >= 240);
    CHECK_FALSE(certainly_less(composite_norm(a, Precision(256)), fine));
    CHECK_FALSE(certainly_less(fine, largest_entry(a, Precision(256))));
    // |A v| <= |A| |v| for a vector of a rational direction.
    BallVector v(m);
    for (Index j = 0; j < m; ++j) v(j) = Ball(draws.fraction(8), Precision(300));
    const BallVector image = product(a, v, Precision(300));
    Ball left, right;
    for (Index i = 0; i < n; ++i) left = add(left, mul(image(i), image(i), Precision(300)), Precision(300));
    for (Index j = 0; j < m; ++j) right = add(right, mul(v(j), v(j), Precision(300)), Precision(300));
    right = mul(right, mul(fine, fine, Precision(300)), Precision(300));
    CHECK_FALSE(certainly_less(right, left));
  }
}

TEST_CASE("blurred entries blur the norm and no more") {
  Draws draws(101);
  const Exact exact = with_singular_values({Rational(2), Rational(1)}, 4, 4, draws);
  BallMatrix a = test::balls(exact, Precision(128));
  for (Index i = 0; i < a.size(); ++i) arb_add_error_2exp_si(a.data()[i].raw(), -40);
  const Ball norm = spectral_norm(a, Precision(128));
  CHECK(test::holds(norm, Rational(2)));
  CHECK(relative_accuracy_bits(norm) >= 34);
  for (Index i = 0; i < a.size(); ++i) arb_add_error(a.data()[i].raw(), Ball(100L).raw());
  CHECK(test::holds(spectral_norm(a, Precision(128)), Rational(2)));
  CHECK(test::holds(spectral_norm(a, Precision(128)), Rational(380)));
  arb_indeterminate(a(0, 0).raw());
  CHECK_FALSE(is_finite(spectral_norm(a, Precision(128))));
}

TEST_CASE("the eigenbasis comes with enclosures of what it makes of the matrix") {
  Draws draws(103);
  for (int round = 0; round < 5; ++round) {
    const Exact a = test::random_matrix(5, 5, draws, 6);
    const Exact M = multiplied(a, a.transpose());
    const Eigenbasis basis = approximate_eigenbasis(test::balls(M, Precision(128)), Precision(128));
    Exact V(5, 5);
    for (Index i = 0; i < V.size(); ++i) V.data()[i] = test::middle(test::ends(basis.V.data()[i]));
    const Exact transformed = multiplied(multiplied(V.transpose(), M), V),
                squares = multiplied(V.transpose(), V);
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) {
        CHECK(test::holds(basis.transformed(i, j), transformed(i, j)));
        CHECK(test::holds(basis.defect(i, j), Rational(squares(i, j) - (i == j ? 1 : 0))));
      }
  }
}
