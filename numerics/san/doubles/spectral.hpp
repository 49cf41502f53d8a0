#pragma once
#include "numerics/san/doubles/dense.hpp"

namespace rankfall::doubles {

/// At least |a|_2 and at most (least size)^(1/32) of it; from 64 rows and columns on as a rule a few
/// hundredths above it. For sizes up to `most_size`.
double spectral_bound(const Matrix<double>& a);

/// Bounds |[X_1 ... X_k]|_2, matrices side by side. Norms must lie below 2^400; what is below 2^-500 counts
/// as zero.
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
