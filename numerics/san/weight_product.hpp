#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// A weight matrix A = L M / divisor that may be kept in factors: L is d x k, M is k x d'. Both forms enclose
/// the same A, and every function encloses the exact result for every A in them; the factors take k (d + d')
/// numbers in place of d d' and cost as much less to multiply by, and the enclosures are wider by what |L|
/// |M| exceeds |L M|, some bits.
class WeightProduct {
 public:
  WeightProduct() = default;
  /// Factors are composed unless that costs: from a size on, and where k (d + d') < d d'.
  WeightProduct(BallMatrix left, BallMatrix right, const Ball& divisor, Precision p);
  WeightProduct(BallMatrix whole, const Ball& divisor, Precision p);

  Index rows() const { return left_.rows(); }
  Index cols() const { return is_factored() ? right_.cols() : left_.cols(); }
  bool is_factored() const { return right_.size() > 0; }
  BallMatrix composed(Precision p) const;
  /// At least |A|_2 in its upper end: the product of the Euclidean norms of the entries of the factors.
  Ball size_bound(Precision p) const;

  /// X A = towards(before(X)); what lies between is n x k when A is in factors, and the whole of X A when
  /// not.
  BallMatrix before(const BallMatrix& X, Precision p) const;
  BallMatrix towards(BallMatrix between, Precision p) const;

  /// X A Y.
  BallMatrix between(const BallMatrix& X, const BallMatrix& Y, Precision p) const;

 private:
  friend BallVector transposed_product(const WeightProduct& a, const BallVector& x, Precision p);

  BallMatrix left_, right_;  // right_ is empty when left_ is the whole of A, divided
  Ball divisor_{1};
};

BallMatrix product(const BallMatrix& X, const WeightProduct& a, Precision p);
/// A^T x.
BallVector transposed_product(const WeightProduct& a, const BallVector& x, Precision p);

/// Whether a d x k and a k x d' matrix stay factors.
bool stays_factored(Index d, Index k, Index d_out);

}  // namespace rankfall
