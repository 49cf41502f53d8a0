#pragma once
#include <vector>

#include "numerics/real.hpp"

namespace rankfall {

/// What is measured on a state, as decimal logarithms; -inf where the quantity is exactly zero.
template <class Scalar>
struct DirectMeasures {
  Scalar norm;                                      ///< composite norm of the state itself
  Scalar mean, median, midrange;                    ///< composite norm of the residual about that reference
  Scalar diam_1, diam_2, diam_inf, diam_composite;  ///< composite: sqrt(diam_1 diam_inf)
};

/// Columns in which all tokens are known to agree.
using ConstantColumns = std::vector<bool>;

/// Measures a state (tokens x d) in its own arithmetic: approximate, but equal tokens give exact zeros.
/// Columns marked constant (none when the list is empty) count as equal in all tokens whatever rounding made
/// of them. A state with an infinity or NaN (overflow in float) measures NaN.
template <class Scalar>
DirectMeasures<Scalar> measure(const Matrix<Scalar>& state, const ConstantColumns& constant = {});

extern template DirectMeasures<Real> measure(const Matrix<Real>&, const ConstantColumns&);
extern template DirectMeasures<double> measure(const Matrix<double>&, const ConstantColumns&);
extern template DirectMeasures<float> measure(const Matrix<float>&, const ConstantColumns&);

}  // namespace rankfall
