#pragma once
#include "theory/models/one_layer.hpp"

namespace rankfall::theory {

/// Tokens e_1, e_2, e_3 and n - 3 zero rows (n >= 4), A = w (e_1 e_2^T - e_1 e_3^T), logit on tokens 2 and 3,
/// W = (0, 1, -1)^T u for an output row u (docs/theory, four-tokens). About the reference 0 the residual
/// is 1. The output is zero but for its first token, attended_difference * u.
struct FourTokens {
  long tokens = 4;
  Rational w;
  Rational logit = 60;
};

/// u is 1 x d'. Throws DomainError for fewer than four tokens.
OneLayer layer(const FourTokens& model, const RationalTable& u);
/// Encloses P_12 - P_13 = tanh(w)/(1 + (n-2) e^-logit/(2 cosh w)).
Ball attended_difference(const FourTokens& model, Precision p);
/// A lower bound of the squared residual of n tokens that are zero but for one, (1, sigma/m, ..., sigma/m)
/// with m entries sigma/m; exact for m = 0, sigma = 0. (docs/theory, two-heads-many-tokens, there with sigma
/// = sqrt m.)
Rational one_token_bound(long tokens, long m, const Rational& sigma);
/// Encloses left/right of `layer-cubic` for u = (1) and the minimal residual on both sides, near sqrt2/8 for
/// small w.
Ball layer_cubic_quotient(const FourTokens& model, Precision p);

}  // namespace rankfall::theory
