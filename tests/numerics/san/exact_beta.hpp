#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "numerics/san/network.hpp"

// Rational oracles for the norms of factored heads.
namespace rankfall::test {

struct ExactNorms {
  Rational one = 0, inf = 0;
};

inline ExactNorms product_norms(const ExactMatrix& a, const ExactMatrix& b, bool transpose_b) {
  const Index cols = transpose_b ? b.rows() : b.cols();
  std::vector<Rational> columns(static_cast<std::size_t>(cols));
  ExactNorms norms;
  for (Index i = 0; i < a.rows(); ++i) {
    Rational row = 0;
    for (Index j = 0; j < cols; ++j) {
      Rational entry = 0;
      for (Index k = 0; k < a.cols(); ++k) entry += a(i, k) * (transpose_b ? b(j, k) : b(k, j));
      if (entry < 0) entry = -entry;
      row += entry;
      columns[static_cast<std::size_t>(j)] += entry;
    }
    norms.inf = std::max(norms.inf, row);
  }
  for (const Rational& column : columns) norms.one = std::max(norms.one, column);
  return norms;
}

/// (|W_QK|_1 |W_V W_O|_{1,inf})^2.
inline Rational beta_squared(const Head& head) {
  const Rational scores = product_norms(head.W_Q, head.W_K, true).one;
  const ExactNorms values = product_norms(head.W_V, head.W_O, false);
  return scores * scores * values.one * values.inf;
}

/// Whether beta_h lies in [target (1 - 2^-40), target].
inline bool meets(const Head& head, const Rational& target) {
  const Rational least = target * (1 - Rational(1, Integer(1) << 40));
  const Rational square = beta_squared(head);
  return least * least <= square && square <= target * target;
}

/// Bits of the longest odd part of an entry; a huge number when one is not dyadic.
inline std::size_t longest_entry(const ExactMatrix& a) {
  std::size_t longest = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      const Rational entry = a(i, j);
      if (entry == 0) continue;
      const Integer bottom = denominator(entry);
      if (bottom != Integer(1) << lsb(bottom)) return static_cast<std::size_t>(-1);
      const Integer top = abs(numerator(entry));
      longest = std::max<std::size_t>(longest, msb(top) - lsb(top) + 1);
    }
  }
  return longest;
}

}  // namespace rankfall::test
