#pragma once
#include <optional>
#include <string>
#include <vector>

#include "numerics/san/normalisation.hpp"

namespace rankfall {

/// An MLP block's weights as balls.
struct MlpWeights {
  struct Layer {
    BallMatrix W;     ///< d x d'
    BallVector bias;  ///< d' (zero without bias)
  };
  Ball skip;
  Activation activation = Activation::identity;
  std::vector<Layer> layers;
  std::optional<NormalisationWeights> pre_norm = {};
};

/// `place` names the block in errors ("blocks[2]").
MlpWeights weights(const MlpBlock& block, Precision p, const std::string& place = "block");

/// The block applied to X = 1 y^T + R: encloses the new state about f(y), without cancellation against y.
/// Where a kink of the activation is not resolved the enclosure covers both sides.
ResidualState apply(const MlpWeights& mlp, const ResidualState& state, Precision p);

/// M (d x d') with |f_k(u) - f_k(v)| <= sum_l |u_l - v_l| M_lk for all u, v in the smallest box that holds
/// the tokens and the reference; entries are exact upper bounds (docs/theory, `dong-3.2-mlp`). Throws
/// DomainError for a block with pre_norm, whose slopes this does not bound.
BallMatrix lipschitz(const MlpWeights& mlp, const ResidualState& state, Precision p);

/// A bound of |M|_{1,inf} that serves all u, v whatsoever: the product of the layers' composite norms and of
/// the activation's Lipschitz constant between them. Never below that of `lipschitz`, but for rounding.
Ball global_lipschitz(const MlpWeights& mlp, Precision p);

}  // namespace rankfall
