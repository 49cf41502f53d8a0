#pragma once
#include <cstdint>
#include <string_view>

#include "numerics/san/network.hpp"

namespace rankfall {

/// The weights of one head as a law draws them (docs/theory, 1): W_Q, W_K, W_V are dim x d_qk, W_O is d_qk x
/// dim.
struct DrawnHead {
  Matrix<double> W_Q, W_K, W_V, W_O;
};

/// What was drawn, as exact weights.
ExactMatrix exact(const Matrix<double>& drawn);
Head exact(const DrawnHead& drawn);

/// Shape and place of a head. What is drawn there depends on nothing else. Block 0 is the input; the first
/// block of the network is block 1.
struct HeadSite {
  Index dim, d_qk;
  std::uint64_t seed, block, head;
};

/// A way to draw the weights of a head. Adding one: its function and its line in the table of laws.cpp.
struct WeightLaw {
  std::string_view name;
  DrawnHead (*draw)(const HeadSite& site);
};

/// A way to draw the input (tokens x dim).
struct InputLaw {
  std::string_view name;
  Matrix<double> (*draw)(Index tokens, Index dim, std::uint64_t seed);
};

/// The law of that name: "gaussian" (entries normal, variance 1/dim), "uniform" (the same variance, entries
/// within sqrt(3/dim)), "orthogonal" (columns, or rows where there are fewer, orthonormal up to rounding),
/// "sparse" (one entry in eight is not zero, on average; variance 1/dim), "low-rank" (a quarter of the full
/// rank, exactly as long as no beta is asked for) or "one-hot-seeking" (gaussian with scores 16 times as
/// large). Throws InputError listing the laws and the nearest.
const WeightLaw& weight_law(std::string_view name);

/// The law of that name: "gaussian" (entries normal, variance 1), "sphere" (rows of norm sqrt(dim)),
/// "clustered" (three gaussian points plus gaussian noise of 1/16), "near-collapsed" (one, plus noise of
/// 2^-20) or "large-shift" (gaussian plus 1024 times one gaussian row). Throws InputError as above.
const InputLaw& input_law(std::string_view name);

}  // namespace rankfall
