#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

struct ProductNorms {
  Ball one, inf;
};

/// Encloses |A B|_1 and |A B|_inf from one pass in doubles and a bound of its rounding errors (Higham,
/// Accuracy and Stability, 3.1): far cheaper than a product of balls. For A n x k and B k x m the radius is
/// (k + max(n, m)) 2^-52 times the norm of |A| |B|. The midpoints have the same bits on every machine.
/// Throws DomainError when the inner sizes differ or a sum overflows.
ProductNorms product_norms(const Matrix<double>& a, const Matrix<double>& b);

}  // namespace rankfall
