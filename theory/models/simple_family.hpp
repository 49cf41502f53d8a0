#pragma once
#include "theory/models/one_layer.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// The simple family against `dong-2.2-v1` (docs/theory, simple-family): n = 2s tokens e_0 (hub), e_1..e_s
/// (movers) and s - 1 zero rows, A = t diag(0, 1, ..., 1), W = I, logits of hub, movers and (0) zero rows.
struct SimpleFamily {
  long movers;
  Rational hub = 60, mover, t;
};

/// Throws DomainError for fewer than two movers.
OneLayer layer(const SimpleFamily& family);

/// Attention in closed form; the zero rows' weight is part of it.
struct SimpleOutput {
  Ball hub;    ///< q_0: column 0 of the hub's and the zero rows' new tokens
  Ball moved;  ///< column 0 of a mover's new token, q_0 (1 - theta)
  Ball own;    ///< a mover's entry in its own column
  Ball other;  ///< a mover's entry in another mover's column
};
SimpleOutput output(const SimpleFamily& family, Precision p);
/// Encloses a lower bound of the output's residual: the column bound of column 0 with pairs of movers and
/// (mover, hub).
Ball residual_bound(const SimpleFamily& family, Precision p);
/// The same layer by its classes.
UnitTokens unit_tokens(const SimpleFamily& family);
/// Right side at most 4t: the residual is 1 about the reference 0.
Refutation against_simple_family(const SimpleFamily& family, Precision p);

}  // namespace rankfall::theory
