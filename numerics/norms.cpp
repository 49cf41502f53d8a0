#include "numerics/norms.hpp"

#include <algorithm>
#include <vector>

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

/// Encloses the mean of the order statistics number `first` and `second` (from 0) of the column. They are
/// monotone in each value, so those of the lower ends and of the upper ends enclose them.
Ball order_statistic_mean(const BallMatrix& a, Index column, Index first, Index second, Precision p) {
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

Ball composite(const Ball& one, const Ball& inf, Precision p) {
  return sqrt(mul(one, inf, p), p);
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

Ball norm_1(const BallMatrix& a, Precision p) {
  Ball top;
  for (Index j = 0; j < a.cols(); ++j) raise(top, column_sum(a, j, p), p);
  return top;
}

Ball norm_inf(const BallMatrix& a, Precision p) {
  Ball top;
  for (Index i = 0; i < a.rows(); ++i) raise(top, row_sum(a, i, p), p);
  return top;
}

Ball composite_norm(const BallMatrix& a, Precision p) {
  return composite(norm_1(a, p), norm_inf(a, p), p);
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
  for (Index j = 0; j < a.cols(); ++j) {
    switch (reference) {
      case Reference::mean:
        for (Index i = 0; i < n; ++i) accumulate(y(j), a(i, j), p);
        y(j) = div(y(j), Ball(static_cast<long>(n)), p);
        break;
      case Reference::median:
        y(j) = order_statistic_mean(a, j, (n - 1) / 2, n / 2, p);
        break;
      case Reference::midrange:
        y(j) = order_statistic_mean(a, j, 0, n - 1, p);
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
