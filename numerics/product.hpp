#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// Encloses A B. A is n x k, B is k x m; throws DomainError when the inner sizes differ. Zeros stay exactly
/// zero.
BallMatrix product(const BallMatrix& a, const BallMatrix& b, Precision p);
/// Encloses A^T x.
BallVector transposed_product(const BallMatrix& a, const BallVector& x, Precision p);
/// Encloses A x.
BallVector product(const BallMatrix& a, const BallVector& x, Precision p);
/// Encloses a . b; throws DomainError when the sizes differ.
Ball dot(const BallVector& a, const BallVector& b, Precision p);

}  // namespace rankfall
