#pragma once
#include <optional>

#include "numerics/san/doubles/four_block.hpp"
#include "numerics/san/doubles/mid.hpp"
#include "numerics/san/residual_state.hpp"

namespace rankfall::doubles {

/// A state X = 1 x^T + R, R = 2^exponent (M + delta), in doubles or pairs of them, with bounds of what they
/// miss: |x - reference| <= reference_error, and delta within `errors`, by its blocks in `frame`. |M|_F lies
/// in [1/2, 4).
struct State {
  Mid reference;  ///< a row
  double reference_error = 0;
  Mid M;
  Integer exponent = 0;
  Frame frame = {};
  Blocks errors = {};
};

/// The same state in entry balls.
ResidualState entries(const State& state);

/// Takes over an enclosure; nothing where it is exactly zero, or too wide or too large for doubles.
std::optional<State> state(const ResidualState& enclosure, bool wide);

/// The tokens of an input about their mean, faster than through balls; nothing under the same conditions.
std::optional<State> mean_state(const ExactMatrix& input, bool wide);

/// An exact matrix in doubles or pairs, and a bound of what they miss (Frobenius).
struct Rounded {
  Mid mid;
  double error = 0;
};
Rounded rounded(const ExactMatrix& exact, bool wide);

}  // namespace rankfall::doubles
