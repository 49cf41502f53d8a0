#pragma once
#include "numerics/magnitude.hpp"

/// What the operations on magnitudes share.
namespace rankfall {

/// Bits that give log2 an absolute error of 2^-p: the integer part of a large one costs bits of its own.
Precision absolute_precision(const Ball& log2, Precision p);

/// Encloses 2^log2; throws DomainError when log2 itself has a binary exponent above 2^20.
Ball power_of_two(const Ball& log2, Precision p);

/// The magnitude as a ball, also where its size is below any use: then a bound by 2^-(2^60) that keeps the
/// sign.
Ball ball_or_bound(const Magnitude& a, Precision p);

/// |x| <= 2^log2 and nothing else.
inline Magnitude unknown_up_to(const Ball& log2) {
  return Magnitude::from_log2(log2, Magnitude::Sign::unknown);
}

/// The ends of log2 |x|, for functions that are monotone in it.
struct MagnitudeEnds {
  Ball low, high;
  MagnitudeEnds(const Magnitude& a, Precision p)
      : low(lower(a.log2(), absolute_precision(a.log2(), p))),
        high(upper(a.log2(), absolute_precision(a.log2(), p))) {}
};

}  // namespace rankfall
