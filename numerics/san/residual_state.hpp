#pragma once
#include "numerics/norms.hpp"

namespace rankfall {

/// X = 1 reference^T + residual (tokens x d), the residual on its own exact exponent, so that it keeps a
/// relative accuracy that does not depend on how small it is.
struct ResidualState {
  BallVector reference;
  ScaledMatrix residual;
};

/// The same X about another reference: the residual's own mean, median or midrange row moves into the
/// reference.
ResidualState recentred(const ResidualState& state, Reference reference, Precision p);

}  // namespace rankfall
