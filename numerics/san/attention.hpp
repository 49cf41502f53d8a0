#pragma once
#include <optional>
#include <string>
#include <vector>

#include "numerics/san/normalisation.hpp"
#include "numerics/san/weight_product.hpp"

namespace rankfall {

/// What one head did to a state X = 1 x^T + R (docs/theory, 2), of which query i sees the keys K: all of
/// them, the allowed ones when those are the same for every query, and all of them again, with P, when they
/// are not.
struct HeadTrace {
  ScaledMatrix E;       ///< n x K: R W_QK R^T / sqrt(d_qk), plus the biases that depend on the row
  ScaledMatrix values;  ///< K x d': R W_h
  BallVector q;         ///< softmax of the scores of the reference; empty when the queries see different keys
  BallMatrix P;         ///< n x n, then: the attention. Empty otherwise
};

/// A block applied to a state: the new state about the propagated reference x', and what the heads of an
/// attention block did.
struct BlockTrace {
  std::vector<HeadTrace> heads;
  ResidualState output;
};

/// One head's weights as balls, computed once.
struct HeadWeights {
  WeightProduct scores;               ///< A = W_QK / sqrt(d_qk), d x d
  BallVector key_bias;                ///< W_K b_Q / sqrt(d_qk), d (zero without bias)
  WeightProduct values;               ///< W_h, d x d'
  BallMatrix queries, relative_keys;  ///< W_Q and k / sqrt(d_qk); empty without relative keys
  BallVector relative_bias;           ///< b_R
  BallMatrix score_bias;              ///< n x n; empty without

  bool has_row_biases() const { return relative_keys.size() > 0 || score_bias.size() > 0; }
};

/// An attention block's weights as balls.
struct AttentionWeights {
  Ball skip;
  std::vector<HeadWeights> heads;
  BallVector bias;  ///< b = b_O + sum_h W_O^T b_V, d'
  Mask mask = {};
  std::optional<NormalisationWeights> pre_norm = {};
};

HeadWeights weights(const Head& head, Precision p);
/// `place` names the block in errors ("blocks[2]").
AttentionWeights weights(const AttentionBlock& block, Precision p, const std::string& place = "block");

/// Where every query sees the same keys the heads map R to D R W_h about x + R^T q, which is cubic in R
/// without row biases; under any other mask to P R W_h about x, which is linear (docs/theory, exact
/// reduction).
BlockTrace apply(const AttentionWeights& attention, const ResidualState& state, Precision p);
/// The output alone, which takes fewer products where values are in factors: W_O comes last, once a head.
ResidualState advance(const AttentionWeights& attention, const ResidualState& state, Precision p);

/// Encloses the terms of a head's scores that depend on query and key and not only through R W_QK R^T: (W_Q^T
/// x_i + b_R) . k_(i-j) / sqrt(d_qk) and score_bias (n x n).
BallMatrix row_biases(const HeadWeights& head, const ResidualState& state, Precision p);

}  // namespace rankfall
