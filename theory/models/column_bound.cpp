#include "theory/models/column_bound.hpp"

#include <vector>

#include "numerics/errors.hpp"

namespace rankfall::theory {
namespace {

/// m(y) = max(falling - y, level, rising + y): |a - y| + |b - y| = max(a + b - 2y, |a - b|, 2y - a - b).
struct PairMaximum {
  Ball falling, level, rising;

  Ball operator()(const Ball& y, Precision p) const {
    return max(max(sub(falling, y, p), level, p), add(rising, y, p), p);
  }
};

PairMaximum pair_maximum(std::span<const TokenPair> pairs, Precision p) {
  PairMaximum m;
  bool first = true;
  for (const TokenPair& pair : pairs) {
    const Ball sum = add(pair.first, pair.second, p), distance = abs(sub(pair.first, pair.second, p));
    const Ball falling = scale(add(pair.rest, sum, p), -1), level = scale(add(pair.rest, distance, p), -1),
               rising = scale(sub(pair.rest, sum, p), -1);
    m.falling = first ? falling : max(m.falling, falling, p);
    m.level = first ? level : max(m.level, level, p);
    m.rising = first ? rising : max(m.rising, rising, p);
    first = false;
  }
  return m;
}

Ball column_sum(std::span<const ColumnValue> values, const Ball& y, Precision p) {
  Ball sum, term;
  for (const ColumnValue& v : values) {
    arb_sub(term.raw(), v.value.raw(), y.raw(), p.bits);
    arb_abs(term.raw(), term.raw());
    arb_addmul_si(sum.raw(), term.raw(), v.count, p.bits);
  }
  return sum;
}

}  // namespace

Ball column_bound(std::span<const ColumnValue> values, std::span<const TokenPair> pairs, Precision p) {
  if (values.empty() || pairs.empty())
    throw DomainError("column bound of " + std::to_string(values.size()) + " values and " +
                      std::to_string(pairs.size()) + " pairs: at least one of each is needed");
  const PairMaximum m = pair_maximum(pairs, p);
  // Between breakpoints the product is monotone or concave. Points that are no breakpoints do no harm.
  std::vector<Ball> candidates{sub(m.falling, m.level, p), sub(m.level, m.rising, p),
                               scale(sub(m.falling, m.rising, p), -1)};
  for (const ColumnValue& v : values) candidates.push_back(v.value);
  Ball least = mul(column_sum(values, candidates[0], p), m(candidates[0], p), p);
  for (const Ball& y : candidates) least = min(least, mul(column_sum(values, y, p), m(y, p), p), p);
  return least;
}

}  // namespace rankfall::theory
