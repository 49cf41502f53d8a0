#include "numerics/norms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "numerics/near.hpp"

namespace rankfall {
namespace {

void accumulate(Ball& sum, const Ball& term, Precision p) {
  arb_add(sum.raw(), sum.raw(), term.raw(), p.bits);
}
void raise(Ball& top, const Ball& candidate, Precision p) {
  arb_max(top.raw(), top.raw(), candidate.raw(), p.bits);
}

Ball column_sum(const BallMatrix& a, Index column, Precision p) {
  Ball sum, entry;
  for (Index i = 0; i < a.rows(); ++i) {
    arb_abs(entry.raw(), a(i, column).raw());
    accumulate(sum, entry, p);
  }
  return sum;
}

Ball row_sum(const BallMatrix& a, Index row, Precision p) {
  Ball sum, entry;
  for (Index j = 0; j < a.cols(); ++j) {
    arb_abs(entry.raw(), a(row, j).raw());
    accumulate(sum, entry, p);
  }
  return sum;
}

/// Sums of absolute values in doubles, by rows or by columns, as those of which balls need to know.
std::vector<Index> largest_sums(const Near& near, bool of_rows) {
  const Index rows = near.entries.rows(), cols = near.entries.cols();
  std::vector<double> sums(static_cast<std::size_t>(of_rows ? rows : cols)), missing = sums;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const auto at = static_cast<std::size_t>(of_rows ? i : j);
      sums[at] += std::fabs(near.entries(i, j));
      missing[at] += near.missing(i, j);
    }
  const double rounded = static_cast<double>((of_rows ? cols : rows) + 8) * 0x1p-52;
  for (std::size_t at = 0; at < sums.size(); ++at)
    missing[at] = (missing[at] + sums[at] * rounded) * (1 + 0x1p-30);
  return may_be_largest(sums, missing);
}

Ball norm_1(const BallMatrix& a, const Near& near, Precision p) {
  Ball top;
  for (const Index j : largest_sums(near, false)) raise(top, column_sum(a, j, p), p);
  return top;
}

Ball norm_inf(const BallMatrix& a, const Near& near, Precision p) {
  Ball top;
  for (const Index i : largest_sums(near, true)) raise(top, row_sum(a, i, p), p);
  return top;
}

/// Rows of a column by their size; nothing where doubles do not tell neighbours from each other.
std::optional<std::vector<Index>> sorted_rows(const Near& near, Index column) {
  const auto at = [&](Index i) { return near.entries(i, column); };
  std::vector<Index> order(static_cast<std::size_t>(near.entries.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  for (const Index i : order)
    if (!std::isfinite(at(i))) return std::nullopt;
  std::sort(order.begin(), order.end(), [&](Index i, Index k) { return at(i) < at(k); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const double apart = (at(order[k]) - at(order[k - 1])) * (1 - 0x1p-50);
    if (!(apart > (near.missing(order[k], column) + near.missing(order[k - 1], column)) * (1 + 0x1p-50)))
      return std::nullopt;
  }
  return order;
}

/// Encloses the mean of the order statistics number `first` and `second` (from 0) of the column. They are
/// monotone in each value, so those of the lower ends and of the upper ends enclose them.
Ball order_statistic_mean(const BallMatrix& a, const Near& near, Index column, Index first, Index second,
                          Precision p) {
  if (const auto order = sorted_rows(near, column)) {
    const Ball &low = a((*order)[static_cast<std::size_t>(first)], column),
               &high = a((*order)[static_cast<std::size_t>(second)], column);
    return first == second ? low : scale(add(low, high, p), -1);
  }
  std::vector<Ball> ends[2];
  for (Index i = 0; i < a.rows(); ++i) {
    ends[0].push_back(lower(a(i, column), Precision(p.bits + 8)));
    ends[1].push_back(upper(a(i, column), Precision(p.bits + 8)));
  }
  Ball result[2];
  for (int side = 0; side < 2; ++side) {
    std::vector<Ball>& sorted = ends[side];
    std::sort(sorted.begin(), sorted.end(), midpoint_less);
    const Ball& low = sorted[static_cast<std::size_t>(first)];
    const Ball& high = sorted[static_cast<std::size_t>(second)];
    result[side] = first == second ? low : scale(add(low, high, p), -1);
  }
  return hull(result[0], result[1], p);
}

}  // namespace

std::string name(Reference reference) {
  switch (reference) {
    case Reference::mean:
      return "mean";
    case Reference::median:
      return "median";
    case Reference::midrange:
      return "midrange";
  }
  return {};
}

SumNorms sum_norms(const BallMatrix& a, Precision p) {
  const Near near(a);
  SumNorms norms{norm_1(a, near, p), norm_inf(a, near, p), {}};
  norms.composite = sqrt(mul(norms.one, norms.inf, p), p);
  return norms;
}

Ball norm_1(const BallMatrix& a, Precision p) {
  return norm_1(a, Near(a), p);
}

Ball norm_inf(const BallMatrix& a, Precision p) {
  return norm_inf(a, Near(a), p);
}

Ball composite_norm(const BallMatrix& a, Precision p) {
  return sum_norms(a, p).composite;
}

Ball largest_entry(const BallMatrix& a, Precision p) {
  Ball top;
  for (Index i = 0; i < a.size(); ++i) raise(top, abs(a.data()[i]), p);
  return top;
}

Ball entry_sum(const BallMatrix& a, Precision p) {
  Ball sum;
  for (Index i = 0; i < a.rows(); ++i) accumulate(sum, row_sum(a, i, p), p);
  return sum;
}

BallVector reference_row(const BallMatrix& a, Reference reference, Precision p) {
  const Index n = a.rows();
  BallVector y(a.cols());
  std::optional<Near> near;
  if (reference != Reference::mean) near.emplace(a);
  for (Index j = 0; j < a.cols(); ++j) {
    switch (reference) {
      case Reference::mean:
        for (Index i = 0; i < n; ++i) accumulate(y(j), a(i, j), p);
        y(j) = div(y(j), Ball(static_cast<long>(n)), p);
        break;
      case Reference::median:
        y(j) = order_statistic_mean(a, *near, j, (n - 1) / 2, n / 2, p);
        break;
      case Reference::midrange:
        y(j) = order_statistic_mean(a, *near, j, 0, n - 1, p);
        break;
    }
  }
  return y;
}

BallMatrix about(const BallMatrix& a, const BallVector& y, Precision p) {
  BallMatrix result(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) arb_sub(result(i, j).raw(), a(i, j).raw(), y(j).raw(), p.bits);
  return result;
}

Ball residual(const BallMatrix& a, Reference reference, Precision p) {
  return composite_norm(about(a, reference_row(a, reference, p), p), p);
}

}  // namespace rankfall
