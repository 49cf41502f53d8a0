#pragma once
#include "numerics/ball.hpp"

namespace rankfall::theory {

/// The multiple of 1/denominator next to the midpoint of x: exact parameters out of a formula.
Rational rounded(const Ball& x, const Integer& denominator);
/// The largest multiple of 2^-bits whose square is at most x >= 0.
Rational root_below(const Rational& x, unsigned long bits);

}  // namespace rankfall::theory
