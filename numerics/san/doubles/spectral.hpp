#pragma once
#include "numerics/san/doubles/dense.hpp"

namespace rankfall::doubles {

/// At least |a|_2 and at most (least size)^(1/32) of it; from 64 rows and columns on at most 1.3 times, as a
/// rule 1.02 times. For sizes up to `most_size`.
double spectral_bound(const Matrix<double>& a);

/// Bounds |[X_1 ... X_k]|_2, matrices side by side. Norms must lie in [2^-200, 2^200] or be zero.
class SideBySide {
 public:
  explicit SideBySide(Index rows) : gram_(Matrix<double>::Zero(rows, rows)) {}
  void add(const Matrix<double>& X);
  void add(const Matrix<double>& left, const Matrix<double>& right);  ///< X = left right
  double bound() const;

 private:
  Matrix<double> gram_;  // sum of X X^T
  double squares_ = 0;   // of what it is computed from
};

}  // namespace rankfall::doubles
