#include "numerics/activation.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "numerics/gates.hpp"

namespace rankfall {
namespace {

/// The argument u of the gate G in f(x) = x G(u(x)), and its derivative and difference. For gelu_tanh
/// (1 + tanh t)/2 = logistic(2 t), so u = 2 sqrt(2/pi) (x + k x^3), k = 0.044715; otherwise u = x.
struct Argument {
  Ball cubic, factor;
  bool plain;

  Argument(Activation activation, Precision p) : plain(activation != Activation::gelu_tanh) {
    if (plain) return;
    cubic = Ball(Rational(44715, 1000000), p);
    Ball pi;
    arb_const_pi(pi.raw(), p.bits);
    factor = sqrt(div(Ball(8), pi, p), p);
  }
  Ball at(const Ball& x, Precision p) const {
    if (plain) return x;
    return mul(mul(factor, x, p), add(Ball(1), mul(cubic, mul(x, x, p), p), p), p);
  }
  Ball slope(const Ball& x, Precision p) const {
    if (plain) return Ball(1);
    return mul(factor, add(Ball(1), mul(mul(Ball(3), cubic, p), mul(x, x, p), p), p), p);
  }
  /// u(y + h) - u(y) = factor h (1 + k (3 y^2 + 3 y h + h^2)), the bracket at least 1.
  Ball difference(const Ball& y, const Ball& h, Precision p) const {
    if (plain) return h;
    const Ball squares = add(mul(mul(Ball(3), y, p), add(y, h, p), p), mul(h, h, p), p);
    return mul(mul(factor, h, p), add(Ball(1), mul(cubic, squares, p), p), p);
  }
};

Ball gate(Activation activation, const Ball& u, Precision p) {
  return activation == Activation::gelu ? normal_distribution(u, p) : logistic(u, p);
}
Ball gate_density(Activation activation, const Ball& u, Precision p) {
  return activation == Activation::gelu ? normal_density(u, p) : logistic_density(u, p);
}
Ball gate_difference(Activation activation, const Ball& u, const Ball& h, Precision p) {
  return activation == Activation::gelu ? normal_difference(u, h, p) : logistic_difference(u, h, p);
}

/// Enough to lose nothing that matters in the tails, where a relative error of u counts u times.
Precision working(const Ball& x, Precision p) {
  long tail = 0;
  if (!is_zero(x) && is_finite(x))
    tail = std::clamp(Integer(3 * binary_exponent(x)), Integer(0), Integer(p.bits)).convert_to<long>();
  return Precision(p.bits + 24 + tail);
}

Ball rounded(const Ball& x, Precision p) {
  Ball result;
  arb_set_round(result.raw(), x.raw(), p.bits);
  return result;
}

/// max(y + r, 0) - max(y, 0).
Ball relu_difference(const Ball& y, const Ball& r, Precision p) {
  const Ball zero;
  const auto from_positive = [&](const Ball& start) { return max(r, neg(start), p); };
  const auto from_negative = [&](const Ball& start) { return max(zero, add(r, start, p), p); };
  if (certainly_less_equal(zero, y)) return from_positive(y);
  if (certainly_less_equal(y, zero)) return from_negative(y);
  // Starts farther from the kink than the step reaches act alike.
  const Ball reach = upper(abs(r), p);
  const Ball top = min(upper(y, p), reach, p), bottom = max(lower(y, p), neg(reach), p);
  return hull(from_positive(hull(zero, top, p)), from_negative(hull(bottom, zero, p)), p);
}

}  // namespace

Ball value(Activation activation, const Ball& x, Precision p) {
  switch (activation) {
    case Activation::identity:
      return rounded(x, p);
    case Activation::relu:
      return max(x, Ball(), p);
    case Activation::tanh:
      return tanh(x, p);
    case Activation::gelu:
    case Activation::gelu_tanh:
    case Activation::silu: {
      const Precision wide = working(x, p);
      return mul(x, gate(activation, Argument(activation, wide).at(x, wide), wide), p);
    }
  }
  throw InputError("unknown activation");
}

Ball derivative(Activation activation, const Ball& x, Precision p) {
  const Precision wide = working(x, p);
  switch (activation) {
    case Activation::identity:
      return Ball(1);
    case Activation::relu:
      if (certainly_positive(x)) return Ball(1);
      return certainly_negative(x) ? Ball(0) : hull(Ball(0), Ball(1), p);
    case Activation::tanh:
      return mul(Ball(4), logistic_density(scale(x, 1L), wide), p);
    case Activation::gelu:
    case Activation::gelu_tanh:
    case Activation::silu: {
      const Argument argument(activation, wide);
      const Ball u = argument.at(x, wide);
      const Ball moving = mul(mul(x, argument.slope(x, wide), wide), gate_density(activation, u, wide), wide);
      return add(gate(activation, u, wide), moving, p);
    }
  }
  throw InputError("unknown activation");
}

Ball difference(Activation activation, const Ball& y, const Ball& r, const Integer& exponent, Precision p) {
  if (activation == Activation::identity || is_zero(r)) return rounded(r, p);
  const Integer back = -exponent;
  if (activation == Activation::relu) return relu_difference(scale(y, back), r, p);
  const Ball h = scale(r, exponent);
  if (activation == Activation::tanh)
    return scale(logistic_difference(scale(y, 1L), scale(h, 1L), p), Integer(back + 1));
  // With f(x) = x G(u(x)): f(y + h) - f(y) = h G(u(y + h)) + y (G(u(y + h)) - G(u(y))).
  const Precision wide = working(abs(y), working(abs(h), p));
  const Argument argument(activation, wide);
  const Ball end = add(y, h, wide);
  const Ball moved = mul(h, gate(activation, argument.at(end, wide), wide), wide);
  const Ball opened =
      mul(y, gate_difference(activation, argument.at(y, wide), argument.difference(y, h, wide), wide), wide);
  return scale(add(moved, opened, p), back);
}

}  // namespace rankfall
