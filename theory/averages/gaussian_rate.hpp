#pragma once
#include <cstdint>
#include <vector>

#include "numerics/san/network.hpp"

namespace rankfall::theory {

// `gaussian-rate` (docs/theory/averages): over random value maps W_h = W_V W_O, independent and centred, the
// squared residual of one layer has the mean sum_h w_h |D_h R|_F^2, w_h = d_v d' var_V var_O.

/// D_h R of every head of the network's first block, an attention block without skip, about the token mean (n
/// x d).
std::vector<BallMatrix> deviated_residuals(const Network& network, Precision p);

/// sum_h |D_h R|_F^2.
Ball squared_size(const std::vector<BallMatrix>& deviated, Precision p);

/// Widths of value maps: W_V is d x d_v, W_O is d_v x d'.
struct ValueWidths {
  Index d_v, output;
};

/// The mean of |R'|_F^2 over every choice of signs for the entries of W_V and W_O of all heads (entries +-1,
/// variance 1): one choice after the other, without the formula. Throws DomainError for more than most_signs
/// entries.
Ball mean_over_signs(const std::vector<BallMatrix>& deviated, ValueWidths widths, Precision p);
inline constexpr Index most_signs = 18;

/// Means of |R'|_F^2 over `samples` draws of normal W_h (d x d', variance 1/d, W_O the identity), in doubles.
struct SampledRate {
  std::uint64_t samples;
  double mean;
  /// The formula's value lies within [mean - above, mean + below] with the confidence asked for: Laurent and
  /// Massart 2000, lemma 1, for the weighted chi-square sum that |R'|_F^2 is.
  double below, above;
};
SampledRate sampled_rate(const std::vector<BallMatrix>& deviated, Index output, std::uint64_t samples,
                         std::uint64_t seed, double confidence);

/// The leading order, R' replaced by its cubic term R A (R^T R) W/n, for rows R that sum to 0 (n x d), one
/// head: its mean square over every choice of signs for W_Q, W_K (d x d_qk) and W (d x output), exactly, one
/// choice after the other. Throws DomainError for more than most_signs entries.
Rational leading_mean_over_signs(const Matrix<Rational>& R, Index d_qk, Index output);

}  // namespace rankfall::theory
