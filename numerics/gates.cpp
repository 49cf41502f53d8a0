#include "numerics/gates.hpp"

#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

namespace rankfall {
namespace {

/// Beyond this radius a monotone function is enclosed by its values at the ends.
bool is_wide(const Ball& x) {
  return mag_cmp_2exp_si(arb_radref(x.raw()), -10) > 0;
}

template <class Function>
Ball between_ends(const Ball& a, Precision p, Function increasing) {
  return hull(increasing(lower(a, p)), increasing(upper(a, p)), p);
}

/// (e^h - 1), also where h lies below the reach of Arb's own expm1: |e^h - 1 - h| <= h^2 for |h| <= 1.
Ball exponential_excess(const Ball& h, Precision p) {
  if (is_zero(h)) return h;
  if (!is_finite(h) || binary_exponent(h) >= -p.bits) return expm1(h, p);
  return mul(h, add(Ball(1), symmetric(h), p), p);
}

Precision widened(Precision p) {
  return Precision(p.bits + 16);
}

Ball negative_half_square(const Ball& x, Precision p) {
  Ball result;
  arb_sqr(result.raw(), x.raw(), p.bits);
  return neg(scale(result, -1L));
}

/// (integral of exp(-x t - t^2/2) over t from 0 to h) / h, for |h| (1 + |x|) < 2^bound, bound <= -4. The
/// coefficients a_k of the integrand satisfy |a_k| <= e^(3/2) (1 + |x|)^k (Cauchy on the circle of radius
/// 1/(1 + |x|)).
Ball mean_of_tilted_density(const Ball& x, const Ball& h, const Integer& bound, Precision p) {
  const Integer needed = Integer(p.bits + 4) / Integer(-bound) + 1;
  const long terms = needed.convert_to<long>();
  Ball previous, coefficient(1), power(1), sum(1);
  for (long k = 1; k < terms; ++k) {
    Ball next = add(mul(x, coefficient, p), previous, p);
    arb_div_si(next.raw(), next.raw(), -k, p.bits);
    previous = coefficient;
    coefficient = next;
    power = mul(power, h, p);
    Ball term = mul(coefficient, power, p);
    arb_div_si(term.raw(), term.raw(), k + 1, p.bits);
    sum = add(sum, term, p);
  }
  const Ball remainder = scale(symmetric(Ball(5)), Integer(bound * terms));
  return add(sum, remainder, p);
}

}  // namespace

Ball logistic(const Ball& x, Precision p) {
  if (is_wide(x)) return between_ends(x, p, [&](const Ball& end) { return logistic(end, p); });
  if (midpoint_less(x, Ball(0))) {
    const Ball e = exp(x, p);
    return div(e, add(Ball(1), e, p), p);
  }
  return div(Ball(1), add(Ball(1), exp(neg(x), p), p), p);
}

Ball logistic_density(const Ball& x, Precision p) {
  return mul(logistic(x, p), logistic(neg(x), p), p);
}

Ball logistic_difference(const Ball& x, const Ball& h, Precision p) {
  const Precision wide = widened(p);
  const Ball end = add(x, h, wide);
  // Of the two equal forms the one whose exponential cannot overflow.
  const bool down = midpoint_less(h, Ball(0));
  const Ball gates = down ? mul(logistic(x, wide), logistic(neg(end), wide), wide)
                          : mul(logistic(end, wide), logistic(neg(x), wide), wide);
  const Ball step = down ? exponential_excess(h, wide) : neg(exponential_excess(neg(h), wide));
  return mul(gates, step, p);
}

Ball normal_distribution(const Ball& x, Precision p) {
  if (is_wide(x)) return between_ends(x, p, [&](const Ball& end) { return normal_distribution(end, p); });
  Ball result, root_two;
  arb_sqrt_ui(root_two.raw(), 2, p.bits);
  arb_hypgeom_erfc(result.raw(), div(neg(x), root_two, p).raw(), p.bits);
  return scale(result, -1L);
}

Ball normal_density(const Ball& x, Precision p) {
  const Ball size = abs(x);
  if (is_wide(x)) return hull(normal_density(lower(size, p), p), normal_density(upper(size, p), p), p);
  Ball root_pi, root_two;
  arb_const_sqrt_pi(root_pi.raw(), p.bits);
  arb_sqrt_ui(root_two.raw(), 2, p.bits);
  return div(exp(negative_half_square(x, p), p), mul(root_pi, root_two, p), p);
}

Ball normal_difference(const Ball& x, const Ball& h, Precision p) {
  if (is_zero(h)) return h;
  const Precision wide = widened(p);
  Ball step = mul(h, add(Ball(1), abs(x), wide), wide);
  if (!is_finite(step)) return step;
  const Integer bound = binary_exponent(step);
  if (bound <= -4) {
    const Ball slope = mul(normal_density(x, wide), mean_of_tilted_density(x, h, bound, wide), wide);
    return mul(slope, h, p);
  }
  // Such a step changes either tail by a good part of itself: subtract in the tail that x lies in.
  const Ball end = add(x, h, wide);
  if (midpoint_less(x, Ball(0))) return sub(normal_distribution(end, wide), normal_distribution(x, wide), p);
  return sub(normal_distribution(neg(x), wide), normal_distribution(neg(end), wide), p);
}

}  // namespace rankfall
