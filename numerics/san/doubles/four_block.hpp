#pragma once
#include <cmath>

#include "numerics/san/doubles/dense.hpp"

namespace rankfall::doubles {

/// A pair of directions, one among the tokens and one among the columns, near a leading singular pair of a
/// residual. Unit vectors up to rounding; what is said of their projections holds for the exactly normalised
/// ones.
struct Frame {
  Vector<double> u, v;
};
/// Any matrix that is not zero has one.
Frame leading_frame(const Matrix<double>& residual);

/// Bounds of the Frobenius norms of P_a X Q_b, with P_0 the projection onto one direction, P_1 onto its
/// complement, and Q_0, Q_1 likewise; and of X itself.
struct Blocks {
  double at[2][2] = {{0, 0}, {0, 0}};
  double whole = HUGE_VAL;

  double total() const;  ///< of X itself, by its blocks or known as such
  void at_most(double norm);
  /// Adds a matrix of which no more is known than its norm.
  void add(double norm);
};

/// The same as spectral norms for a matrix that acts, `size` being a bound of |X|_2 or anything larger, and
/// `frobenius` one of |X|_F. Columns are measured along `right`, rows along `left`.
Blocks table(const Matrix<double>& X, const Vector<double>& left, const Vector<double>& right, double size,
             double frobenius);
/// The same from `across` = left^T X and `along` = X right alone, known up to `error`.
Blocks table(Vector<double> across, Vector<double> along, const Vector<double>& left,
             const Vector<double>& right, double size, double error);
/// Of the identity between two directions.
Blocks table(const Vector<double>& left, const Vector<double>& right);

/// Blocks of a product of tables and errors from those of its factors, of a transpose, of a sum, of a
/// multiple.
Blocks operator*(const Blocks& X, const Blocks& Y);
Blocks transposed(const Blocks& X);
Blocks operator+(Blocks X, const Blocks& Y);
Blocks operator*(double factor, Blocks X);

}  // namespace rankfall::doubles
