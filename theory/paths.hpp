#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "numerics/exact.hpp"

namespace rankfall::theory {

/// The paths through `depth` layers of `heads` heads, each with a skip (docs/theory/paths, `path-count`). The
/// length of a path is the number of heads on it. Everything is exact.
struct PathCount {
  long heads = 0, depth = 0;
  std::vector<Integer> of_length;  ///< binomial(depth, k) heads^k for k = 0, ..., depth
  Integer total;                   ///< (1 + heads)^depth
  Rational mean;                   ///< of the length, every path being equally likely
  Rational full_length;            ///< share of the paths with a head in every layer
  std::vector<long> modes;         ///< the most frequent lengths: one, or two in a tie
};

inline constexpr long most_path_heads = 1'000'000'000;
inline constexpr long most_path_depth = 1'000;

/// Throws InputError unless heads is 1 to most_path_heads and depth 1 to most_path_depth.
PathCount path_count(long heads, long depth);

/// A released model by its heads and layers.
struct PathModel {
  std::vector<std::string> names;  ///< by which it is asked for: the variants that share these numbers
  std::string title;
  long heads, depth;
};

/// The models of docs/theory/paths, in its order.
const std::vector<PathModel>& path_models();
/// Throws InputError naming the word and the nearest name.
const PathModel& find_path_model(std::string_view name);

}  // namespace rankfall::theory
