#include "numerics/norms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

using Exact = Matrix<Rational>;

Rational size(const Rational& x) {
  return Rational(abs(x));
}

Rational exact_norm_1(const Exact& a) {
  Rational top = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    Rational sum = 0;
    for (Index i = 0; i < a.rows(); ++i) sum += size(a(i, j));
    top = std::max(top, sum);
  }
  return top;
}

Rational exact_norm_inf(const Exact& a) {
  return exact_norm_1(a.transpose());
}

std::vector<Rational> sorted_column(const Exact& a, Index j) {
  std::vector<Rational> column;
  for (Index i = 0; i < a.rows(); ++i) column.push_back(a(i, j));
  std::sort(column.begin(), column.end());
  return column;
}

Rational exact_reference(const Exact& a, Index j, Reference reference) {
  const std::vector<Rational> column = sorted_column(a, j);
  const std::size_t n = column.size();
  if (reference == Reference::midrange) return Rational((column.front() + column.back()) / 2);
  if (reference == Reference::median) return Rational((column[(n - 1) / 2] + column[n / 2]) / 2);
  Rational sum = 0;
  for (const Rational& x : column) sum += x;
  return Rational(sum / Rational(static_cast<long>(n)));
}

Exact exact_about(const Exact& a, Reference reference) {
  Exact result = a;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i) result(i, j) -= exact_reference(a, j, reference);
  return result;
}

/// diam_1, diam_2^2, diam_inf.
std::array<Rational, 3> exact_diameters(const Exact& a) {
  std::array<Rational, 3> d{0, 0, 0};
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.rows(); ++k) {
      Rational one = 0, squares = 0, top = 0;
      for (Index j = 0; j < a.cols(); ++j) {
        const Rational x = size(Rational(a(i, j) - a(k, j)));
        one += x;
        squares += x * x;
        top = std::max(top, x);
      }
      d = {std::max(d[0], one), std::max(d[1], squares), std::max(d[2], top)};
    }
  return d;
}

/// Calls `check` with random matrices, with ties in columns and equal rows among them, as balls at several
/// precisions and with added radii.
void for_matrices(std::uint64_t seed,
                  const std::function<void(const Exact&, const BallMatrix&, Precision)>& check) {
  Draws draws(seed);
  for (int round = 0; round < 30 * test::multiplier(); ++round) {
    Exact a = test::random_matrix(draws.integer(1, 7), draws.integer(1, 5), draws);
    if (draws.coin()) a.row(a.rows() - 1) = a.row(0);
    if (draws.coin())
      for (Index i = 0; i < a.rows(); ++i) a(i, 0) = Rational(draws.integer(-2, 2));
    for (const long bits : {24L, 53L, 128L}) {
      BallMatrix balls = test::balls(a, Precision(bits));
      check(a, balls, Precision(bits));
      for (Index i = 0; i < balls.size(); ++i)
        arb_add_error_2exp_si(balls.data()[i].raw(), draws.integer(-30, 1));
      check(a, balls, Precision(bits));
    }
  }
}

constexpr Reference references[] = {Reference::mean, Reference::median, Reference::midrange};

}  // namespace

TEST_CASE("norms hold the exact values") {
  for_matrices(81, [](const Exact& a, const BallMatrix& balls, Precision p) {
    const Rational one = exact_norm_1(a), inf = exact_norm_inf(a);
    CHECK(test::holds(norm_1(balls, p), one));
    CHECK(test::holds(norm_inf(balls, p), inf));
    CHECK(test::holds(composite_norm(balls, p), test::sqrt_of(Rational(one * inf))));
    Rational top = 0, sum = 0;
    for (Index i = 0; i < a.size(); ++i) {
      top = std::max(top, size(a.data()[i]));
      sum += size(a.data()[i]);
    }
    CHECK(test::holds(largest_entry(balls, p), top));
    CHECK(test::holds(entry_sum(balls, p), sum));
  });
}

TEST_CASE("references and residuals hold the exact values") {
  for_matrices(83, [](const Exact& a, const BallMatrix& balls, Precision p) {
    for (const Reference reference : references) {
      CAPTURE(name(reference));
      const BallVector y = reference_row(balls, reference, p);
      for (Index j = 0; j < a.cols(); ++j) CHECK(test::holds(y(j), exact_reference(a, j, reference)));
      const Exact centred = exact_about(a, reference);
      const BallMatrix about_y = about(balls, y, p);
      for (Index i = 0; i < a.size(); ++i) CHECK(test::holds(about_y.data()[i], centred.data()[i]));
      const Rational square = exact_norm_1(centred) * exact_norm_inf(centred);
      CHECK(test::holds(residual(balls, reference, p), test::sqrt_of(square)));
    }
  });
}

