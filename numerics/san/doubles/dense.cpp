#include "numerics/san/doubles/dense.hpp"

#include <array>
#include <cmath>

#include "numerics/san/doubles/widest.hpp"

namespace rankfall::doubles {
namespace {

constexpr double slack = 1 + 0x1p-36;

constexpr Index width = 16;  // columns whose sums stay in registers

/// One row: sums += a (1 x inner) b (inner x `columns` of cols), four products at once.
template <Index columns>
[[gnu::always_inline]] inline void accumulate_row(const double* __restrict a, const double* __restrict b,
                                                  double* __restrict c, Index inner, Index cols) {
  std::array<double, columns> sums{};
  Index k = 0;
  for (; k + 4 <= inner; k += 4) {
    const double a0 = a[k], a1 = a[k + 1], a2 = a[k + 2], a3 = a[k + 3];
    const double *b0 = b + k * cols, *b1 = b0 + cols, *b2 = b1 + cols, *b3 = b2 + cols;
    for (Index j = 0; j < columns; ++j)
      sums[static_cast<std::size_t>(j)] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
  }
  for (; k < inner; ++k)
    for (Index j = 0; j < columns; ++j) sums[static_cast<std::size_t>(j)] += a[k] * b[k * cols + j];
  for (Index j = 0; j < columns; ++j) c[j] = sums[static_cast<std::size_t>(j)];
}

/// c (rows x cols) = a (rows x inner) b (inner x cols).
RANKFALL_WIDEST void product(const double* __restrict a, const double* __restrict b, double* __restrict c,
                             Index rows, Index inner, Index cols) {
  Index j = 0;
  for (; j + width <= cols; j += width)
    for (Index i = 0; i < rows; ++i)
      accumulate_row<width>(a + i * inner, b + j, c + i * cols + j, inner, cols);
  for (; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) accumulate_row<1>(a + i * inner, b + j, c + i * cols + j, inner, cols);
}

/// sum of x_i y_i, eight sums at once and then pairs of them.
RANKFALL_WIDEST double sum_of_products(const double* __restrict x, const double* __restrict y, Index count) {
  std::array<double, 8> sums{};
  Index i = 0;
  for (; i + 8 <= count; i += 8)
    for (Index lane = 0; lane < 8; ++lane) sums[static_cast<std::size_t>(lane)] += x[i + lane] * y[i + lane];
  double rest = 0;
  for (; i < count; ++i) rest += x[i] * y[i];
  return (((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))) + rest;
}

/// sum of (X_ij - p_i y_j - a_i z_j)^2.
RANKFALL_WIDEST double squares_without(const double* __restrict X, const double* __restrict p,
                                       const double* __restrict y, const double* __restrict a,
                                       const double* __restrict z, Index rows, Index cols) {
  std::array<double, 8> sums{};
  double rest = 0;
  for (Index i = 0; i < rows; ++i) {
    const double* row = X + i * cols;
    Index j = 0;
    for (; j + 8 <= cols; j += 8)
      for (Index lane = 0; lane < 8; ++lane) {
        const double entry = row[j + lane] - p[i] * y[j + lane] - a[i] * z[j + lane];
        sums[static_cast<std::size_t>(lane)] += entry * entry;
      }
    for (; j < cols; ++j) {
      const double entry = row[j] - p[i] * y[j] - a[i] * z[j];
      rest += entry * entry;
    }
  }
  for (const double sum : sums) rest += sum;
  return rest;
}

}  // namespace

Matrix<double> multiply(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c(a.rows(), b.cols());
  product(a.data(), b.data(), c.data(), a.rows(), a.cols(), b.cols());
  return c;
}

Vector<double> multiply(const Matrix<double>& a, const Vector<double>& x) {
  Vector<double> result(a.rows());
  for (Index i = 0; i < a.rows(); ++i)
    result(i) = sum_of_products(a.data() + i * a.cols(), x.data(), a.cols());
  return result;
}

Vector<double> transposed(const Matrix<double>& a, const Vector<double>& x) {
  Vector<double> result(a.cols());
  product(x.data(), a.data(), result.data(), 1, a.rows(), a.cols());
  return result;
}

double dot(const Vector<double>& x, const Vector<double>& y) {
  return sum_of_products(x.data(), y.data(), x.size());
}

double squares_without(const Matrix<double>& X, const Vector<double>& p, const Vector<double>& y,
                       const Vector<double>& a, const Vector<double>& z) {
  return squares_without(X.data(), p.data(), y.data(), a.data(), z.data(), X.rows(), X.cols());
}

double frobenius(const Matrix<double>& a) {
  return std::sqrt(sum_of_products(a.data(), a.data(), a.size())) * slack;
}

double length(const Vector<double>& x) {
  return std::sqrt(dot(x, x)) * slack;
}

}  // namespace rankfall::doubles
