#pragma once
#include "numerics/real.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// (X - mean)/sqrt(variance + epsilon), times scale, plus shift, as written, over rows or over columns;
/// infinities or NaN where the variance comes out as 0 with epsilon 0. Scalar is Real, float or double, as in
/// san/direct.hpp.
template <class Scalar>
Matrix<Scalar> normalised(const Normalisation& norm, Matrix<Scalar> X);

}  // namespace rankfall
