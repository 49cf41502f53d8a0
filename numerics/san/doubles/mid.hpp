#pragma once
#include "numerics/san/doubles/dense.hpp"

namespace rankfall::doubles {

/// Midpoints of a matrix in one double an entry, or in the sum of two: then `low` has the shape of `high`,
/// and |low| <= u |high| entry by entry. Vectors are single rows.
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
/// A product of inner size k is off by at most this times |A| |B|, entry by entry.
constexpr double product_error(Index k, bool wide) {
  return wide ? 1.01 * static_cast<double>((k + 5) * (k + 5)) * u * u : gamma(roundings(k), false);
}

/// A B, both of one width.
Mid product(const Mid& a, const Mid& b);
Mid transposed(const Mid& a);
/// sum += factor * term; factor is a power of two, or a pair (high, low).
void add(Mid& sum, double factor, const Mid& term, double factor_low = 0);
/// a * power, a power of two.
Mid scaled(Mid a, double power);
Mid zeros(Index rows, Index cols, bool wide);
/// The mean row, and the same rows about it.
Mid mean_row(const Mid& a);
Mid about(const Mid& a, const Mid& row);

}  // namespace rankfall::doubles
