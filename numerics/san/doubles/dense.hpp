#pragma once
#include "numerics/matrix.hpp"

namespace rankfall::doubles {

/// Half a unit in the last place of 1.
inline constexpr double u = 0x1p-53;
/// Bound of the relative error behind k roundings: k u / (1 - k u).
constexpr double gamma(Index k) {
  return static_cast<double>(k) * u / (1 - static_cast<double>(k) * u);
}
/// Roundings of a term in a sum of k products as `multiply` adds them: four at a time, the rest one by one.
constexpr Index roundings(Index k) {
  return 3 + k / 4 + k % 4;
}

/// A B. Every entry adds its products in one order, without fused operations, so that all machines give the
/// same: off by at most gamma(roundings(k)) (|A| |B|)_ij, besides underflow.
Matrix<double> multiply(const Matrix<double>& a, const Matrix<double>& b);
/// The same of rows one behind another, (rows x inner) (inner x cols), into memory of its own.
void multiply(const double* a, const double* b, double* into, Index rows, Index inner, Index cols);
/// The same of the transpose of a left factor that lies (inner x rows).
void multiply_transposed(const double* a, const double* b, double* into, Index rows, Index inner, Index cols);
/// A x, x^T A and x . y, in such orders too: gamma(k) covers them.
Vector<double> multiply(const Matrix<double>& a, const Vector<double>& x);
Vector<double> transposed(const Matrix<double>& a, const Vector<double>& x);
double dot(const Vector<double>& x, const Vector<double>& y);

/// sum of (X - p y^T - a z^T)_ij^2.
double squares_without(const Matrix<double>& X, const Vector<double>& p, const Vector<double>& y,
                       const Vector<double>& a, const Vector<double>& z);

// Bounds: rounded so often at most that 1 + 2^-36 covers it for sizes up to `most_size`.
inline constexpr Index most_size = 2048;
double frobenius(const Matrix<double>& a);
double length(const Vector<double>& x);
double length(const double* x, Index count);

}  // namespace rankfall::doubles
