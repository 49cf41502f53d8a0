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

/// Tokens +-(k, 1, ..., 1), skip 1, one layer of one head whose outputs are +-s ((dim - 1)/k, -1, ..., -1),
/// s = output tanh(k^2 w) in [0, 1]: orthogonal to the inputs, and with s near 1 all but the first column
/// vanishes.
struct OrthogonalSkip {
  Index dim = 4;
  Rational k = 3;  ///< at least 1
  Rational w = 0, output = 0;
};
/// With w = 1/k^2, output a multiple of u = 2^-bits times the numerator of k, and s below 1 by at most 2 u.
/// Throws DomainError for dim < 2 and for k < 1.
OrthogonalSkip orthogonal_skip(unsigned long bits, Index dim = 4, const Rational& k = 3);
Network network(const OrthogonalSkip& model);
/// Encloses the residuals of input and output; for two tokens that is sqrt(2 |v|_inf |v|_1), the tokens +-v.
Ball input_residual(const OrthogonalSkip& model, Precision p);
Ball output_residual(const OrthogonalSkip& model, Precision p);
/// Against "outputs orthogonal to the inputs keep the residual": left the residual of the input.
Refutation against_orthogonal_outputs(const OrthogonalSkip& model, Precision p);

}  // namespace rankfall::theory
