#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// Encloses a lower bound of the least composite norm of a - 1 y^T over every reference y (docs/theory, 1):
/// the largest over columns k of sqrt(min_y s_k(y) m_k(y)), with m_k the maximum over all pairs of tokens. It
/// is at least sqrt(m_1 m_inf), and the least composite norm itself for one column. `a` is tokens x d, of at
/// least one token.
Ball minimal_residual_better_lower(const BallMatrix& a, Precision p);

}  // namespace rankfall
