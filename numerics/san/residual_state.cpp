#include "numerics/san/residual_state.hpp"

namespace rankfall {

ResidualState recentred(const ResidualState& state, Reference reference, Precision p) {
  const BallVector y = reference_row(state.residual.mantissa, reference, p);
  ResidualState result{state.reference, {about(state.residual.mantissa, y, p), state.residual.exponent}};
  for (Index j = 0; j < y.size(); ++j)
    result.reference(j) = add(result.reference(j), scale(y(j), state.residual.exponent), p);
  normalise(result.residual);
  return result;
}

}  // namespace rankfall
