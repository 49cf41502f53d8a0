#pragma once
#include <vector>

#include "theory/simulation.hpp"

namespace rankfall::theory {

/// Norms of W_h Lambda, Lambda what the column normalisations behind the attention multiply.
struct ScaledValues {
  Magnitude W_1, W_inf, W_composite;
};
/// Of each head of the attention block, with the normalisations among the blocks (block, to).
std::vector<ScaledValues> scaled_values(Simulation& simulation, std::size_t block, std::size_t to);

/// How much a token normalisation stretches distances of the tokens that it reads, in a vector norm
/// (docs/theory, `layernorm-lifted`); a number of the instance.
Magnitude stretch(const NormalisationWeights& norm, const ResidualState& state, VectorNorm vector_norm,
                  Precision p);
/// The product over the blocks (block, to), which are token normalisations.
Magnitude stretch_behind(Simulation& simulation, std::size_t block, std::size_t to, VectorNorm vector_norm);
/// Of the pre_norm of an attention block, and its largest |scale|.
Magnitude stretch_before(Simulation& simulation, std::size_t block, VectorNorm vector_norm);
Magnitude gain_before(Simulation& simulation, std::size_t block);

/// What a causal attention block of one head does with its first tokens (docs/theory, `causal-geometric`).
struct CausalWeights {
  Magnitude second_on_itself;  ///< P_22
  Magnitude least_on_first;    ///< min_i P_i1
  Magnitude sigma_min;         ///< least singular value of W_h
};
CausalWeights causal_weights(Simulation& simulation, std::size_t block);
/// |x_2 - x_1|_2 of state k; needs two tokens.
Magnitude first_difference(Simulation& simulation, std::size_t k);
/// Largest distance of a token of state k from the first.
Magnitude spread(Simulation& simulation, std::size_t k, VectorNorm vector_norm);

/// Composite norm of the residual of state `to` about the reference that starts at state `from` and is
/// carried through the blocks between.
Magnitude residual_behind(Simulation& simulation, std::size_t from, std::size_t to, Reference reference);

}  // namespace rankfall::theory
