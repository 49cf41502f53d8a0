#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "verify/recheck/network.hpp"

namespace rankfall::recheck {

/// A matrix of intervals.
struct Matrix {
  long rows = 0, cols = 0;
  std::vector<Number> entries;

  Matrix() = default;
  Matrix(long r, long c) : rows(r), cols(c), entries(static_cast<std::size_t>(r * c)) {}
  Matrix(const Table& table, Bits p);
  Number& operator()(long i, long j) { return entries[static_cast<std::size_t>(i * cols + j)]; }
  const Number& operator()(long i, long j) const { return entries[static_cast<std::size_t>(i * cols + j)]; }
};

using Vector = std::vector<Number>;
/// How many equal rows (columns) each row (column) of a matrix stands for.
using Copies = std::vector<Integer>;
Copies single(long count);

Matrix product(const Matrix& a, const Matrix& b, Bits p);
Matrix transposed(const Matrix& a);
Vector row_times(const Vector& x, const Matrix& a, Bits p);

/// Largest column (row) sum of absolute values.
Number norm_1(const Matrix& a, const Copies& rows, Bits p);
Number norm_inf(const Matrix& a, const Copies& cols, Bits p);
/// sqrt(norm_1 norm_inf).
Number composite(const Matrix& a, const Copies& rows, const Copies& cols, Bits p);
Number largest_entry(const Matrix& a);
/// Largest minus least entry.
Number row_oscillation(const Matrix& a, long row, Bits p);
Number column_oscillation(const Matrix& a, long column, Bits p);
Number entry_sum(const Matrix& a, const Copies& cols, Bits p);
/// Encloses the spectral norm by |G^(2^k)|_F^(2^-k), G = A A^T, k growing with p.
Number spectral_norm(const Matrix& a, const Copies& cols, Bits p);
/// Encloses the least singular value of v -> v^T A: 0 where it is not certain to be above.
Number least_singular_value(const Matrix& a, Bits p);
/// The norm of a row of a - b, or of a row: 1, 2 or inf.
Number vector_norm(const Vector& v, std::string_view norm, Bits p);
Vector row_difference(const Matrix& a, long i, long k, Bits p);

inline constexpr std::array<std::string_view, 3> references = {"mean", "median", "midrange"};

/// The mean, median (of an even number the mean of the two middle ones) or middle of the extremes of each
/// column.
Vector reference_row(const Matrix& a, const Copies& rows, std::string_view reference, Bits p);
Matrix about(const Matrix& a, const Vector& y, Bits p);

/// Two tokens, or one taken twice: their values in a column and the 1-distance of their other entries.
struct TokenPair {
  Number first, second, rest;
};
/// Encloses min over y of s(y) m(y): s the sum of |value - y| over all copies, m the largest (|first - y| +
/// |second - y| + rest)/2 of the pairs. The square of the residual of every matrix of tokens with such a
/// column and such pairs is at least that (docs/theory, residual-lower-bound).
Number column_bound(const Vector& values, const Copies& copies, const std::vector<TokenPair>& pairs, Bits p);

/// Sizes of a matrix of tokens that do not see a common row.
struct Sizes {
  std::array<Number, 3> residual;  ///< composite, about mean, median and midrange
  Number minimal;                  ///< the least over every reference, between its bounds
  std::array<Number, 3> diameter;  ///< 1, 2, inf
  Number composite_diameter;
};
Sizes sizes(const Matrix& tokens, const Copies& rows, const Copies& cols, Bits p);

}  // namespace rankfall::recheck
