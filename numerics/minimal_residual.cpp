// The better bound. For a pair of tokens with entries c, c' in column k and distance w in the other columns,
//   (|c - y| + |c' - y| + w) / 2 = max( (|c - c'| + w) / 2, |y - (c + c') / 2| + w / 2 ),
// so the maximum over all pairs is
//   m_k(y) = max( half, y - low, high - y ),   half = diam_1 / 2, low = min((c + c' - w) / 2), high = max((c
//   + c' + w) / 2),
// with breakpoints low + half, high - half and (low + high) / 2 and no others; s_k has its breakpoints at the
// entries. Between breakpoints the product of the two is monotone or concave, outside them it grows outward,
// so its minimum is its least value at a breakpoint. That holds for the exact functions; each of their
// breakpoints lies in its ball, and evaluating in balls encloses the value there. No order of the breakpoints
// is needed, and points that turn out not to be breakpoints do no harm: the minimum is not above their values
// either.
#include "numerics/minimal_residual.hpp"

#include <utility>
#include <vector>

namespace rankfall {
namespace {

/// sum_j |a(j, column) - y|; the entry number `itself` is y (no entry: -1).
Ball deviation_sum(const BallMatrix& a, Index column, const Ball& y, Index itself, Precision p) {
  Ball sum, difference;
  for (Index j = 0; j < a.rows(); ++j) {
    if (j == itself) continue;
    arb_sub(difference.raw(), a(j, column).raw(), y.raw(), p.bits);
    arb_abs(difference.raw(), difference.raw());
    arb_add(sum.raw(), sum.raw(), difference.raw(), p.bits);
  }
  return sum;
}

/// m_k of one column.
struct PairMaximum {
  Ball half, low, high;

  Ball at(const Ball& y, Precision p) const { return max(half, max(sub(y, low, p), sub(high, y, p), p), p); }
};

/// 1-norm distances of all pairs of tokens, i < j in order.
std::vector<Ball> distances(const BallMatrix& a, Precision p) {
  std::vector<Ball> result;
  Ball difference;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = i + 1; j < a.rows(); ++j) {
      Ball sum;
      for (Index l = 0; l < a.cols(); ++l) {
        arb_sub(difference.raw(), a(i, l).raw(), a(j, l).raw(), p.bits);
        arb_abs(difference.raw(), difference.raw());
        arb_add(sum.raw(), sum.raw(), difference.raw(), p.bits);
      }
      result.push_back(std::move(sum));
    }
  return result;
}

PairMaximum pair_maximum(const BallMatrix& a, Index column, const std::vector<Ball>& distance, Precision p) {
  PairMaximum m;
  m.low = m.high = a(0, column);
  for (Index i = 0; i < a.rows(); ++i) {  // a token with itself
    m.low = min(m.low, a(i, column), p);
    m.high = max(m.high, a(i, column), p);
  }
  auto pair = distance.begin();
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = i + 1; j < a.rows(); ++j, ++pair) {
      m.half = max(m.half, scale(*pair, -1), p);
      if (a.cols() == 1) continue;  // w = 0: between the extremes
      const Ball w = sub(*pair, abs(sub(a(i, column), a(j, column), p)), p);
      const Ball sum = add(a(i, column), a(j, column), p);
      m.low = min(m.low, scale(sub(sum, w, p), -1), p);
      m.high = max(m.high, scale(add(sum, w, p), -1), p);
    }
  return m;
}

/// Encloses min_y s_k(y) m_k(y).
Ball least_product(const BallMatrix& a, Index column, const std::vector<Ball>& distance, Precision p) {
  const PairMaximum m = pair_maximum(a, column, distance, p);
  const auto product_at = [&](const Ball& y, Index itself) {
    return mul(deviation_sum(a, column, y, itself, p), m.at(y, p), p);
  };
  Ball least = product_at(scale(add(m.low, m.high, p), -1), -1);
  least = min(least, product_at(add(m.low, m.half, p), -1), p);
  least = min(least, product_at(sub(m.high, m.half, p), -1), p);
  for (Index i = 0; i < a.rows(); ++i) least = min(least, product_at(a(i, column), i), p);
  return least;
}

}  // namespace

Ball minimal_residual_better_lower(const BallMatrix& a, Precision p) {
  const std::vector<Ball> distance = distances(a, p);
  Ball best;
  for (Index k = 0; k < a.cols(); ++k) best = max(best, least_product(a, k, distance, p), p);
  return sqrt(best, p);
}

}  // namespace rankfall
