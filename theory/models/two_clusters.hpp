#pragma once
#include <vector>

#include "numerics/san/measures.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::theory {

/// Tokens in two clusters, `first` of them at u and `second` at -u; W_V = v I; A = W_QK/sqrt(d_qk) = w g g^T,
/// g the vector of dual norm 1 with g.u = |u|_p: sign(u) for p = 1, u/|u|_2 for 2, the sign of a largest
/// entry in its place for inf. The query bias raises the first cluster's logits over the second's by
/// `balance`. With balance = log(second/first) both clusters weigh 1/2 and `diameter` is an equality in the
/// vector norm p.
struct TwoClusters {
  std::vector<Rational> u;  ///< not zero
  long first = 1, second = 1;
  Rational w, v;  ///< positive
  VectorNorm norm = VectorNorm::one;
  Rational balance = 0;
};

/// The multiple of 2^-bits next to log(second/first), zero for clusters of one size.
Rational balance(long first, long second, long bits);

/// Throws DomainError for u = 0 or an empty cluster.
Network network(const TwoClusters& model);
/// Encloses diam_p of the input, 2 |u|_p.
Ball input_diameter(const TwoClusters& model, Precision p);
/// Encloses diam_p of the output, 2 v |u|_p sinh(2k)/(cosh(2k) + cosh(b)), k = w |u|_p^2,
/// b = balance + log(first/second).
Ball output_diameter(const TwoClusters& model, Precision p);
/// Encloses the right side of `diameter`, 2 v |u|_p tanh(k).
Ball diameter_bound(const TwoClusters& model, Precision p);

}  // namespace rankfall::theory
