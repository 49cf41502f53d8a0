#pragma once
#include "numerics/matrix.hpp"

namespace rankfall {

/// Encloses A B. A is n x k, B is k x m; throws DomainError when the inner sizes differ. Zeros stay exactly
/// zero: an entry whose terms all have a factor that is exactly zero. Exact operands of few bits have an
/// exact product where it fits p bits. By Arb or by products of doubles (slices/ball_product.hpp), whichever
/// is faster at this size and precision; the same balls on every machine.
BallMatrix product(const BallMatrix& a, const BallMatrix& b, Precision p);

/// While one lives, all products of its thread are Arb's: what the others are compared to.
class ProductsByArb {
 public:
  ProductsByArb();
  ~ProductsByArb();
  ProductsByArb(const ProductsByArb&) = delete;
  ProductsByArb& operator=(const ProductsByArb&) = delete;

 private:
  bool before_;
};

/// Encloses A^T x.
BallVector transposed_product(const BallMatrix& a, const BallVector& x, Precision p);
/// Encloses A x.
BallVector product(const BallMatrix& a, const BallVector& x, Precision p);
/// Encloses a . b; throws DomainError when the sizes differ.
Ball dot(const BallVector& a, const BallVector& b, Precision p);

}  // namespace rankfall
