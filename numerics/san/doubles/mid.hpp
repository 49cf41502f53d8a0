#pragma once
#include "numerics/san/doubles/dense.hpp"

namespace rankfall::doubles {

/// Midpoints of a matrix in one double an entry, or in the sum of two: then `low` has the shape of `high`,
/// and |low| <= u |high| entry by entry. What is exact in doubles needs no low parts beside pairs. Vectors
/// are single rows.
struct Mid {
  Matrix<double> high, low = {};

  bool wide() const { return low.size() > 0; }
  Index rows() const { return high.rows(); }
  Index cols() const { return high.cols(); }
};

/// Bound of the relative error of one elementary operation: u, or of two doubles 32 u^2.
constexpr double unit(bool wide) {
  return wide ? 0x1p-101 : u;
}
/// Behind k of them.
constexpr double gamma(Index k, bool wide) {
  return static_cast<double>(k) * unit(wide) / (1 - static_cast<double>(k) * unit(wide));
}
/// A product of inner size k is off by at most this times |A| |B|, entry by entry. Pairs are added in chunks
/// of 16, of which each costs 21^2 u^2 of its own terms and a sum of pairs at most 4 u^2 of what is there.
constexpr double product_error(Index k, bool wide) {
  if (!wide) return gamma(roundings(k), false);
  const Index chunk = k < 16 ? k : 16, chunks = k / 16 + 1;
  return 1.01 * static_cast<double>((chunk + 5) * (chunk + 5) + 4 * chunks) * u * u;
}

/// A B: of doubles, or of pairs and either.
Mid product(const Mid& a, const Mid& b);
Mid transposed(const Mid& a);
/// sum += factor * term; factor is a power of two, or a pair (high, low).
void add(Mid& sum, double factor, const Mid& term, double factor_low = 0);
/// a * power, a power of two.
Mid scaled(Mid a, double power);
/// Gives low parts of zero where pairs are asked for and there are none.
void widen(Mid& a, bool wide);
Mid zeros(Index rows, Index cols, bool wide);
/// The mean row, and the same rows about it.
Mid mean_row(const Mid& a);
Mid about(const Mid& a, const Mid& row);

}  // namespace rankfall::doubles
