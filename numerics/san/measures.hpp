#pragma once
#include <array>
#include <optional>

#include "numerics/magnitude.hpp"
#include "numerics/san/engine.hpp"

namespace rankfall {

/// A number known only between two bounds, each itself an enclosure: lower <= number <= upper.
struct Bracket {
  Magnitude lower, upper;
};

/// The vector norms in which diameters are taken.
enum class VectorNorm { one, two, inf };
inline constexpr std::array all_vector_norms{VectorNorm::one, VectorNorm::two, VectorNorm::inf};
inline constexpr std::array all_references{Reference::mean, Reference::median, Reference::midrange};
std::string name(VectorNorm norm);  ///< "1", "2", "inf"

/// Sizes of one state X (tokens x d).
struct StateMeasures {
  Magnitude norm;                     ///< composite norm of X
  std::array<Magnitude, 3> residual;  ///< composite residual about mean, median, midrange
  Bracket minimal;                    ///< least composite residual, over every reference
  Magnitude relative;                 ///< mean residual / norm; zero when norm may be zero (see has_relative)
  bool has_relative = false;          ///< norm is certainly positive
  std::array<Magnitude, 3> diameter;  ///< 1, 2, inf
  Magnitude composite_diameter;
};

StateMeasures measure(const ResidualState& state, Precision p);

/// Composite norm of the residual about the token mean over that of the state, the paper's figure: encloses
/// it; none when the norm is not certainly positive.
std::optional<Magnitude> relative_residual(const ResidualState& state, Precision p);

/// Composite norm of the residual as it stands, about the state's own reference.
Magnitude residual_norm(const ResidualState& state, Precision p);

}  // namespace rankfall
