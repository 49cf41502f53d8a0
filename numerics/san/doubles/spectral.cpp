#include "numerics/san/doubles/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rankfall::doubles {
namespace {

/// A power of two within a factor 2 below the size of X, by which everything divides exactly.
double power_below(double size) {
  return size > 0 && std::isfinite(size) ? std::ldexp(1.0, std::ilogb(size)) : 1;
}

Matrix<double> times_transposed(const Matrix<double>& X) {
  return multiply(X, Matrix<double>(X.transpose()));
}

constexpr Index small = 16;  // sides up to which matrices are kept on the stack
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, small, small>;

/// |P^8|_F^(1/8). |P^2|_F is at least |P|_F^2 / sqrt(size): a relative error r of P becomes at most
/// sqrt(size) (2 r + gamma) of P^2, 2^-17 behind the third square for the most size, of which the bound takes
/// the eighth root. With |P|_2 in [2^-20, 2^20] nothing comes near the ends of the range.
template <class Square>
double eigenvalue_by_squares(Square P) {
  const Index n = P.rows();
  Square square(n, n);
  double *from = P.data(), *to = square.data();
  for (int k = 0; k < 3; ++k) {
    multiply(from, from, to, n, n, n);
    std::swap(from, to);
  }
  return std::sqrt(std::sqrt(std::sqrt(length(from, n * n))));
}

/// Whether Cholesky's factorisation of lambda I - P runs to its end, P read below its diagonal.
bool has_factor(const Matrix<double>& P, double lambda) {
  constexpr Index block = 32;
  const Index n = P.rows();
  Matrix<double> L = -P;
  for (Index i = 0; i < n; ++i) L(i, i) += lambda;
  for (Index start = 0; start < n; start += block) {
    const Index end = std::min(start + block, n);
    for (Index j = start; j < end; ++j) {
      for (Index k = start; k < j; ++k) L(j, j) -= L(j, k) * L(j, k);
      if (!(L(j, j) > 0)) return false;
      L(j, j) = std::sqrt(L(j, j));
      for (Index i = j + 1; i < n; ++i) {
        for (Index k = start; k < j; ++k) L(i, j) -= L(i, k) * L(j, k);
        L(i, j) /= L(j, j);
      }
    }
    if (end == n) break;
    const Matrix<double> panel = L.block(end, start, n - end, end - start);
    L.bottomRightCorner(n - end, n - end) -= times_transposed(panel);
  }
  return true;
}

/// A little more than the largest eigenvalue that some steps of the power method find, once Cholesky's
/// factorisation shows that it is a bound: L L^T differs from lambda I - P by at most gamma(2 n + 8) |L|
/// |L|^T, in whatever order its sums are taken, of which the norm is at most that gamma times the trace.
std::optional<double> eigenvalue_by_cholesky(const Matrix<double>& P) {
  const Index n = P.rows();
  Index first = 0;
  for (Index i = 1; i < n; ++i)
    if (P(i, i) > P(first, first)) first = i;
  Vector<double> x = P.row(first).transpose();
  double near = 0;
  for (int turn = 0; turn < 12; ++turn) {
    const double size = length(x);
    if (!(size > 0)) return std::nullopt;
    x = multiply(P, Vector<double>(x / size));
    near = length(x);
  }
  for (const double more : {1.02, 1.06, 1.15, 1.3})
    if (const double lambda = near * more; has_factor(P, lambda))
      return lambda * (1 + 2 * static_cast<double>(n) * gamma(2 * n + 9));
  return std::nullopt;
}

/// Bound of the largest eigenvalue of a positive semidefinite matrix near P, |P|_2 in [2^-20, 2^20]; what P
/// differs by counts with less than 2^-18 of its norm.
double largest_eigenvalue(const Matrix<double>& P) {
  if (P.rows() >= 64)
    if (const auto bound = eigenvalue_by_cholesky(P)) return *bound;
  return eigenvalue_by_squares(P);
}

}  // namespace

double spectral_bound(const Matrix<double>& a) {
  const double size = frobenius(a);
  if (!(size > 0x1p-400) || !(size < 0x1p400)) return size;
  const bool tall = a.rows() >= a.cols();
  const Index side = std::min(a.rows(), a.cols()), inner = std::max(a.rows(), a.cols());
  const double unit = power_below(size);
  const auto fill = [&](auto& P) {  // A^T A or A A^T on the scale unit^2
    if (tall)
      multiply_transposed(a.data(), a.data(), P.data(), side, inner, side);
    else
      multiply(a.data(), Matrix<double>(a.transpose()).data(), P.data(), side, inner, side);
    P *= 1 / (unit * unit);
  };
  double eigenvalue = 0;
  if (side <= small) {
    Small P(side, side);
    fill(P);
    eigenvalue = eigenvalue_by_squares(P);
  } else {
    Matrix<double> P(side, side);
    fill(P);
    eigenvalue = largest_eigenvalue(P);
  }
  return std::min(size, std::sqrt(eigenvalue) * (1 + 0x1p-16) * unit);
}

Gram gram_of_rows(const Matrix<double>& X) {
  const double size = frobenius(X), unit = power_below(size);
  return {times_transposed(X * (1 / unit)), unit, size};
}

void SideBySide::add(const Matrix<double>& X) {
  gram_ += times_transposed(X);
  const double size = frobenius(X);
  squares_ += size * size;
}

void SideBySide::add(const Matrix<double>& left, const Gram& right) {
  const double size = frobenius(left), unit_left = power_below(size), unit = unit_left * right.unit;
  const Matrix<double> scaled = left * (1 / unit_left);
  gram_ += multiply(multiply(scaled, right.scaled), Matrix<double>(scaled.transpose())) * unit * unit;
  squares_ += size * size * right.frobenius * right.frobenius;
}

double SideBySide::bound() const {
  const double size = frobenius(gram_);
  if (!(size > 0) || !std::isfinite(size)) return std::sqrt(size + squares_ * 0x1p-38);
  const double unit = power_below(size);
  // Three products of inner sizes up to 2048 and the sum of the matrices: less than 2^-38 of the squares.
  const double squares = std::min(largest_eigenvalue(gram_ * (1 / unit)) * unit, squares_) * (1 + 0x1p-16);
  return std::sqrt(squares + squares_ * 0x1p-38) * (1 + 0x1p-40);
}

double spectral_bound(const Matrix<double>& left, const Gram& right) {
  SideBySide alone(left.rows());
  alone.add(left, right);
  return alone.bound();
}

}  // namespace rankfall::doubles
