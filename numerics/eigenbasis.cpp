#include "numerics/eigenbasis.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "numerics/near.hpp"
#include "numerics/product.hpp"

namespace rankfall {
namespace {

void turn(double& a, double& b, double c, double s) {
  const double x = a, y = b;
  a = c * x - s * y;
  b = s * x + c * y;
}

/// Turns rows and columns i, j of S so that S_ij vanishes, and the columns of V with them.
void rotate(Matrix<double>& S, Matrix<double>& V, Index i, Index j) {
  const double theta = (S(j, j) - S(i, i)) / (2 * S(i, j));
  const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (Index k = 0; k < S.rows(); ++k) turn(S(k, i), S(k, j), c, s);
  for (Index k = 0; k < S.rows(); ++k) turn(S(i, k), S(j, k), c, s);
  for (Index k = 0; k < V.rows(); ++k) turn(V(k, i), V(k, j), c, s);
}

/// Columns that nearly diagonalise S, by cyclic Jacobi.
Matrix<double> jacobi_basis(Matrix<double> S) {
  constexpr int most_sweeps = 30;
  const Index n = S.rows();
  Matrix<double> V = Matrix<double>::Identity(n, n);
  double size = 0;
  for (Index i = 0; i < S.size(); ++i) size = std::fmax(size, std::fabs(S.data()[i]));
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = false;
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) {
        if (!(std::fabs(S(i, j)) > std::ldexp(size, -54))) continue;
        rotate(S, V, i, j);
        turned = true;
      }
    if (!turned) break;
  }
  return V;
}

/// The midpoints of M as doubles, all divided by one power of two.
Matrix<double> scaled_midpoints(const BallMatrix& M) {
  ScaledMatrix scaled{M, 0};
  normalise(scaled);
  Matrix<double> result(M.rows(), M.cols());
  for (Index i = 0; i < M.size(); ++i) result.data()[i] = near_double(scaled.mantissa.data()[i]);
  return result;
}

BallMatrix as_balls(const Matrix<double>& a) {
  BallMatrix result(a.rows(), a.cols());
  for (Index i = 0; i < a.size(); ++i) result.data()[i] = Ball(a.data()[i]);
  return result;
}

Eigenbasis certified(BallMatrix V, const BallMatrix& M, Precision p) {
  const Index n = M.rows();
  const BallMatrix transposed = V.transpose();
  Eigenbasis basis{std::move(V), {}, {}, BallVector(n), 0};
  basis.transformed = product(transposed, product(M, basis.V, p), p);
  basis.defect = product(transposed, basis.V, p);
  for (Index i = 0; i < n; ++i) {
    Ball& eigenvalue = basis.eigenvalues(i);
    arb_div(eigenvalue.raw(), basis.transformed(i, i).raw(), basis.defect(i, i).raw(), p.bits);
    eigenvalue = midpoint(eigenvalue);
    basis.defect(i, i) = sub(basis.defect(i, i), Ball(1), p);
    if (midpoint_less(basis.eigenvalues(basis.top), eigenvalue)) basis.top = i;
  }
  return basis;
}

/// What keeps V^T M V from being diagonal, apart from the defect: S_ij - l_j D_ij off the diagonal, as exact
/// midpoints.
BallMatrix couplings(const Eigenbasis& basis, Precision p) {
  const Index n = basis.V.rows();
  BallMatrix result(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i != j)
        result(i, j) =
            midpoint(sub(basis.transformed(i, j), mul(basis.eigenvalues(j), basis.defect(i, j), p), p));
  return result;
}

/// The columns whose eigenvalues lie within 64 times the largest coupling below the largest.
std::vector<Index> top_cluster(const Eigenbasis& basis, const BallMatrix& coupling, Precision p) {
  Ball largest;
  for (Index i = 0; i < coupling.size(); ++i) largest = max(largest, abs(coupling.data()[i]), p);
  const Ball threshold = midpoint(sub(basis.eigenvalues(basis.top), scale(largest, 6L), p));
  std::vector<Index> cluster;
  for (Index i = 0; i < basis.eigenvalues.size(); ++i)
    if (!midpoint_less(basis.eigenvalues(i), threshold)) cluster.push_back(i);
  return cluster;
}

/// Replaces the columns of Y that belong to the cluster by their combinations that diagonalise its block.
void untangle(BallMatrix& Y, const Eigenbasis& basis, const BallMatrix& coupling,
              const std::vector<Index>& cluster, Precision p) {
  const Index size = static_cast<Index>(cluster.size());
  const auto at = [&](Index i) { return cluster[static_cast<std::size_t>(i)]; };
  BallMatrix block(size, size), columns(Y.rows(), size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j)
      block(i, j) =
          i == j ? sub(basis.eigenvalues(at(i)), basis.eigenvalues(basis.top), p) : coupling(at(i), at(j));
  for (Index j = 0; j < size; ++j) columns.col(j) = Y.col(at(j));
  columns = product(columns, as_balls(jacobi_basis(scaled_midpoints(block))), p);
  for (Index j = 0; j < size; ++j) Y.col(at(j)) = columns.col(j);
}

}  // namespace

Eigenbasis approximate_eigenbasis(const BallMatrix& M, Precision p) {
  return certified(as_balls(jacobi_basis(scaled_midpoints(M))), M, p);
}

Eigenbasis refined(const Eigenbasis& basis, const BallMatrix& M, Precision p) {
  const Index n = M.rows();
  const BallMatrix coupling = couplings(basis, p);
  const std::vector<Index> cluster = top_cluster(basis, coupling, p);
  std::vector<bool> clustered(static_cast<std::size_t>(n), false);
  for (const Index i : cluster) clustered[static_cast<std::size_t>(i)] = true;
  // The next basis is V Y: to first order Y must undo the defect and, between eigenvalues set apart, the
  // couplings.
  BallMatrix Y(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Ball gap = midpoint(sub(basis.eigenvalues(j), basis.eigenvalues(i), p));
      const bool together = clustered[static_cast<std::size_t>(i)] && clustered[static_cast<std::size_t>(j)];
      if (i == j || together || !midpoint_less(scale(abs(coupling(i, j)), 4L), abs(gap)))
        Y(i, j) = scale(neg(basis.defect(i, j)), -1);
      else
        Y(i, j) = div(coupling(i, j), gap, p);
      if (i == j) Y(i, j) = add(Ball(1), Y(i, j), p);
    }
  if (cluster.size() > 1) untangle(Y, basis, coupling, cluster, p);
  BallMatrix V = product(basis.V, Y, p);
  for (Index i = 0; i < V.size(); ++i) V.data()[i] = midpoint(V.data()[i]);
  return certified(std::move(V), M, p);
}

}  // namespace rankfall
