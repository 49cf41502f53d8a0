#include "theory/models/column_bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/norms.hpp"
#include "numerics/random.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

constexpr Precision p(96);

Rational small_integer(const Stream& stream, std::uint64_t index, long range) {
  return Rational(static_cast<long>(stream.uniform(index) * static_cast<double>(range)));
}

/// s(y) m(y) from its definition.
Rational product(const std::vector<std::pair<Rational, long>>& values,
                 const std::vector<std::array<Rational, 3>>& pairs, const Rational& y) {
  Rational s = 0, m = 0;
  for (const auto& [value, count] : values) s += count * abs(Rational(value - y));
  for (const auto& [a, b, rest] : pairs)
    m = std::max(m, Rational((abs(Rational(a - y)) + abs(Rational(b - y)) + rest) / 2));
  return s * m;
}

}  // namespace

TEST_CASE("the column (0, 0, 1) has the residuals of docs/theory") {
  const ColumnValue values[] = {{Ball(0), 2}, {Ball(1), 1}};
  const TokenPair pairs[] = {
      {Ball(0), Ball(0), Ball(0)}, {Ball(1), Ball(1), Ball(0)}, {Ball(0), Ball(1), Ball(0)}};
  const Ball least = column_bound(values, pairs, p);
  CHECK(is_exact(least));
  CHECK(contains(least, Rational(3, 4)));

  BallMatrix column(3, 1);
  column(2, 0) = Ball(1);
  const auto squared = [&](Reference reference) {
    const Ball r = residual(column, reference, p);
    return mul(r, r, p);
  };
  CHECK(contains(squared(Reference::mean), Rational(8, 9)));
  CHECK(contains(squared(Reference::median), Rational(1)));
  CHECK(contains(squared(Reference::midrange), Rational(3, 4)));
}

TEST_CASE("no reference on a fine grid is better than the bound, and one on the quarter grid attains it") {
  for (int instance = 0; instance < 40 * test::multiplier(); ++instance) {
    CAPTURE(instance);
    const Stream stream(17, static_cast<std::uint64_t>(instance), 0, 0);
    std::vector<std::pair<Rational, long>> exact_values;
    std::vector<std::array<Rational, 3>> exact_pairs;
    std::vector<ColumnValue> values;
    std::vector<TokenPair> pairs;
    for (std::uint64_t k = 0; k < 5; ++k) {
      exact_values.emplace_back(small_integer(stream, k, 12), 1 + static_cast<long>(k % 3));
      values.push_back({Ball(exact_values.back().first, p), exact_values.back().second});
    }
    for (std::uint64_t k = 0; k < 4; ++k) {
      const std::array<Rational, 3> pair{small_integer(stream, 10 + 3 * k, 12),
                                         small_integer(stream, 11 + 3 * k, 12),
                                         small_integer(stream, 12 + 3 * k, 9)};
      exact_pairs.push_back(pair);
      pairs.push_back({Ball(pair[0], p), Ball(pair[1], p), Ball(pair[2], p)});
    }
    const Ball bound = column_bound(values, pairs, p);
    Rational least = product(exact_values, exact_pairs, Rational(-4));
    for (long step = -16; step <= 64; ++step)  // breakpoints of such integers are multiples of 1/4
      least = std::min(least, product(exact_values, exact_pairs, Rational(step, 4)));
    CHECK(contains(bound, least));
    CHECK(relative_accuracy_bits(add(bound, Ball(1), p)) > 80);
  }
}

TEST_CASE("inexact values are enclosed") {
  const Ball third(Rational(1, 3), p);
  const ColumnValue values[] = {{third, 4}, {Ball(1), 3}};
  const TokenPair pairs[] = {{third, third, Ball(2)}, {Ball(1), Ball(1), Ball(0)}};
  const Ball bound = column_bound(values, pairs, p);
  CHECK(contains(bound, Rational(2)));  // at 1/3: 3 (2/3) * 1
  CHECK(relative_accuracy_bits(bound) > 85);
}

TEST_CASE("nothing to bound is an error") {
  const ColumnValue values[] = {{Ball(0), 1}};
  CHECK_THROWS_AS(column_bound(values, {}, p), DomainError);
  CHECK_THROWS_WITH(column_bound({}, {}, p), doctest::Contains("0 values and 0 pairs"));
}
