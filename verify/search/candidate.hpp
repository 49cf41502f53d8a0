#pragma once
#include "numerics/san/network.hpp"
#include "verify/search/local_search.hpp"

namespace rankfall::verify {

/// The size of a one-layer network that a search moves in: attention heads with W_QK = W_Q, W_K the identity,
/// a query bias (which gives every key a logit of its own) and W of width dim to outputs, and blocks that the
/// statement speaks of besides.
struct Shape {
  Index tokens = 2, dim = 1, heads = 1, outputs = 1;
  Rational skip = 0;
  bool mlp = false;  ///< a relu block of width `outputs` behind the attention
};

/// Throws InputError for a size below 1 and for more than most_search_numbers numbers.
void validate(const Shape& shape);
inline constexpr Index most_search_numbers = 4096;

/// Tokens first, then scores, query bias and values of each head, then the MLP.
Network network_of(const Shape& shape, const Point& point);

/// Where a climb begins: structured for the first few numbers, drawn from a law after that. The same number
/// of the same seed gives the same point.
Point starting_point(const Shape& shape, std::uint64_t seed, std::uint64_t number);

/// The point with every number rounded to `bits` bits, relative to the largest of its group.
Point rounded(const Point& point, int bits);

}  // namespace rankfall::verify
