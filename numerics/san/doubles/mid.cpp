#include "numerics/san/doubles/mid.hpp"

#include <array>
#include <cmath>

#include "numerics/san/doubles/scalar.hpp"
#include "numerics/san/doubles/widest.hpp"

namespace rankfall::doubles {
namespace {

constexpr Index chunk = 16;  // products whose rounding is collected before it joins the sum

/// One row of a product of which at least one side is pairs; a null low part is zero. Over a chunk the sums
/// of the high parts are exact in s and what rounding leaves over, which c collects together with the
/// products that have one low part: c takes chunk + 4 roundings of terms that are at most (chunk + 4) u |a|
/// |b| in all, and |a_low b_low| is left out. Every chunk is added to the sum as a pair.
template <Index columns, bool left_low, bool right_low>
[[gnu::always_inline]] inline void pair_row(const double* __restrict a, const double* __restrict a_low,
                                            const double* __restrict b, const double* __restrict b_low,
                                            double* __restrict high, double* __restrict low, Index inner,
                                            Index cols) {
  std::array<double, columns> total{}, total_low{};
  for (Index start = 0; start < inner; start += chunk) {
    std::array<double, columns> s{}, c{};
    const Index end = start + chunk < inner ? start + chunk : inner;
    for (Index k = start; k < end; ++k) {
      const double x = a[k], x_low = left_low ? a_low[k] : 0;
      for (Index j = 0; j < columns; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const double y = b[k * cols + j], p = x * y, rest = __builtin_fma(x, y, -p);
        const double sum = s[at] + p, part = sum - s[at];
        double left = ((s[at] - (sum - part)) + (p - part)) + rest;
        if constexpr (left_low && right_low)
          left += x * b_low[k * cols + j] + x_low * y;
        else if constexpr (left_low)
          left += x_low * y;
        else
          left += x * b_low[k * cols + j];
        c[at] += left;
        s[at] = sum;
      }
    }
    for (Index j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const DoubleDouble sum =
          plus(DoubleDouble{total[at], total_low[at]}, double_double::exact_sum(s[at], c[at]));
      total[at] = sum.high;
      total_low[at] = sum.low;
    }
  }
  for (Index j = 0; j < columns; ++j) {
    high[j] = total[static_cast<std::size_t>(j)];
    low[j] = total_low[static_cast<std::size_t>(j)];
  }
}

/// Where the parts of a product lie.
struct Operands {
  const double *a, *a_low, *b, *b_low;
  double *high, *low;
  Index rows, inner, cols;
};

template <bool left_low, bool right_low>
[[gnu::always_inline]] inline void pair_rows(const Operands& o) {
  const auto block = [&]<Index columns>(Index i, Index j) __attribute__((always_inline)) {
    pair_row<columns, left_low, right_low>(o.a + i * o.inner, left_low ? o.a_low + i * o.inner : nullptr,
                                           o.b + j, right_low ? o.b_low + j : nullptr,
                                           o.high + i * o.cols + j, o.low + i * o.cols + j, o.inner, o.cols);
  };
  constexpr Index width = 16;
  Index j = 0;
  for (; j + width <= o.cols; j += width)
    for (Index i = 0; i < o.rows; ++i) block.template operator()<width>(i, j);
  for (; j < o.cols; ++j)
    for (Index i = 0; i < o.rows; ++i) block.template operator()<1>(i, j);
}

RANKFALL_WIDEST void pairs_by_pairs(const Operands& o) {
  pair_rows<true, true>(o);
}
RANKFALL_WIDEST void pairs_by_doubles(const Operands& o) {
  pair_rows<true, false>(o);
}
RANKFALL_WIDEST void doubles_by_pairs(const Operands& o) {
  pair_rows<false, true>(o);
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
  if (!a.wide() && !b.wide()) return {multiply(a.high, b.high)};
  Mid c{Matrix<double>(a.rows(), b.cols()), Matrix<double>(a.rows(), b.cols())};
  const Operands operands{a.high.data(), a.low.data(), b.high.data(), b.low.data(), c.high.data(),
                          c.low.data(),  a.rows(),     a.cols(),      b.cols()};
  (!b.wide() ? pairs_by_doubles : !a.wide() ? doubles_by_pairs : pairs_by_pairs)(operands);
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
  const Mid filled = term.wide() ? Mid{} : Mid{term.high, Matrix<double>::Zero(term.rows(), term.cols())};
  const Mid& pairs = term.wide() ? term : filled;
  pair_add(sum.high.data(), sum.low.data(), {factor, factor_low}, pairs.high.data(), pairs.low.data(),
           sum.high.size());
}

Mid scaled(Mid a, double power) {
  a.high *= power;
  a.low *= power;
  return a;
}

void widen(Mid& a, bool wide) {
  if (wide && !a.wide()) a.low = Matrix<double>::Zero(a.rows(), a.cols());
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
