#pragma once
#include "numerics/ball.hpp"
#include "numerics/errors.hpp"

namespace rankfall {

/// Encloses the one zero on x > 0 of a continuous function that is positive before it and negative after it,
/// to within a few units of the last of p bits. The function takes and gives a Ball. A secant guess in
/// midpoints from 1 and 2 is widened until the signs on both sides are certain; throws PrecisionLimit when
/// they never are.
template <class Function>
Ball positive_root(Function g, Precision p) {
  Ball before(1), x(2);
  Ball g_before = midpoint(g(before));
  for (int step = 0; step < 64; ++step) {
    const Ball g_x = midpoint(g(x));
    const Ball rise = midpoint(sub(g_x, g_before, p));
    if (is_zero(rise)) break;
    const Ball next = midpoint(sub(x, div(mul(g_x, sub(x, before, p), p), rise, p), p));
    before = x;
    g_before = g_x;
    x = next;
  }
  for (long log2_width = 8 - p.bits; log2_width < 0; log2_width += 4) {
    const Ball width = scale(Ball(1), log2_width);
    const Ball left = sub(x, width, p), right = add(x, width, p);
    if (certainly_positive(left) && certainly_positive(g(left)) && certainly_negative(g(right)))
      return hull(left, right, p);
  }
  throw PrecisionLimit("a root was not told apart at " + std::to_string(p.bits) + " bits");
}

}  // namespace rankfall
