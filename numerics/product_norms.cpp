#include "numerics/product_norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

// Sums of a fixed order, which Eigen's own depend on the machine's vectors for.

struct Sums {
  std::vector<double> columns, rows;
};

Sums absolute_sums(const Matrix<double>& a) {
  Sums sums{std::vector<double>(static_cast<std::size_t>(a.cols())),
            std::vector<double>(static_cast<std::size_t>(a.rows()))};
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      const double size = std::fabs(a(i, j));
      sums.columns[static_cast<std::size_t>(j)] += size;
      sums.rows[static_cast<std::size_t>(i)] += size;
    }
  }
  return sums;
}

Matrix<double> plain_product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> result = Matrix<double>::Zero(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    double* row = result.data() + i * b.cols();
    for (Index k = 0; k < a.cols(); ++k) {
      const double factor = a(i, k);
      const double* other = b.data() + k * b.cols();
      for (Index j = 0; j < b.cols(); ++j) row[j] += factor * other[j];
    }
  }
  return result;
}

/// |A| |B| has the same row sums as |A| times the row sums of |B|, and likewise for columns.
Sums absolute_product_sums(const Matrix<double>& a, const Matrix<double>& b) {
  const Sums of_a = absolute_sums(a), of_b = absolute_sums(b);
  Sums sums{std::vector<double>(static_cast<std::size_t>(b.cols())),
            std::vector<double>(static_cast<std::size_t>(a.rows()))};
  for (Index k = 0; k < b.rows(); ++k)
    for (Index j = 0; j < b.cols(); ++j)
      sums.columns[static_cast<std::size_t>(j)] +=
          of_a.columns[static_cast<std::size_t>(k)] * std::fabs(b(k, j));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k)
      sums.rows[static_cast<std::size_t>(i)] += std::fabs(a(i, k)) * of_b.rows[static_cast<std::size_t>(k)];
  return sums;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// value +- operations 2^-52 size: with g = u operations / (1 - u operations), u = 2^-53, a sum is off by at
/// most g times the true sum of absolute values, of which `size` is at least 1 - g; the last term covers
/// underflow.
Ball with_error(double value, double size, Index operations) {
  constexpr Precision p(64);
  if (!std::isfinite(size) || !std::isfinite(value))
    throw DomainError("norms of a product of doubles: a sum exceeds the range of doubles");
  const Ball error =
      add(scale(mul(Ball(size), Ball(static_cast<long>(operations)), p), -52), scale(Ball(1), -1000), p);
  return add(Ball(value), symmetric(error), p);
}

}  // namespace

ProductNorms product_norms(const Matrix<double>& a, const Matrix<double>& b) {
  if (a.cols() != b.rows())
    throw DomainError(
        fmt::format("norms of a product of a {} x {} and a {} x {} matrix: the inner sizes differ", a.rows(),
                    a.cols(), b.rows(), b.cols()));
  const Sums sums = absolute_sums(plain_product(a, b));
  const Sums sizes = absolute_product_sums(a, b);
  return {with_error(largest(sums.columns), largest(sizes.columns), a.cols() + a.rows()),
          with_error(largest(sums.rows), largest(sizes.rows), a.cols() + b.cols())};
}

}  // namespace rankfall
