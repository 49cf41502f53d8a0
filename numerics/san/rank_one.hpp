#pragma once
#include <optional>

#include "numerics/san/attention.hpp"

namespace rankfall {

/// A state X = 1 x^T + R of which R = 2^exponent scale (u v^T + B), with |B|_F <= rest: what a pure network
/// with one head leaves of any state (docs/engine, rank one). Vectors take the place of matrices, and a layer
/// costs O(d^2).
struct RankOneState {
  BallVector reference;  ///< x, d
  Integer exponent;
  Ball scale;
  BallVector u;  ///< n
  BallVector v;  ///< d; its largest entry is exactly 1
  Ball rest;     ///< an exact number
};

/// Whether a block is what the rank-one recursion is stated for: one head, no skip, no norm, no biases that
/// depend on the row, and every query sees every key of `tokens`.
bool keeps_rank_one(const AttentionWeights& attention, Index tokens);

/// The state in this form, if its residual is so small and so near to rank one that nothing is lost by it at
/// p bits; else nothing.
std::optional<RankOneState> rank_one(const ResidualState& state, Precision p);

/// The next state, about the propagated reference or about the mean of its tokens: both are enclosed when the
/// given one is about that. Nothing where the enclosure does not tell. The block must keep rank one.
std::optional<RankOneState> advance(const AttentionWeights& attention, const RankOneState& state,
                                    Precision p);

/// The same state in entry balls.
ResidualState entries(const RankOneState& state, Precision p);

}  // namespace rankfall
