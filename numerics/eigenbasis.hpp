#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// An approximate eigenbasis V of a symmetric matrix M, with what certifies it. The enclosures hold however
/// poor V is.
struct Eigenbasis {
  BallMatrix V;            ///< exact
  BallMatrix transformed;  ///< encloses V^T M V, nearly diagonal
  BallMatrix defect;       ///< encloses V^T V - I, nearly zero
  BallVector eigenvalues;  ///< exact and approximate, in the order of the columns of V
  Index top;               ///< where `eigenvalues` is largest
};

/// The basis by Jacobi's method in doubles, bit for bit the same on every machine. M (n x n) is symmetric and
/// finite.
Eigenbasis approximate_eigenbasis(const BallMatrix& M, Precision p);

/// A basis with the square of the error (Ogita, Aishima 2018, Jpn. J. Ind. Appl. Math. 35). Eigenvalues near
/// the largest that the basis could not tell apart are set apart by Jacobi's method on what is left of their
/// block.
Eigenbasis refined(const Eigenbasis& basis, const BallMatrix& M, Precision p);

}  // namespace rankfall
