#pragma once
#include "numerics/san/direct_measures.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// Columns of the input in which all tokens are exactly equal.
ConstantColumns constant_columns(const ExactMatrix& input);

/// Columns of the block's output in which all tokens are equal because of how its weights are wired (zero
/// weights, keys or queries that do not vary, dead relu units, normalised pairs), given those of its input X.
/// Never marks a column that varies, except that a relu unit counts as dead when its argument, in the
/// arithmetic of X, is below zero in every token by more than half the bits at hand; likewise for the sign of
/// a difference. Needs the PrecisionScope that X was made in.
ConstantColumns constant_columns(const Block& block, const ConstantColumns& input, const Matrix<Real>& X);

}  // namespace rankfall
