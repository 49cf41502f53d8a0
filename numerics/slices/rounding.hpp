#pragma once
#include "numerics/ball.hpp"
#include "numerics/slices/plan.hpp"

namespace rankfall::slices {

/// Sums over diagonals put together into a ball.
class Rounding {
 public:
  /// sums[t * stride], t < diagonals, stand for sum_t sums[t] 2^(-bits (t + 2)).
  Rounding(int bits, int diagonals, Index stride, Precision p);
  /// The number times 2^frame, rounded to p bits, with a radius of at least radius 2^frame and what rounding
  /// lost. `ball` is zero before; a radius is zero or at least 2^-1000.
  void set(arb_ptr ball, const double* sums, double radius, long frame) const;

 private:
  int bits_, diagonals_, words_;
  Index stride_;
  long p_;
};

}  // namespace rankfall::slices
