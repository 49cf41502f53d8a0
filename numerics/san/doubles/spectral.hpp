#pragma once
#include "numerics/san/doubles/dense.hpp"

namespace rankfall::doubles {

/// At least |a|_2 and at most (least size)^(1/32) of it; from 64 rows and columns on as a rule a few
/// hundredths above it. For sizes up to `most_size`.
double spectral_bound(const Matrix<double>& a);

/// X X^T of the right one of two factors, kept for many left ones.
struct Gram {
  Matrix<double> scaled;  ///< X X^T / unit^2
  double unit = 1;        ///< a power of two
  double frobenius = 0;   ///< bound of |X|_F
};
Gram gram_of_rows(const Matrix<double>& X);

/// Bounds |[X_1 ... X_k]|_2, matrices side by side. Norms must lie below 2^400; what is below 2^-500 counts
/// as zero.
class SideBySide {
 public:
  explicit SideBySide(Index rows) : gram_(Matrix<double>::Zero(rows, rows)) {}
  void add(const Matrix<double>& X);
  void add(const Matrix<double>& left, const Gram& right);  ///< X = left times the right one
  double bound() const;

 private:
  Matrix<double> gram_;  // sum of X X^T
  double squares_ = 0;   // of what it is computed from
};

/// At least |left right|_2, and little more.
double spectral_bound(const Matrix<double>& left, const Gram& right);

}  // namespace rankfall::doubles
