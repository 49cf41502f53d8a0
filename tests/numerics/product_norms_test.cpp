#include "numerics/product_norms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/random.hpp"
#include "tests/support.hpp"

using namespace rankfall;

namespace {

struct ExactNorms {
  Rational one = 0, inf = 0;
};

ExactNorms exact_norms(const Matrix<double>& a, const Matrix<double>& b) {
  std::vector<Rational> columns(static_cast<std::size_t>(b.cols()));
  ExactNorms norms;
  for (Index i = 0; i < a.rows(); ++i) {
    Rational row = 0;
    for (Index j = 0; j < b.cols(); ++j) {
      Rational entry = 0;
      for (Index k = 0; k < a.cols(); ++k) entry += Rational(a(i, k)) * Rational(b(k, j));
      const Rational size = entry < 0 ? Rational(-entry) : entry;
      row += size;
      columns[static_cast<std::size_t>(j)] += size;
    }
    norms.inf = std::max(norms.inf, row);
  }
  norms.one = *std::max_element(columns.begin(), columns.end());
  return norms;
}

Matrix<double> normal_matrix(Index rows, Index cols, std::uint64_t matrix, double size = 1) {
  const Stream stream(71, 0, 0, matrix);
  Matrix<double> result(rows, cols);
  for (Index i = 0; i < result.size(); ++i)
    result.data()[i] = size * stream.normal(static_cast<std::uint64_t>(i));
  return result;
}

void check_against_exact(const Matrix<double>& a, const Matrix<double>& b, long least_accuracy) {
  const ProductNorms norms = product_norms(a, b);
  const ExactNorms exact = exact_norms(a, b);
  CHECK(contains(norms.one, exact.one));
  CHECK(contains(norms.inf, exact.inf));
  CHECK(relative_accuracy_bits(norms.one) >= least_accuracy);
  CHECK(relative_accuracy_bits(norms.inf) >= least_accuracy);
}

}  // namespace

TEST_CASE("product norms enclose the exact ones, tightly") {
  const Index sizes[][3] = {{1, 1, 1}, {2, 3, 5}, {16, 16, 16}, {16, 4, 16}, {3, 40, 2}, {33, 7, 21}};
  const std::uint64_t rounds = 2 * static_cast<std::uint64_t>(test::multiplier());
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (const auto& [n, k, m] : sizes) {
      CAPTURE_BOUND(n);
      CAPTURE_BOUND(k);
      CAPTURE_BOUND(m);
      check_against_exact(normal_matrix(n, k, 2 * round), normal_matrix(k, m, 2 * round + 1), 42);
    }
}

TEST_CASE("product norms enclose where the product cancels") {
  const Matrix<double> left = normal_matrix(6, 5, 100), right = normal_matrix(5, 4, 101);
  Matrix<double> a(6, 10), b(10, 4);
  a << left, left;
  b << right, -right;
  const double tiny = 0x1p-40;
  b(0, 0) += tiny;  // the product is left's first column times the change that rounding left of `tiny`
  check_against_exact(a, b, 1);
  b(0, 0) -= tiny;
  const ProductNorms nothing = product_norms(a, b);
  CHECK(contains(nothing.one, exact_norms(a, b).one));
  CHECK(contains_zero(nothing.inf));
}

TEST_CASE("product norms enclose where products underflow and refuse where sums overflow") {
  const Matrix<double> small = normal_matrix(3, 4, 7, 1e-170);
  const ProductNorms norms = product_norms(small, small.transpose());
  CHECK(contains(norms.one, exact_norms(small, small.transpose()).one));
  const Matrix<double> huge = normal_matrix(3, 4, 8, 1e200);
  CHECK_THROWS_AS(product_norms(huge, huge.transpose()), DomainError);
  CHECK_THROWS_WITH_AS(product_norms(small, huge),
                       "norms of a product of a 3 x 4 and a 3 x 4 matrix: the inner sizes differ",
                       DomainError);
}
