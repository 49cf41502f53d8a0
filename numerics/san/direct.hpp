#pragma once
#include <vector>

#include "numerics/real.hpp"
#include "numerics/san/network.hpp"

/// Textbook evaluation of a network: the independent witness of the certified engine, with which it shares
/// the exact weights and nothing else. Scalar is Real, float or double (instantiated in direct.cpp); nothing
/// is certified. Reals need a PrecisionScope around every call and work at its precision. Rows are treated
/// alike, so equal tokens stay bitwise equal.
namespace rankfall {

/// The block's output for the state X (tokens x d): queries, keys, scores / sqrt(d_qk), softmax of each row,
/// values, outputs, biases, masks, normalisation and skip as written in docs/theory, 1; throws InputError
/// when shapes break.
template <class Scalar>
Matrix<Scalar> apply_block(const Block& block, const Matrix<Scalar>& X);

/// All states: the input and every block's output.
template <class Scalar>
std::vector<Matrix<Scalar>> evaluate(const Network& network);

/// X W + 1 b^T for one layer of an MLP.
template <class Scalar>
Matrix<Scalar> affine(const MlpBlock::Layer& layer, const Matrix<Scalar>& X);
/// The activation, entry by entry.
template <class Scalar>
Matrix<Scalar> activated(Activation activation, Matrix<Scalar> X);

}  // namespace rankfall
