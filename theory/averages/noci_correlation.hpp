#pragma once
#include <vector>

#include "numerics/exact.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::theory {

// `noci-correlation` (docs/theory/averages): layers in which every attention weight is 1/n, with a skip and a
// fresh centred random value map W, E W W^T = I; C = |sum of rows|^2, M = |X|_F^2.

/// Where alpha stands.
enum class SkipForm {
  branch,  ///< X' = X + alpha SA(X)
  skip,    ///< X' = alpha X + SA(X)
};

/// A law of W: each matrix (d x d) with the same probability.
using ValueLaw = std::vector<Matrix<Rational>>;

/// Products of a permutation and signs of the rows: 2^d d! matrices, orthogonal, so that W W^T = I.
ValueLaw signed_permutations(Index dim);
/// A single entry +-root, anywhere in a matrix of d = root^2 rows and columns: W W^T = I on average only.
ValueLaw single_entries(Index root);
/// Whether the law is centred with E W W^T = I.
bool fits(const ValueLaw& law);

struct Moments {
  Rational sum_squared;  ///< E C_L
  Rational size;         ///< E M_L
};

/// Over every sequence of `depth` matrices of the law, exactly, one sequence after the other.
Moments moments(const Matrix<Rational>& X, const Rational& alpha, SkipForm form, const ValueLaw& law,
                std::size_t depth);

/// The same layers as a network, for one sequence of value maps.
Network uniform_network(const Matrix<Rational>& X, const Rational& alpha, SkipForm form,
                        const std::vector<Matrix<Rational>>& values);

}  // namespace rankfall::theory
