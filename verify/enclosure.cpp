#include "verify/enclosure.hpp"

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

constexpr int guard_digits = 3;  // so that rounding outward for print keeps the promised width

Precision printing(int digits) {
  return Precision(64 + 4L * digits);
}

/// Enough to lose nothing of the ball, nor of so many digits where it is short.
Precision enough_for(const Ball& ball, int digits) {
  return Precision(std::max(arb_bits(ball.raw()), printing(digits).bits) + 64);
}

Ball log10_ball(const Magnitude& value, int digits) {
  return value.log10(enough_for(value.log2(), digits));
}

Ball magnitude_ball(const Magnitude& value, int digits) {
  if (value.is_zero()) return Ball();
  return value.to_ball(enough_for(value.log2(), digits));
}

bool is_negative(const Magnitude& value) {
  return value.sign() == Magnitude::Sign::negative;
}

/// Whether the value as a ball would have an exponent beyond reach.
bool huge(const Magnitude& value) {
  return !value.is_zero() && !certainly_less(abs(value.log2()), scale(Ball(1), 60L));
}

}  // namespace

EnclosureText log10_text(const Bracket& value, int digits) {
  const int shown = digits + guard_digits;
  return {value.lower.certainly_positive() ? lower_text(log10_ball(value.lower, digits), shown) : "-inf",
          value.upper.is_zero() || is_negative(value.upper)
              ? "-inf"
              : upper_text(log10_ball(value.upper, digits), shown),
          "log10"};
}
EnclosureText log10_text(const Magnitude& value, int digits) {
  return log10_text(Bracket{value, value}, digits);
}

EnclosureText signed_text(const Bracket& value, int digits) {
  if (!is_negative(value.lower)) return log10_text(value, digits);
  const int shown = digits + guard_digits;
  const std::string low = huge(value.lower) ? "-inf" : lower_text(magnitude_ball(value.lower, digits), shown);
  if (!huge(value.upper)) return {low, upper_text(magnitude_ball(value.upper, digits), shown), "value"};
  return {low, is_negative(value.upper) ? "0" : "inf", "value"};
}

EnclosureText value_text(const Span& value, int digits) {
  return {lower_text(value.low, digits + guard_digits), upper_text(value.high, digits + guard_digits),
          "value"};
}
EnclosureText value_text(const Ball& value, int digits) {
  return value_text(Span{value, value}, digits);
}
EnclosureText value_text(const Magnitude& value, int digits) {
  return value_text(magnitude_ball(value, digits), digits);
}

bool narrow_value(const Ball& value, int digits) {
  if (is_exact(value)) return true;  // infinities included
  if (!is_finite(value)) return false;
  const Precision p = printing(digits);
  const Ball one(1), size = abs(value);
  const Ball scale_of = upper(max(one, size, p), p);
  Ball width = sub(upper(value, p), lower(value, p), p);
  // leave half of the allowance to the rounding of the text
  const Ball allowed =
      div(scale_of, mul(Ball(2), Ball(power(Integer(10), static_cast<unsigned long>(digits))), p), p);
  return certainly_less_equal(width, allowed);
}

bool narrow_log10(const Magnitude& value, int digits) {
  if (value.is_zero() || is_negative(value)) return true;
  if (!value.certainly_positive()) return false;
  return narrow_value(log10_ball(value, digits), digits);
}

bool narrow_signed(const Bracket& value, int digits) {
  if (!is_negative(value.lower))
    return narrow_log10(value.lower, digits) && narrow_log10(value.upper, digits);
  const auto end = [&](const Magnitude& m) {
    return huge(m) || narrow_value(magnitude_ball(m, digits), digits);
  };
  return end(value.lower) && end(value.upper);
}

bool narrow_value(const Magnitude& value, int digits) {
  if (value.is_zero()) return true;
  return value.certainly_positive() && narrow_value(magnitude_ball(value, digits), digits);
}

}  // namespace rankfall::verify