TEST_CASE("medians of exact entries longer than the precision are enclosed") {
  BallMatrix a(3, 1);
  for (Index i = 0; i < 3; ++i) a(i, 0) = Ball(Rational(1 + (i + 1) * test::two_to(-100)), Precision(200));
  REQUIRE(is_exact(a(0, 0)));
  for (const Reference reference : {Reference::median, Reference::midrange}) {
    const Ball y = reference_row(a, reference, Precision(53))(0);
    CHECK(test::holds(y, Rational(1 + 2 * test::two_to(-100))));
  }
}

TEST_CASE("diameters hold the exact values") {
  for_matrices(85, [](const Exact& a, const BallMatrix& balls, Precision p) {
    const auto exact = exact_diameters(a);
    const Diameters d = diameters(balls, p);
    CHECK(test::holds(d.one, exact[0]));
    CHECK(test::holds(d.two, test::sqrt_of(exact[1])));
    CHECK(test::holds(d.inf, exact[2]));
    CHECK(test::holds(d.composite, test::sqrt_of(Rational(exact[0] * exact[2]))));
  });
}

TEST_CASE("diameters hold the exact values of near ties and beyond the squares of doubles") {
  Draws draws(86);
  for (const long exponent : {-1200L, -700L, -520L, -499L, 0L, 499L, 520L, 700L, 1200L})
    for (int round = 0; round < 4; ++round) {
      // Rows of two places, apart by less than doubles tell.
      Exact a = test::random_matrix(7, 4, draws, 20);
      for (Index i = 2; i < a.rows(); ++i)
        for (Index j = 0; j < a.cols(); ++j)
          a(i, j) = Rational(a(i % 2, j) * (1 + Rational((i * 5 + j * 3 + round) % 9) * test::two_to(-58)));
      Exact scaled = a;
      for (Index i = 0; i < a.size(); ++i) scaled.data()[i] = Rational(a.data()[i] * test::two_to(exponent));
      const auto exact = exact_diameters(scaled);
      for (const long bits : {53L, 128L}) {
        const Diameters d = diameters(test::balls(scaled, Precision(bits)), Precision(bits));
        CAPTURE(exponent);
        CHECK(test::holds(d.one, exact[0]));
        CHECK(test::holds(d.two, test::sqrt_of(exact[1])));
        CHECK(test::holds(d.inf, exact[2]));
      }
    }
}

TEST_CASE("nothing is lost but roundings") {
  Draws draws(87);
  for (int round = 0; round < 20 * test::multiplier(); ++round) {
    const BallMatrix a = test::balls(test::random_matrix(12, 9, draws, 20), Precision(128));
    for (const Ball& value :
         {norm_1(a, Precision(128)), norm_inf(a, Precision(128)), composite_norm(a, Precision(128)),
          diameters(a, Precision(128)).composite, diameters(a, Precision(128)).two})
      CHECK(relative_accuracy_bits(value) >= 118);
    for (const Reference reference : references)
      CHECK(relative_accuracy_bits(residual(a, reference, Precision(128))) >= 112);
  }
}

TEST_CASE("zero matrices, one token and equal tokens measure exactly zero") {
  const BallMatrix zero(4, 3);
  const Precision p(53);
  CHECK(is_zero(norm_1(zero, p)));
  CHECK(is_zero(norm_inf(zero, p)));
  CHECK(is_zero(composite_norm(zero, p)));
  CHECK(is_zero(largest_entry(zero, p)));
  CHECK(is_zero(entry_sum(zero, p)));
  CHECK(is_zero(spectral_norm(zero, p)));
  BallMatrix equal(5, 2);
  for (Index i = 0; i < 5; ++i) {
    equal(i, 0) = Ball(3L);
    equal(i, 1) = Ball(0.1);
  }
  for (const BallMatrix& a : {zero, equal, BallMatrix(equal.topRows(1))}) {
    const Diameters d = diameters(a, p);
    for (const Ball& value : {d.one, d.two, d.inf, d.composite}) CHECK(is_zero(value));
    for (const Reference reference : {Reference::median, Reference::midrange})
      CHECK(is_zero(residual(a, reference, p)));
  }
}

TEST_CASE("references have names") {
  CHECK(name(Reference::mean) == "mean");
  CHECK(name(Reference::median) == "median");
  CHECK(name(Reference::midrange) == "midrange");
}
