// The spectral norm is the root of the largest eigenvalue of the Gram matrix M. An approximate eigenbasis V
// certifies it: with S = V^T M V and V^T V = I + D,
//   S_11 / (1 + D_11) <= largest eigenvalue of M = the least l for which l (I + D) - S is positive
//   semidefinite.
// For any m, l (I + D) - S = l I - T + (l - m) D with T = S - m D, so that l >= u + |D| |l - m| is enough, u
// an upper bound of the largest eigenvalue of T. With m near that eigenvalue T is nearly diagonal and the
// last term of second order.
#include <algorithm>
#include <vector>

#include "numerics/eigenbasis.hpp"
#include "numerics/norms.hpp"
#include "numerics/product.hpp"

namespace rankfall {
namespace {

Ball trace(const BallMatrix& m, Precision p) {
  Ball sum;
  for (Index i = 0; i < m.rows(); ++i) sum = add(sum, m(i, i), p);
  return sum;
}

BallMatrix gram(const BallMatrix& a, Precision p) {
  const BallMatrix transposed = a.transpose();
  return a.rows() <= a.cols() ? product(a, transposed, p) : product(transposed, a, p);
}

/// An upper bound that sums go into, of a few digits.
class Bound {
 public:
  void add(const Ball& a) {
    arb_get_mag(arb_radref(term_.raw()), a.raw());
    mag_add(arb_radref(sum_.raw()), arb_radref(sum_.raw()), arb_radref(term_.raw()));
  }
  void add_square(const Ball& a) {
    arb_get_mag(arb_radref(term_.raw()), a.raw());
    mag_addmul(arb_radref(sum_.raw()), arb_radref(term_.raw()), arb_radref(term_.raw()));
  }
  Ball ball(Precision p) const { return upper(sum_, p); }

 private:
  Ball sum_, term_;  // zero, with the bound as radius
};

/// At least sum of |T_ij| over j != i of the same side of the partition.
Ball off_diagonal(const BallMatrix& T, const std::vector<bool>& leading, Index i, Precision p) {
  Bound sum;
  for (Index j = 0; j < T.cols(); ++j)
    if (j != i && leading[static_cast<std::size_t>(j)] == leading[static_cast<std::size_t>(i)])
      sum.add(T(i, j));
  return sum.ball(p);
}

/// An upper bound of the largest eigenvalue of the symmetric T, by Gershgorin's circles in the leading block
/// and in the rest: with g and r their bounds and c^2 the sum of squares between them, l >= g + c^2 / (l - r)
/// makes the Schur complement of l - T non-negative. Nothing when g > r is not certain.
bool block_bound(const BallMatrix& T, const std::vector<bool>& leading, Precision p, Ball& bound) {
  Ball g, rest;
  Bound coupling;
  bool any_rest = false;
  for (Index i = 0; i < T.rows(); ++i) {
    const Ball circle = add(T(i, i), off_diagonal(T, leading, i, p), p);
    if (leading[static_cast<std::size_t>(i)]) {
      g = max(g, circle, p);
      continue;
    }
    rest = any_rest ? max(rest, circle, p) : circle;
    any_rest = true;
    for (Index j = 0; j < T.cols(); ++j)
      if (leading[static_cast<std::size_t>(j)]) coupling.add_square(T(i, j));
  }
  g = upper(g, p);
  if (any_rest) {
    const Ball gap = sub(g, rest, p);
    if (!certainly_positive(gap)) return false;
    g = upper(add(g, div(coupling.ball(p), gap, p), p), p);
  }
  bound = g;
  return true;
}

/// The best of the block bounds that set apart the largest diagonal entry, those near it, and none.
Ball largest_eigenvalue_bound(const BallMatrix& T, Index top, Precision p) {
  std::vector<bool> leading(static_cast<std::size_t>(T.rows()), true);
  Ball best, candidate;
  block_bound(T, leading, p, best);
  for (const long nearness : {p.bits / 4, 4 * p.bits}) {
    const Ball near = midpoint(sub(T(top, top), scale(abs(T(top, top)), -nearness), p));
    for (Index i = 0; i < T.rows(); ++i)
      leading[static_cast<std::size_t>(i)] = i == top || !midpoint_less(T(i, i), near);
    if (block_bound(T, leading, p, candidate) && midpoint_less(candidate, best)) best = candidate;
  }
  return best;
}

/// Encloses the largest eigenvalue of M with that basis, inside `before`.
Ball largest_eigenvalue(const Eigenbasis& basis, const Ball& before, Precision p) {
  const Index n = basis.V.rows(), top = basis.top;
  Ball low = lower(before, p), high = upper(before, p);
  const Ball unit = add(Ball(1), basis.defect(top, top), p);
  if (certainly_positive(unit)) {
    const Ball quotient = lower(div(basis.transformed(top, top), unit, p), p);
    if (midpoint_less(low, quotient)) low = quotient;
  }
  const Ball& m = basis.eigenvalues(top);
  const Ball defect = norm_inf(basis.defect, p), room = sub(Ball(1), defect, p);
  if (certainly_positive(room)) {
    BallMatrix T(n, n);
    for (Index i = 0; i < T.size(); ++i)
      T.data()[i] = sub(basis.transformed.data()[i], mul(m, basis.defect.data()[i], p), p);
    const Ball u = largest_eigenvalue_bound(T, top, p);
    const Ball bound = upper(add(u, div(mul(defect, abs(sub(u, m, p)), p), room, p), p), p);
    if (midpoint_less(bound, high)) high = bound;
  }
  return hull(low, high, p);
}

}  // namespace

Ball spectral_norm(const BallMatrix& a, Precision p) {
  const Precision guarded(p.bits + 16);
  if (a.size() == 0) return {};
  const BallMatrix M = gram(a, guarded);
  const Ball frobenius_squared = trace(M, guarded);
  if (is_zero(frobenius_squared)) return {};
  if (!certainly_positive(frobenius_squared) || !is_finite(frobenius_squared))
    return symmetric(sqrt(frobenius_squared, p));
  if (M.rows() == 1) return sqrt(frobenius_squared, p);

  const Ball least = div(frobenius_squared, Ball(static_cast<long>(M.rows())), guarded);
  Eigenbasis basis = approximate_eigenbasis(M, guarded);
  Ball eigenvalue = largest_eigenvalue(basis, hull(least, frobenius_squared, guarded), guarded);
  // Each refinement doubles the bits, or sets apart eigenvalues that agree in some 50 more.
  for (long known = 16; known < guarded.bits && relative_accuracy_bits(eigenvalue) < p.bits; known += 32) {
    const long before = relative_accuracy_bits(eigenvalue);
    basis = refined(basis, M, guarded);
    eigenvalue = largest_eigenvalue(basis, eigenvalue, guarded);
    if (before > p.bits / 2 && relative_accuracy_bits(eigenvalue) < before + 8)
      break;  // the entries' own width
  }
  return sqrt(eigenvalue, p);
}

}  // namespace rankfall
