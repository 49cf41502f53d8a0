#pragma once
#include <vector>

#include "numerics/san/engine.hpp"

namespace rankfall::theory {

/// What the paths with `length` heads put into the output of an attention network. `output` (n x d') sums
/// P_path X W_path, `residual` sums D_path R W_path, D being the deviation of the attention map from the row
/// that the reference attends with: the two differ by a constant row, and `residual` keeps its relative
/// accuracy however small it is.
struct PathsOfLength {
  std::size_t length = 0;
  Integer paths;
  BallMatrix output, residual;
};

/// The two sides of `path-decomposition` (docs/theory/paths): the network's output is the sum over all ways
/// to pick one head, or the skip where it is not 0, in every layer, plus the constant row b.
struct PathDecomposition {
  Integer paths;
  std::vector<PathsOfLength> lengths;  ///< 0, ..., depth; sums are zero where there are no paths
  BallVector constant;                 ///< b
  BallMatrix output, residual;         ///< of the network itself: X^L, and X^L about the propagated reference
  /// Network minus sum over paths; the identity says that they enclose 0.
  BallMatrix output_difference, residual_difference;
};

enum class PathSums {
  enumerated,  ///< every path on its own: its attention product, its value product
  by_length,   ///< layer by layer, the paths of one length together
};

/// How many paths the network has; throws InputError that names the first block that is no attention block.
Integer path_total(const Network& network);

/// Encloses both sides at p bits. Throws as path_total does, and InputError when the paths to be enumerated
/// are more than most_enumerated_paths.
PathDecomposition path_decomposition(const Network& network, PathSums sums, Precision p);
inline constexpr long most_enumerated_paths = 10'000'000;

}  // namespace rankfall::theory
