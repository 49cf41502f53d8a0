#pragma once
#include <memory>
#include <vector>

#include "numerics/norms.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// X = 1 reference^T + residual (tokens x d), the residual on its own exact exponent, so that it keeps a relative
/// accuracy that does not depend on how small it is.
struct ResidualState {
  BallVector reference;
  ScaledMatrix residual;
};

/// The same X about another reference: the residual's own mean, median or midrange row moves into the reference.
ResidualState recentred(const ResidualState& state, Reference reference, Precision p);

/// What one head did to a state X = 1 x^T + R (docs/theory, 2).
struct HeadTrace {
  ScaledMatrix E;       ///< n x n: R W_QK R^T / sqrt(d_qk)
  ScaledMatrix values;  ///< n x d': R W_h
  BallVector q;         ///< softmax of the scores of the reference
};

/// An attention block applied to a state: the new state about the propagated reference x', and the heads' traces.
struct LayerTrace {
  std::vector<HeadTrace> heads;
  ResidualState output;
};

/// One head's weights as balls, computed once.
struct HeadWeights {
  BallMatrix scores;    ///< A = W_QK / sqrt(d_qk), d x d
  BallVector key_bias;  ///< W_K b_Q / sqrt(d_qk), d (zero without bias)
  BallMatrix values;    ///< W_h, d x d'
};

/// An attention block's weights as balls.
struct AttentionWeights {
  Ball skip;
  std::vector<HeadWeights> heads;
  BallVector bias;  ///< b = b_O + sum_h W_O^T b_V, d'
};

HeadWeights weights(const Head& head, Precision p);
AttentionWeights weights(const AttentionBlock& block, Precision p);

/// The certified residual engine: the recursion of docs/theory, 2 in balls. Every state encloses the exact state of the
/// network; exactly equal tokens stay exactly equal.
class ResidualEngine {
 public:
  /// Throws InputError when the network's shapes break.
  ResidualEngine(const Network& network, Precision p);

  std::size_t blocks() const { return blocks_.size(); }
  Precision precision() const { return precision_; }
  const AttentionWeights& attention(std::size_t block) const { return blocks_[block]; }

  /// The network's input about the given reference; differences of tokens are formed exactly.
  ResidualState input(Reference reference) const;
  /// One block, about the reference that it propagates (not recentred).
  LayerTrace apply(std::size_t block, const ResidualState& state) const;

 private:
  ExactMatrix input_;
  std::vector<AttentionWeights> blocks_;
  Precision precision_;
};

/// All states of the network, each about its token mean (recentred after every block): states 0..blocks.
std::vector<ResidualState> mean_states(const ResidualEngine& engine);

}  // namespace rankfall
