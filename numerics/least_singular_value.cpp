// The least singular value of an invertible a is 1/|a^-1|_2; of a wide one, |(a a^T)^-1|_2^(-1/2), at twice
// the bits.
#include "numerics/least_singular_value.hpp"

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

#include <optional>

#include "numerics/eigenbasis.hpp"
#include "numerics/norms.hpp"
#include "numerics/product.hpp"

namespace rankfall {
namespace {

/// An Arb matrix that cleans up after itself.
class ArbMatrix {
 public:
  explicit ArbMatrix(Index size) { arb_mat_init(value_, size, size); }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;
  ~ArbMatrix() { arb_mat_clear(value_); }
  arb_mat_struct* raw() { return value_; }
  arb_ptr at(Index i, Index j) { return arb_mat_entry(value_, i, j); }

 private:
  arb_mat_t value_;
};

std::optional<BallMatrix> inverse(const BallMatrix& m, Precision p) {
  const Index n = m.rows();
  ArbMatrix given(n), inverted(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) arb_set(given.at(i, j), m(i, j).raw());
  if (arb_mat_inv(inverted.raw(), given.raw(), p.bits) == 0) return std::nullopt;
  BallMatrix result(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) arb_set(result(i, j).raw(), inverted.at(i, j));
  return result;
}

bool has_zero_row(const BallMatrix& a) {
  for (Index i = 0; i < a.rows(); ++i) {
    bool zero = true;
    for (Index j = 0; j < a.cols() && zero; ++j) zero = is_zero(a(i, j));
    if (zero) return true;
  }
  return false;
}

/// |V_i|^-2 V_i^T M V_i is above the least eigenvalue of M for every vector V_i.
Ball least_eigenvalue_bound(const BallMatrix& M, Precision p) {
  const Eigenbasis basis = approximate_eigenbasis(M, p);
  std::optional<Ball> least;
  for (Index i = 0; i < M.rows(); ++i) {
    const Ball unit = add(Ball(1), basis.defect(i, i), p);
    if (!certainly_positive(unit)) continue;
    const Ball quotient = upper(div(basis.transformed(i, i), unit, p), p);
    if (!least || midpoint_less(quotient, *least)) least = quotient;
  }
  return least ? *least : norm_1(M, p);
}

}  // namespace

Ball least_singular_value(const BallMatrix& a, Precision p) {
  if (a.cols() < a.rows() || has_zero_row(a)) return {};
  for (Index i = 0; i < a.size(); ++i)
    if (!is_finite(a.data()[i])) return symmetric(a.data()[i]);
  const bool square = a.rows() == a.cols();
  const Precision guarded((square ? 1 : 2) * p.bits + 32);
  const BallMatrix transposed = a.transpose(), M = product(a, transposed, guarded);
  const std::optional<BallMatrix> inverted = inverse(square ? a : M, guarded);
  const Ball norm = inverted ? spectral_norm(*inverted, guarded) : Ball();
  if (certainly_positive(norm)) return div(Ball(1), square ? norm : sqrt(norm, guarded), p);
  return between_zero_and(sqrt(between_zero_and(least_eigenvalue_bound(M, guarded)), p));
}

}  // namespace rankfall
