#pragma once
#include <variant>
#include <vector>

#include "numerics/san/mlp.hpp"
#include "numerics/san/residual_state.hpp"

namespace rankfall {

/// What one head did to a state X = 1 x^T + R (docs/theory, 2).
struct HeadTrace {
  ScaledMatrix E;       ///< n x n: R W_QK R^T / sqrt(d_qk)
  ScaledMatrix values;  ///< n x d': R W_h
  BallVector q;         ///< softmax of the scores of the reference
};

/// A block applied to a state: the new state about the propagated reference x', and what the heads of an
/// attention block did.
struct BlockTrace {
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
BlockTrace apply(const AttentionWeights& attention, const ResidualState& state, Precision p);

/// The certified residual engine: the recursion of docs/theory, 2 in balls. Every state encloses the exact
/// state of the network; exactly equal tokens stay exactly equal.
class ResidualEngine {
 public:
  /// Throws InputError when the network's shapes break.
  ResidualEngine(const Network& network, Precision p);

  std::size_t blocks() const { return blocks_.size(); }
  Precision precision() const { return precision_; }
  /// The weights of an attention block, of an MLP block; throw std::bad_variant_access for the other kind.
  const AttentionWeights& attention(std::size_t block) const {
    return std::get<AttentionWeights>(blocks_[block]);
  }
  const MlpWeights& mlp(std::size_t block) const { return std::get<MlpWeights>(blocks_[block]); }

  /// The network's input about the given reference; differences of tokens are formed exactly.
  ResidualState input(Reference reference) const;
  /// One block, about the reference that it propagates (not recentred).
  BlockTrace apply(std::size_t block, const ResidualState& state) const;

 private:
  ExactMatrix input_;
  std::vector<std::variant<AttentionWeights, MlpWeights>> blocks_;
  Precision precision_;
};

/// All states of the network, each about its token mean (recentred after every block): states 0..blocks.
std::vector<ResidualState> mean_states(const ResidualEngine& engine);

}  // namespace rankfall
