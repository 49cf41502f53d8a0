#include "numerics/san/doubles/dense.hpp"

#include <cmath>

#include "numerics/san/doubles/lanes.hpp"
#include "numerics/san/doubles/widest.hpp"

namespace rankfall::doubles {
namespace {

constexpr double slack = 1 + 0x1p-36;

/// The left factor: entry (i, k) lies at data[i * down + k * across].
struct Left {
  const double* data;
  Index down, across;
  double operator()(Index i, Index k) const { return data[i * down + k * across]; }
};

/// Rows i to i + height: c = a (height x inner) b (inner x `parts` lanes of cols), four products at once.
template <Index height, Index parts>
[[gnu::always_inline]] inline void accumulate(Left a, Index row, const double* __restrict b,
                                              double* __restrict c, Index inner, Index cols) {
  Lanes sums[height][parts];
#pragma GCC unroll 4
  for (Index i = 0; i < height; ++i)
#pragma GCC unroll 2
    for (Index part = 0; part < parts; ++part) sums[i][part] = Lanes{};
  Index k = 0;
  for (; k + 4 <= inner; k += 4)
#pragma GCC unroll 2
    for (Index part = 0; part < parts; ++part) {
      Lanes b0, b1, b2, b3;
      const double* at = b + k * cols + part * lanes;
      load(b0, at);
      load(b1, at + cols);
      load(b2, at + 2 * cols);
      load(b3, at + 3 * cols);
#pragma GCC unroll 4
      for (Index i = 0; i < height; ++i)
        sums[i][part] +=
            (a(row + i, k) * b0 + a(row + i, k + 1) * b1) + (a(row + i, k + 2) * b2 + a(row + i, k + 3) * b3);
    }
  for (; k < inner; ++k)
#pragma GCC unroll 2
    for (Index part = 0; part < parts; ++part) {
      Lanes b0;
      load(b0, b + k * cols + part * lanes);
#pragma GCC unroll 4
      for (Index i = 0; i < height; ++i) sums[i][part] += a(row + i, k) * b0;
    }
#pragma GCC unroll 4
  for (Index i = 0; i < height; ++i)
#pragma GCC unroll 2
    for (Index part = 0; part < parts; ++part) store(c + (row + i) * cols + part * lanes, sums[i][part]);
}

/// The same of one entry.
[[gnu::always_inline]] inline double entry(Left a, Index i, const double* __restrict b, Index inner,
                                           Index cols) {
  double sum = 0;
  Index k = 0;
  for (; k + 4 <= inner; k += 4) {
    const double* at = b + k * cols;
    sum += (a(i, k) * at[0] + a(i, k + 1) * at[cols]) +
           (a(i, k + 2) * at[2 * cols] + a(i, k + 3) * at[3 * cols]);
  }
  for (; k < inner; ++k) sum += a(i, k) * b[k * cols];
  return sum;
}

[[gnu::always_inline]] inline void product_of(Left a, const double* __restrict b, double* __restrict c,
                                              Index rows, Index inner, Index cols) {
  constexpr Index height = 4;
  const auto columns = [&]<Index parts>(Index j) __attribute__((always_inline)) {
    Index i = 0;
    for (; i + height <= rows; i += height) accumulate<height, parts>(a, i, b + j, c + j, inner, cols);
    for (; i < rows; ++i) accumulate<1, parts>(a, i, b + j, c + j, inner, cols);
  };
  Index j = 0;
  for (; j + 2 * lanes <= cols; j += 2 * lanes) columns.template operator()<2>(j);
  for (; j + lanes <= cols; j += lanes) columns.template operator()<1>(j);
  for (; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) c[i * cols + j] = entry(a, i, b + j, inner, cols);
}

/// c (rows x cols) = a (rows x inner) b (inner x cols).
RANKFALL_WIDEST void product(const double* __restrict a, const double* __restrict b, double* __restrict c,
                             Index rows, Index inner, Index cols) {
  product_of({a, inner, 1}, b, c, rows, inner, cols);
}

/// The same of a (inner x rows) transposed.
RANKFALL_WIDEST void product_of_transposed(const double* __restrict a, const double* __restrict b,
                                           double* __restrict c, Index rows, Index inner, Index cols) {
  product_of({a, 1, rows}, b, c, rows, inner, cols);
}

/// sum of x_i y_i, thirty-two sums at once where there are as many products, then eight, then pairs of them.
[[gnu::always_inline]] inline double sum_of(const double* __restrict x, const double* __restrict y,
                                            Index count) {
  constexpr Index many = 4;
  Lanes sums[many], left, right;
#pragma GCC unroll 4
  for (Lanes& sum : sums) sum = Lanes{};
  Index i = 0;
  for (; i + many * lanes <= count; i += many * lanes)
#pragma GCC unroll 4
    for (Index part = 0; part < many; ++part) {
      load(left, x + i + part * lanes);
      load(right, y + i + part * lanes);
      sums[part] += left * right;
    }
  for (; i + lanes <= count; i += lanes) {
    load(left, x + i);
    load(right, y + i);
    sums[0] += left * right;
  }
  double rest = 0;
  for (; i < count; ++i) rest += x[i] * y[i];
  return total((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
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
  Lanes sums{}, entry, along, beside;
  double rest = 0;
  for (Index i = 0; i < rows; ++i) {
    const double* row = X + i * cols;
    Index j = 0;
    for (; j + lanes <= cols; j += lanes) {
      load(entry, row + j);
      load(along, y + j);
      load(beside, z + j);
      entry -= p[i] * along;
      entry -= a[i] * beside;
      sums += entry * entry;
    }
    for (; j < cols; ++j) {
      const double left = row[j] - p[i] * y[j] - a[i] * z[j];
      rest += left * left;
    }
  }
  for (Index lane = 0; lane < lanes; ++lane) rest += sums[lane];
  return rest;
}

}  // namespace

void multiply(const double* a, const double* b, double* into, Index rows, Index inner, Index cols) {
  product(a, b, into, rows, inner, cols);
}

void multiply_transposed(const double* a, const double* b, double* into, Index rows, Index inner,
                         Index cols) {
  product_of_transposed(a, b, into, rows, inner, cols);
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
