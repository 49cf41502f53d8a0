#pragma once
#include "numerics/san/network.hpp"
#include "verify/search/local_search.hpp"

namespace rankfall::verify {

/// The size of a network that a search moves in: in each layer attention heads with W_QK = W_Q, W_K the
/// identity, a query bias (which gives every key a logit of its own) and W of width dim to dim, in the last
/// layer to outputs, and blocks that the statement speaks of besides.
struct Shape {
  Index tokens = 2, dim = 1, heads = 1, outputs = 1;
  Rational skip = 0;
  bool mlp = false;  ///< behind the attention of each layer a relu block of its width
  Index depth = 1;   ///< layers

  /// Width of the tokens behind a layer, counted from 0.
  Index width_behind(Index layer) const { return layer + 1 < depth ? dim : outputs; }
};

/// Throws InputError for a size below 1 and for more than most_search_numbers numbers.
void validate(const Shape& shape);
inline constexpr Index most_search_numbers = 4096;

/// Tokens first, then of each layer scores, query bias and values of each head, then the MLP.
Network network_of(const Shape& shape, const Point& point);

/// Where a climb begins: in turn from laws and structures in which extremal instances are known to lie. The
/// same number of the same seed gives the same point.
Point starting_point(const Shape& shape, std::uint64_t seed, std::uint64_t number);

/// The point with every number rounded to `bits` bits, relative to the largest of its group.
Point rounded(const Point& point, int bits);

}  // namespace rankfall::verify
