#pragma once
#include <optional>

#include "numerics/san/doubles/mid.hpp"

namespace rankfall::doubles {

/// q = softmax(r), a row.
struct Weights {
  Mid q;
  double
      error;  ///< q is, up to a common factor within gamma(n + 2) of 1, the softmax of scores this near to r
};
/// Nothing where an exponential leaves the doubles (scores more than 600 apart).
std::optional<Weights> softmax(const Mid& r);

/// D = softmax of the rows of r + of_D S, less q, over of_D (docs/theory, 2), and what rounding may have done
/// to it (Frobenius). With `leading`, of_D S is so small that e^s - 1 is s. Nothing where it cannot be told.
struct Deviation {
  Mid D;
  double error;
};
std::optional<Deviation> deviation(const Mid& q, const Mid& S, double of_D, bool leading);

}  // namespace rankfall::doubles
