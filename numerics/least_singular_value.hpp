#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// Encloses the least |a^T z|_2/|z|_2 over z: the least singular value of a (d x d') for d' >= d, exactly
/// zero otherwise and where a has a zero row. Where a is or may be singular only a bound from above is known
/// and the enclosure reaches zero.
Ball least_singular_value(const BallMatrix& a, Precision p);

}  // namespace rankfall
