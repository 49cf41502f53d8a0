#include "numerics/san/doubles/mid.hpp"

#include <array>
#include <cmath>

#include "numerics/san/doubles/scalar.hpp"
#include "numerics/san/doubles/widest.hpp"

namespace rankfall::doubles {
namespace {

/// One row of a product of pairs. The sums of the high parts are exact in s and what rounding leaves over,
/// which c collects together with the products that have one low part: c takes k + 4 roundings of terms that
/// are at most (k + 4) u |a| |b| in all, and |a_low b_low| is left out.
template <Index columns>
[[gnu::always_inline]] inline void pair_row(const double* __restrict a, const double* __restrict a_low,
                                            const double* __restrict b, const double* __restrict b_low,
                                            double* __restrict high, double* __restrict low, Index inner,
                                            Index cols) {
  std::array<double, columns> s{}, c{};
  for (Index k = 0; k < inner; ++k) {
    const double x = a[k], x_low = a_low[k];
    for (Index j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const double y = b[k * cols + j], p = x * y, rest = __builtin_fma(x, y, -p);
      const double sum = s[at] + p, part = sum - s[at];
      const double left = (s[at] - (sum - part)) + (p - part);
      c[at] += (left + rest) + (x * b_low[k * cols + j] + x_low * y);
      s[at] = sum;
    }
  }
  for (Index j = 0; j < columns; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const DoubleDouble sum = double_double::exact_sum(s[at], c[at]);
    high[j] = sum.high;
    low[j] = sum.low;
  }
}

RANKFALL_WIDEST void pair_product(const double* __restrict a, const double* __restrict a_low,
                                  const double* __restrict b, const double* __restrict b_low,
                                  double* __restrict high, double* __restrict low, Index rows, Index inner,
                                  Index cols) {
  constexpr Index width = 16;
  Index j = 0;
  for (; j + width <= cols; j += width)
    for (Index i = 0; i < rows; ++i)
      pair_row<width>(a + i * inner, a_low + i * inner, b + j, b_low + j, high + i * cols + j,
                      low + i * cols + j, inner, cols);
  for (; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      pair_row<1>(a + i * inner, a_low + i * inner, b + j, b_low + j, high + i * cols + j, low + i * cols + j,
                  inner, cols);
}

RANKFALL_WIDEST void pair_add(double* __restrict high, double* __restrict low, DoubleDouble factor,
                              const double* __restrict term, const double* __restrict term_low, Index count) {
  for (Index i = 0; i < count; ++i) {
    const DoubleDouble sum =
        plus(DoubleDouble{high[i], low[i]}, times(factor, DoubleDouble{term[i], term_low[i]}));
    high[i] = sum.high;
    low[i] = sum.low;
  }
}

}  // namespace

Mid product(const Mid& a, const Mid& b) {
  if (!a.wide()) return {multiply(a.high, b.high)};
  Mid c{Matrix<double>(a.rows(), b.cols()), Matrix<double>(a.rows(), b.cols())};
  pair_product(a.high.data(), a.low.data(), b.high.data(), b.low.data(), c.high.data(), c.low.data(),
               a.rows(), a.cols(), b.cols());
  return c;
}

Mid transposed(const Mid& a) {
  return {a.high.transpose(), a.low.transpose()};
}

void add(Mid& sum, double factor, const Mid& term, double factor_low) {
  if (!sum.wide()) {
    for (Index i = 0; i < sum.high.size(); ++i) sum.high.data()[i] += factor * term.high.data()[i];
    return;
  }
  pair_add(sum.high.data(), sum.low.data(), {factor, factor_low}, term.high.data(), term.low.data(),
           sum.high.size());
}

Mid scaled(Mid a, double power) {
  a.high *= power;
  a.low *= power;
  return a;
}

Mid zeros(Index rows, Index cols, bool wide) {
  return {Matrix<double>::Zero(rows, cols),
          wide ? Matrix<double>(Matrix<double>::Zero(rows, cols)) : Matrix<double>()};
}

Mid mean_row(const Mid& a) {
  Mid ones = zeros(1, a.rows(), a.wide());
  ones.high.setOnes();
  Mid sum = product(ones, a);
  const auto count = static_cast<double>(a.rows());
  for (Index j = 0; j < sum.cols(); ++j) {
    if (!a.wide()) {
      sum.high(0, j) /= count;
      continue;
    }
    const DoubleDouble mean = over(DoubleDouble{sum.high(0, j), sum.low(0, j)}, DoubleDouble{count, 0});
    sum.high(0, j) = mean.high;
    sum.low(0, j) = mean.low;
  }
  return sum;
}

Mid about(const Mid& a, const Mid& row) {
  Mid result = a;
  for (Index i = 0; i < a.rows(); ++i) {
    if (!a.wide()) {
      result.high.row(i) -= row.high.row(0);
      continue;
    }
    for (Index j = 0; j < a.cols(); ++j) {
      const DoubleDouble entry =
          minus(DoubleDouble{a.high(i, j), a.low(i, j)}, DoubleDouble{row.high(0, j), row.low(0, j)});
      result.high(i, j) = entry.high;
      result.low(i, j) = entry.low;
    }
  }
  return result;
}

}  // namespace rankfall::doubles
