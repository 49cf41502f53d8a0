#pragma once
#include <string>

#include "numerics/san/network.hpp"
#include "numerics/san/residual_state.hpp"

namespace rankfall {

/// A normalisation's weights as balls; `place` names it in errors ("blocks[2].pre_norm").
struct NormalisationWeights {
  Normalisation::Of of = Normalisation::Of::token;
  Ball epsilon;
  BallVector scale, shift;  ///< d
  std::string place;
};

/// `width`: d, columns of the state that it reads.
NormalisationWeights weights(const Normalisation& norm, Index width, const std::string& place, Precision p);

/// The normalisation applied to X = 1 y^T + R: encloses the new state about the normalised reference, without
/// cancellation against y (docs/theory, exact reduction). Where the reference has no variance of its own, the
/// state comes back about the normalised token of largest variance instead. Throws InputError naming the
/// place where a variance is zero with epsilon 0, DomainError where the enclosure does not tell.
ResidualState apply(const NormalisationWeights& norm, const ResidualState& state, Precision p);

/// rho_i = sqrt(variance of token i + epsilon), for a normalisation over tokens; throws like apply.
BallVector token_deviations(const NormalisationWeights& norm, const ResidualState& state, Precision p);

/// What each column is multiplied with by a normalisation over columns: 2^exponent times the mantissa.
struct ColumnFactors {
  BallVector mantissa;  ///< d
  Integer exponent = 0;
};
/// Throws like apply.
ColumnFactors column_factors(const NormalisationWeights& norm, const ResidualState& state, Precision p);

}  // namespace rankfall
