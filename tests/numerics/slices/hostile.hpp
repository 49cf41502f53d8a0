#pragma once
#include <algorithm>

#include "tests/numerics/oracle.hpp"

/// Operands that try the products of slices, and what is exactly true of their products.
namespace rankfall::test {

/// A number of many bits: a normal one over three.
inline Ball full(Draws& draws, long bits) {
  return div(Ball(draws.normal()), Ball(3L), Precision(bits));
}

struct Operands {
  std::string kind;
  BallMatrix a, b;
};

/// A pair of n x k and k x m operands for each kind of hardship, midpoints of about `bits` bits.
inline std::vector<Operands> hostile_operands(Index n, Index k, Index m, long bits, Draws& draws) {
  std::vector<Operands> result;
  const auto fill = [&](Index rows, Index cols, const auto& entry) {
    BallMatrix matrix(rows, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) matrix(i, j) = entry(i, j);
    return matrix;
  };
  const auto add = [&](const char* kind, const auto& left, const auto& right) {
    result.push_back({kind, fill(n, k, left), fill(k, m, right)});
  };
  const auto plain = [&](Index, Index) { return full(draws, bits); };
  const auto exact = [&](Index, Index) { return midpoint(full(draws, bits)); };
  const auto weight = [&](Index, Index) { return Ball(draws.normal()); };
  const auto wide = [&](Index, Index) {
    Ball x = full(draws, bits);
    arb_add_error_2exp_si(x.raw(), draws.integer(-90, 10));
    return x;
  };
  const auto spread = [&](Index, Index) { return scale(full(draws, bits), draws.integer(-60, 60)); };
  const auto sparse = [&](Index, Index) { return draws.coin() ? Ball() : full(draws, bits); };
  add("full", plain, plain);
  add("exact", exact, exact);
  add("short weights", plain, weight);
  add(
      "small integers", [&](Index, Index) { return Ball(draws.integer(-9, 9)); },
      [&](Index, Index) { return Ball(draws.integer(-9, 9)); });
  add("wide radii", wide, plain);
  add(
      "radii without midpoints", [&](Index, Index) { return symmetric(full(draws, bits)); }, plain);
  add("spread exponents", spread, spread);
  add("zeros", sparse, sparse);
  add(
      "zero rows and columns", [&](Index i, Index) { return i % 3 == 0 ? Ball() : full(draws, bits); },
      [&](Index, Index j) { return j % 4 == 1 ? Ball() : full(draws, bits); });
  add(
      "one huge entry", [&](Index i, Index j) { return scale(full(draws, bits), i + j == 0 ? 90 : 0); },
      plain);
  add(
      "scales of lines", [&](Index i, Index) { return scale(full(draws, bits), 5000 * (i % 5) - 9000); },
      [&](Index, Index j) { return scale(full(draws, bits), 7000 * (j % 3)); });
  add(
      "tiny radii",
      [&](Index, Index) {
        Ball x = exact(0, 0);
        arb_add_error_2exp_si(x.raw(), -3000);
        return x;
      },
      exact);
  add(
      "powers of two and what is next to them",
      [&](Index, Index) {
        Ball x = sub(scale(Ball(1L), draws.integer(-2, 0)), scale(Ball(1L), -draws.integer(100, 400)),
                     Precision(500));
        return draws.coin() ? neg(x) : x;
      },
      plain);
  return result;
}

/// For an entry of a product: the ends of the exact set, the sum of |a_k b_k|, and the largest distance of
/// the set from the product of the midpoints, |a| r_b + r_a (|b| + r_b).
struct EntryTruth {
  Rational low = 0, high = 0, size = 0, reach = 0;
};

inline EntryTruth truth(const BallMatrix& a, const BallMatrix& b, Index row, Index col) {
  EntryTruth result;
  for (Index k = 0; k < a.cols(); ++k) {
    const Interval x = ends(a(row, k)), y = ends(b(k, col));
    const Rational products[] = {x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high};
    result.low += *std::min_element(products, products + 4);
    result.high += *std::max_element(products, products + 4);
    const Rational p = abs(middle(x)), q = abs(middle(y)), r = (x.high - x.low) / 2, s = (y.high - y.low) / 2;
    result.size += p * q;
    result.reach += p * s + r * (q + s);
  }
  return result;
}

}  // namespace rankfall::test
