#pragma once
#include "numerics/matrix.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// n x n with ones in the first column (row) and zeros elsewhere: composites sqrt n, of the sum n + 1.
ExactMatrix first_column(Index n);
ExactMatrix first_row(Index n);
/// Against `composite-triangle`: left |A + B|, right |A| + |B|, composites, for these two.
Refutation against_composite_triangle(Index n, Precision p);

/// Tokens e_1..e_n and n zero rows, residual at most 1, and their images under f(x) = max |x_l|, which is
/// 1-Lipschitz in every vector norm p: n ones and n zeros, residual sqrt(n/2).
ExactMatrix unit_and_zero_tokens(Index n);
ExactMatrix largest_entries(const ExactMatrix& tokens);
/// Against `dong-3.2-vector-norm`: left the residual of the images, right that of the tokens.
Refutation against_vector_norms(Index n, Precision p);

}  // namespace rankfall::theory
