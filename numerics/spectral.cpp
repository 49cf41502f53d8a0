// Spectral norm by repeated squaring of the Gram matrix M. With t_m = trace(M^m) and the largest eigenvalue s:
//   (t_2m / t_m)^(1/m) <= s <= (t_2m)^(1/(2m)),
// the left side because t_2m <= s^m t_m, the right because every eigenvalue is at least 0. For m = 2^k the upper bound is
// too large by a factor of at most size^(1/(2m)). Where all eigenvalues are near their mean c, a row sum bound is sharp:
//   c <= s <= c + |M - c I|_inf.
#include <algorithm>

#include "numerics/norms.hpp"
#include "numerics/product.hpp"

namespace rankfall {
namespace {

constexpr int most_squarings = 36;

Ball trace(const BallMatrix& m, Precision p) {
  Ball sum;
  for (Index i = 0; i < m.rows(); ++i) sum = add(sum, m(i, i), p);
  return sum;
}

Ball root_of_power_of_two(Ball value, int k, Precision p) {
  for (int i = 0; i < k; ++i) value = sqrt(value, p);
  return value;
}

BallMatrix gram(const BallMatrix& a, Precision p) {
  const BallMatrix transposed = a.transpose();
  return a.rows() <= a.cols() ? product(a, transposed, p) : product(transposed, a, p);
}

/// Encloses the largest eigenvalue of M / trace(M), M positive semidefinite, by its distance from a multiple of I.
Ball near_scalar_bound(BallMatrix m, Precision p) {
  const Ball mean = div(Ball(1), Ball(static_cast<long>(m.rows())), p);
  for (Index i = 0; i < m.rows(); ++i) m(i, i) = sub(m(i, i), mean, p);
  return hull(mean, add(mean, norm_inf(m, p), p), p);
}

}  // namespace

Ball spectral_norm(const BallMatrix& a, Precision p) {
  const Ball frobenius_squared = trace(gram(a, p), p);
  if (is_zero(frobenius_squared)) return {};
  if (std::min(a.rows(), a.cols()) == 1 || !certainly_positive(frobenius_squared)) {
    const Ball bound = sqrt(frobenius_squared, p);
    return certainly_positive(frobenius_squared) ? bound : symmetric(bound);
  }
  // m is M^(2^k) / trace(M)^(2^k), whose trace is at most 1.
  BallMatrix m = gram(a, p);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = div(m.data()[i], frobenius_squared, p);
  const Ball scalar = near_scalar_bound(m, p);
  if (relative_accuracy_bits(scalar) > p.bits / 2) return sqrt(mul(scalar, frobenius_squared, p), p);
  Ball previous = trace(m, p), low, high(1);
  for (int k = 0; k < most_squarings; ++k) {
    m = product(m, m, p);
    const Ball current = trace(m, p);
    if (!certainly_positive(current)) break;
    low = lower(root_of_power_of_two(div(current, previous, p), k, p), p);
    high = upper(root_of_power_of_two(current, k + 1, p), p);
    if (relative_accuracy_bits(hull(low, high, p)) > p.bits / 2) break;
    previous = current;
  }
  const Ball eigenvalue = hull(low, high, p);
  return sqrt(mul(eigenvalue, frobenius_squared, p), p);
}

}  // namespace rankfall
