#pragma once
#include <vector>

#include "numerics/matrix.hpp"

namespace rankfall::theory {

// `kim-lipschitz` (docs/theory/averages): attention by distances with tied query and key,
// F(X) = sum_h P_h X A_h W_V W_O, A_h = W_Q W_Q^T/sqrt(d_qk), P_ij ~ exp(-|W_Q^T(x_i - x_j)|_2^2/sqrt(d_qk)).

struct L2Head {
  ExactMatrix W_Q;  ///< d x d_qk
  ExactMatrix W_V;  ///< d x d_v
  ExactMatrix W_O;  ///< d_v x d'
};

/// All heads with the same d_qk and d'.
using L2Attention = std::vector<L2Head>;

/// Encloses F(X), n x d'.
BallMatrix l2_attention(const L2Attention& attention, const BallMatrix& X, Precision p);

/// Encloses sum_k P_ik Delta_ik for one head and token, Delta_ik = |W_Q^T(x_i - x_k)|_2^2/sqrt(d_qk).
Ball mean_distance(const L2Head& head, const BallMatrix& X, Index token, Precision p);

/// Encloses c > 0 with c e^(c+1) = n - 1; n >= 2 tokens.
Ball distance_limit(Index tokens, Precision p);

/// In the Frobenius norm and in the norm of the largest absolute entry.
struct LipschitzPair {
  Ball frobenius, largest_entry;
};

/// |F(X) - F(Y)|/|X - Y|. Throws DomainError where X and Y may be equal.
LipschitzPair quotients(const L2Attention& attention, const BallMatrix& X, const BallMatrix& Y, Precision p);

/// What enters the bounds.
struct L2Constants {
  std::vector<Ball> Q_2, V_2;  ///< |W_Q|_2, |W_V|_2 by head
  Ball O_2, O_1;               ///< of the W_O stacked
  Ball Q_1inf;                 ///< largest |W_Q|_1 |W_Q|_inf
  Ball V_1;                    ///< largest |W_V|_1
  Ball c;                      ///< distance_limit
};
L2Constants l2_constants(const L2Attention& attention, Index tokens, Precision p);

}  // namespace rankfall::theory
