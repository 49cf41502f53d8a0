#pragma once
#include "numerics/san/network.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// The constructions of `dong-3.1-skip`: every layer has skip 1 and one head with W_QK = w I, w of any size.
/// (1) W = 0: the residual of every state is that of the input.
Network skip_with_zero_values(const ExactMatrix& input, std::size_t depth, const Rational& w);
/// (2) The input padded by as many zero columns, W = v times the map of the old columns to the new ones: the
/// old columns never change, so the residual never falls below that of the input.
Network skip_into_other_columns(const ExactMatrix& input, std::size_t depth, const Rational& w,
                                const Rational& v);

/// Tokens +-(3, 1, 1, 1), skip 1, one layer of one head whose outputs are +-output (1, -1, -1, -1) tanh(9 w),
/// orthogonal to the inputs.
struct OrthogonalSkip {
  Rational w = Rational(1, 9);
  Rational output;
};
/// With output a multiple of 2^-bits, and output tanh(9 w) below 1 by at most 2^(1 - bits).
OrthogonalSkip orthogonal_skip(unsigned long bits);
Network network(const OrthogonalSkip& model);
/// Encloses the residual of the output, sqrt(36 - 4 s^2), s = output tanh(9 w) in [0, 1].
Ball output_residual(const OrthogonalSkip& model, Precision p);
/// Against "outputs orthogonal to the inputs keep the residual": left the residual of the input, 6.
Refutation against_orthogonal_outputs(const OrthogonalSkip& model, Precision p);

}  // namespace rankfall::theory
