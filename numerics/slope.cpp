#include "numerics/slope.hpp"

#include "numerics/root.hpp"

namespace rankfall {
namespace {

/// silu: f'' has the sign of 2 - x tanh(x/2).
Ball silu_turning_point(Precision p) {
  return positive_root([p](const Ball& x) { return sub(Ball(2), mul(x, tanh(scale(x, -1L), p), p), p); }, p);
}

/// gelu_tanh, with c = sqrt(2/pi), k = 0.044715 and s = 3 k x^2: f'' has the sign of
/// (1 + 2 s)/(c (1 + s)^2) - x tanh(c (x + k x^3)), of which the first term falls and the second rises on x >
/// 0.
Ball gelu_tanh_turning_point(Precision p) {
  Ball pi;
  arb_const_pi(pi.raw(), p.bits);
  const Ball c = sqrt(div(Ball(2), pi, p), p);
  const Ball k(Rational(44715, 1000000), p);
  return positive_root(
      [&](const Ball& x) {
        const Ball kx2 = mul(k, mul(x, x, p), p);
        const Ball one_s = add(Ball(1), mul(Ball(3), kx2, p), p);
        const Ball falling = div(add(Ball(1), mul(Ball(6), kx2, p), p), mul(c, mul(one_s, one_s, p), p), p);
        return sub(falling, mul(x, tanh(mul(c, mul(x, add(Ball(1), kx2, p), p), p), p), p), p);
      },
      p);
}

/// f' is monotone between its turning points. For f(x) = x G(u(x)) with G(u(x)) + G(u(-x)) = 1 it rises from
/// f'(-c) = 1 - f'(c) to f'(c) and falls outside towards 0 and 1, c the one zero of f'' on x > 0.
std::vector<Ball> turning_points(Activation activation, Precision p) {
  Ball c;
  switch (activation) {
    case Activation::identity:
    case Activation::relu:
      return {};
    case Activation::tanh:
      return {Ball(0)};
    case Activation::gelu:
      c = sqrt(Ball(2), p);
      break;
    case Activation::gelu_tanh:
      c = gelu_tanh_turning_point(p);
      break;
    case Activation::silu:
      c = silu_turning_point(p);
      break;
  }
  return {neg(c), c};
}

/// The exact end of a ball, rounded to p bits, with that rounding as radius.
Ball end(const Ball& x, bool top, Precision p) {
  Ball result = top ? upper(x, p) : lower(x, p);
  if (arf_is_special(arb_midref(result.raw())) == 0)  // zero has no unit in its last place
    arf_mag_set_ulp(arb_radref(result.raw()), arb_midref(result.raw()), p.bits);
  return result;
}

struct Inside {
  bool possibly, certainly;
};
Inside inside(const Ball& point, const Ball& low, const Ball& high) {
  return {!certainly_less(point, low) && !certainly_less(high, point),
          certainly_less_equal(low, point) && certainly_less_equal(point, high)};
}

}  // namespace

Slope::Slope(Activation activation, Precision p)
    : activation_(activation),
      precision_(p.bits + 32),
      turning_(rankfall::turning_points(activation, precision_)) {
  lipschitz_ = Ball(1);
  for (const Ball& point : turning_) {
    slopes_.push_back(derivative(activation_, point, precision_));
    lipschitz_ = max(lipschitz_, abs(slopes_.back()), precision_);
  }
}

Ball Slope::lipschitz(const Ball& x) const {
  const Precision p = precision_;
  if (activation_ == Activation::identity) return Ball(1);
  if (activation_ == Activation::relu) return Ball(certainly_less_equal(x, Ball(0)) ? 0 : 1);
  if (!is_finite(x)) return hull(Ball(0), lipschitz_, p);
  const Ball low = end(x, false, p), high = end(x, true, p);
  Ball largest = max(abs(derivative(activation_, low, p)), abs(derivative(activation_, high, p)), p);
  for (std::size_t i = 0; i < turning_.size(); ++i) {
    const Inside where = inside(turning_[i], low, high);
    if (!where.possibly) continue;
    const Ball with = max(largest, abs(slopes_[i]), p);
    largest = where.certainly ? with : hull(largest, with, p);
  }
  return largest;
}

Ball Slope::range(const Ball& x) const {
  const Precision p = precision_;
  if (activation_ == Activation::identity) return Ball(1);
  if (activation_ == Activation::relu) {
    if (certainly_less_equal(x, Ball(0))) return Ball(0);
    return certainly_less_equal(Ball(0), x) ? Ball(1) : hull(Ball(0), Ball(1), p);
  }
  if (!is_finite(x)) return symmetric(lipschitz_);
  const Ball low = end(x, false, p), high = end(x, true, p);
  Ball result = hull(derivative(activation_, low, p), derivative(activation_, high, p), p);
  for (std::size_t i = 0; i < turning_.size(); ++i)
    if (inside(turning_[i], low, high).possibly) result = hull(result, slopes_[i], p);
  return result;
}

}  // namespace rankfall
