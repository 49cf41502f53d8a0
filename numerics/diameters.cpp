#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "numerics/near.hpp"
#include "numerics/norms.hpp"

namespace rankfall {
namespace {

constexpr double huge = 0x1p500;  // beyond, squares overflow and no pair is left out

/// Sum of |x|, root of the sum of x^2, and the largest |x|.
using Sizes = std::array<double, 3>;

/// Rows in doubles, and what each of them misses in all entries together.
struct Rows {
  Matrix<double> entries;
  std::vector<double> missing;

  explicit Rows(const BallMatrix& a) {
    Near near(a);
    entries = std::move(near.entries);
    for (Index i = 0; i < a.rows(); ++i) {
      double sum = 0;
      for (Index j = 0; j < a.cols(); ++j) sum += near.missing(i, j);
      missing.push_back(sum * (1 + 0x1p-30));
    }
  }

  Sizes between(Index i, Index k) const {
    Sizes sizes{};
    for (Index j = 0; j < entries.cols(); ++j) {
      const double x = std::fabs(entries(i, j) - entries(k, j));
      sizes[0] += x;
      sizes[1] += x * x;
      sizes[2] = std::max(sizes[2], x);
    }
    sizes[1] = std::sqrt(sizes[1]);
    return sizes;
  }
};

/// A pair of rows, and which of its distances may be the largest of their kind.
struct Pair {
  Index first, second;
  std::array<bool, 3> may_be_largest;
};

/// Doubles leave out pairs of which they prove that another is farther apart.
std::vector<Pair> far_pairs(const BallMatrix& a) {
  const Rows rows(a);
  const Index n = a.rows();
  const double relative = static_cast<double>(a.cols() + 8) * 0x1p-52;
  Sizes least{};  // below the largest distances
  std::vector<Sizes> most;
  for (Index i = 0; i < n; ++i)
    for (Index k = i + 1; k < n; ++k) {
      const double missing =
          rows.missing[static_cast<std::size_t>(i)] + rows.missing[static_cast<std::size_t>(k)];
      Sizes sizes = rows.between(i, k);
      for (std::size_t norm = 0; norm < sizes.size(); ++norm) {
        least[norm] = std::min(std::max(least[norm], sizes[norm] * (1 - relative) - missing), huge);
        sizes[norm] = (sizes[norm] * (1 + relative) + missing) * (1 + 0x1p-50);
      }
      most.push_back(sizes);
    }
  std::vector<Pair> result;
  std::size_t at = 0;
  for (Index i = 0; i < n; ++i)
    for (Index k = i + 1; k < n; ++k, ++at) {
      Pair pair{i, k, {}};
      for (std::size_t norm = 0; norm < least.size(); ++norm)
        pair.may_be_largest[norm] = !(most[at][norm] < least[norm]);
      if (std::find(pair.may_be_largest.begin(), pair.may_be_largest.end(), true) !=
          pair.may_be_largest.end())
        result.push_back(pair);
    }
  return result;
}

}  // namespace

Diameters diameters(const BallMatrix& a, Precision p) {
  const auto raise = [p](Ball& top, const Ball& candidate) {
    arb_max(top.raw(), top.raw(), candidate.raw(), p.bits);
  };
  Diameters d;
  Ball squared, difference;
  for (const Pair& pair : far_pairs(a)) {
    Ball sum, squares, top;
    for (Index j = 0; j < a.cols(); ++j) {
      arb_sub(difference.raw(), a(pair.first, j).raw(), a(pair.second, j).raw(), p.bits);
      arb_abs(difference.raw(), difference.raw());
      if (pair.may_be_largest[0]) arb_add(sum.raw(), sum.raw(), difference.raw(), p.bits);
      if (pair.may_be_largest[2]) raise(top, difference);
      if (!pair.may_be_largest[1]) continue;
      arb_sqr(difference.raw(), difference.raw(), p.bits);
      arb_add(squares.raw(), squares.raw(), difference.raw(), p.bits);
    }
    raise(d.one, sum);
    raise(squared, squares);
    raise(d.inf, top);
  }
  d.two = sqrt(squared, p);
  d.composite = sqrt(mul(d.one, d.inf, p), p);
  return d;
}

}  // namespace rankfall
