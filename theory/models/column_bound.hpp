#pragma once
#include <span>

#include "numerics/ball.hpp"

namespace rankfall::theory {

/// `count` tokens have this value in the column.
struct ColumnValue {
  Ball value;
  long count;
};

/// Two tokens (or one taken twice): their values in the column and the 1-distance of their other entries.
struct TokenPair {
  Ball first, second, rest;
};

/// Encloses min_y s(y) m(y), s(y) = sum of |value - y| over the tokens, m(y) = the largest
/// (|first - y| + |second - y| + rest)/2 over the pairs: a lower bound of the squared residual of every
/// matrix with such a column and such pairs (docs/theory, residual-lower-bound). Throws DomainError without
/// values or pairs.
Ball column_bound(std::span<const ColumnValue> values, std::span<const TokenPair> pairs, Precision p);

}  // namespace rankfall::theory
