#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// Encloses softmax(scores). Throws DomainError for no scores. Any size of score is allowed.
BallVector softmax(const BallVector& scores, Precision p);

/// The deviation D of docs/theory, 2: P = 1 q^T + D is the softmax of the rows of 1 r^T + E, q = softmax(r).
/// E (any number of rows of n) is 2^(E.exponent) times its mantissa; D comes back with exponent
/// min(E.exponent, 0).
/// Encloses D with a relative accuracy that does not depend on how small E is, also where q is near one-hot.
ScaledMatrix softmax_deviation(const BallVector& q, const ScaledMatrix& E, Precision p);

/// a * 2^exponent for a sum with numbers near 1: below 2^-(2p + 64) only a bound is kept, so that no exponent
/// grows.
Ball scaled_value(const Ball& a, const Integer& exponent, Precision p);

}  // namespace rankfall
