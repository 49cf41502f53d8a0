#include "numerics/san/doubles/dense.hpp"

#include <array>
#include <cmath>

#include "numerics/san/doubles/widest.hpp"

namespace rankfall::doubles {
namespace {

constexpr double slack = 1 + 0x1p-36;

constexpr Index width = 16;  // columns whose sums stay in registers

/// Some rows: sums += a (height x inner) b (inner x `columns` of cols), four products at once.
template <Index height, Index columns>
[[gnu::always_inline]] inline void accumulate(const double* __restrict a, const double* __restrict b,
                                              double* __restrict c, Index inner, Index cols) {
  std::array<std::array<double, columns>, height> sums{};
  Index k = 0;
  for (; k + 4 <= inner; k += 4) {
    const double *b0 = b + k * cols, *b1 = b0 + cols, *b2 = b1 + cols, *b3 = b2 + cols;
    for (std::size_t i = 0; i < height; ++i) {
      const double* x = a + static_cast<Index>(i) * inner + k;
      for (Index j = 0; j < columns; ++j)
        sums[i][static_cast<std::size_t>(j)] += (x[0] * b0[j] + x[1] * b1[j]) + (x[2] * b2[j] + x[3] * b3[j]);
    }
  }
  for (; k < inner; ++k)
    for (std::size_t i = 0; i < height; ++i)
      for (Index j = 0; j < columns; ++j)
        sums[i][static_cast<std::size_t>(j)] += a[static_cast<Index>(i) * inner + k] * b[k * cols + j];
  for (std::size_t i = 0; i < height; ++i)
    for (Index j = 0; j < columns; ++j)
      c[static_cast<Index>(i) * cols + j] = sums[i][static_cast<std::size_t>(j)];
}

/// c (rows x cols) = a (rows x inner) b (inner x cols).
RANKFALL_WIDEST void product(const double* __restrict a, const double* __restrict b, double* __restrict c,
                             Index rows, Index inner, Index cols) {
  constexpr Index height = 4;
  const Index together = inner > 2 * width ? height : rows + 1;  // short rows are faster one by one
  const auto column = [&]<Index columns>(Index j) __attribute__((always_inline)) {
    Index i = 0;
    for (; i + together <= rows; i += height)
      accumulate<height, columns>(a + i * inner, b + j, c + i * cols + j, inner, cols);
    for (; i < rows; ++i) accumulate<1, columns>(a + i * inner, b + j, c + i * cols + j, inner, cols);
  };
  Index j = 0;
  for (; j + width <= cols; j += width) column.template operator()<width>(j);
  for (; j < cols; ++j) column.template operator()<1>(j);
}

constexpr Index lanes = 8;

/// `sums` is summed by pairs.
[[gnu::always_inline]] inline double total(const std::array<double, lanes>& sums) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// sum of x_i y_i, eight sums at once and then pairs of them.
[[gnu::always_inline]] inline double sum_of(const double* __restrict x, const double* __restrict y,
                                            Index count) {
  std::array<double, lanes> sums{};
  Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (Index lane = 0; lane < lanes; ++lane)
      sums[static_cast<std::size_t>(lane)] += x[i + lane] * y[i + lane];
  double rest = 0;
  for (; i < count; ++i) rest += x[i] * y[i];
  return total(sums) + rest;
}
RANKFALL_WIDEST double sum_of_products(const double* __restrict x, const double* __restrict y, Index count) {
  return sum_of(x, y, count);
}

/// y = A x
RANKFALL_WIDEST void rows_by(const double* __restrict a, const double* __restrict x, double* __restrict y,
                             Index rows, Index cols) {
  for (Index i = 0; i < rows; ++i) y[i] = sum_of(a + i * cols, x, cols);
}

/// sum of (X_ij - p_i y_j - a_i z_j)^2.
RANKFALL_WIDEST double squares_without(const double* __restrict X, const double* __restrict p,
                                       const double* __restrict y, const double* __restrict a,
                                       const double* __restrict z, Index rows, Index cols) {
  std::array<double, lanes> sums{};
  double rest = 0;
  for (Index i = 0; i < rows; ++i) {
    const double* row = X + i * cols;
    Index j = 0;
    for (; j + lanes <= cols; j += lanes)
      for (Index lane = 0; lane < lanes; ++lane) {
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

void multiply(const double* a, const double* b, double* into, Index rows, Index inner, Index cols) {
  product(a, b, into, rows, inner, cols);
}

Matrix<double> multiply(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c(a.rows(), b.cols());
  multiply(a.data(), b.data(), c.data(), a.rows(), a.cols(), b.cols());
  return c;
}

Vector<double> multiply(const Matrix<double>& a, const Vector<double>& x) {
  Vector<double> result(a.rows());
  rows_by(a.data(), x.data(), result.data(), a.rows(), a.cols());
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

double length(const double* x, Index count) {
  return std::sqrt(sum_of_products(x, x, count)) * slack;
}

double frobenius(const Matrix<double>& a) {
  return length(a.data(), a.size());
}

double length(const Vector<double>& x) {
  return length(x.data(), x.size());
}

}  // namespace rankfall::doubles
