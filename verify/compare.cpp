#include "verify/compare.hpp"

namespace rankfall::verify {
namespace {

Ball infinity(int sign) {
  Ball result;
  if (sign > 0)
    arb_pos_inf(result.raw());
  else
    arb_neg_inf(result.raw());
  return result;
}

/// Enclosure of log10 of a magnitude: -inf where it may be zero or below.
Span log10_span(const Bracket& side, Precision p) {
  const bool nothing = side.upper.is_zero() || side.upper.sign() == Magnitude::Sign::negative;
  const auto low = side.lower.certainly_positive() ? side.lower.log10(p) : infinity(-1);
  const auto high = nothing ? infinity(-1) : side.upper.log10(p);
  return {low, high};
}

bool is_infinite(const Ball& ball) {
  return !is_finite(ball);
}

Ball difference(const Ball& a, const Ball& b, Precision p) {
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return neg(b);
  return sub(a, b, p);
}

/// The sides agree to 10^-60 of themselves.
bool agree(const Magnitude& a, const Magnitude& b, Precision p) {
  if (!a.certainly_positive() || !b.certainly_positive()) return false;
  const Ball gap = abs(sub(a.log2(), b.log2(), p));
  return certainly_less(gap, scale(Ball(1), -200));  // 2^-200 < 10^-60
}

constexpr long reachable_exponent = 60;  // of a magnitude that a ball holds: its binary digits

Ball margin_end(const Magnitude& value, bool low, Precision p) {
  if (value.is_zero()) return Ball();
  const Ball reach = scale(Ball(1), reachable_exponent);
  if (value.sign() == Magnitude::Sign::unknown) {
    if (!certainly_less(upper(value.log2(), p), reach)) return infinity(low ? -1 : 1);
    const Ball most = upper(value.to_ball(p), p);
    return low ? neg(most) : most;
  }
  if (certainly_less(abs(value.log2()), reach)) return value.to_ball(p);
  return value.certainly_positive() == low ? Ball() : infinity(low ? -1 : 1);
}

}  // namespace

Comparison compare(const Bracket& left, const Bracket& right, Precision p) {
  if (certainly_less_equal(left.upper, right.lower)) return {Verdict::proved, ""};
  if (certainly_less(right.upper, left.lower)) return {Verdict::refuted, ""};
  if (agree(left.upper, right.lower, p) || agree(left.lower, right.upper, p))
    return {Verdict::inconclusive, "equality"};
  // With either bound of the minimal residual the sides are told apart, one way and the other.
  if (certainly_less(right.lower, left.upper) && certainly_less_equal(left.lower, right.upper))
    return {Verdict::inconclusive, "minimal-residual-gap"};
  return {Verdict::inconclusive, "precision"};
}

Span margin(const Bracket& value, const Bracket& bound, Precision p) {
  return {margin_end(sub(bound.lower, value.upper, p), true, p),
          margin_end(sub(bound.upper, value.lower, p), false, p)};
}

Span slack_decades(const Bracket& left, const Bracket& right, Precision p) {
  if (left.upper.is_zero()) return {infinity(1), infinity(1)};
  const Span l = log10_span(left, p), r = log10_span(right, p);
  return {difference(r.low, l.high, p), difference(r.high, l.low, p)};
}

std::optional<Span> looseness(const Bracket& left, const Bracket& right, std::size_t depth, Precision p) {
  if (!left.lower.certainly_positive() || !right.lower.certainly_positive()) return std::nullopt;
  const Rational exponent(Integer(2), Integer(power(Integer(3), static_cast<unsigned long>(depth)) - 1));
  return Span{power(div(left.lower, right.upper, p), exponent, p).to_ball(p),
              power(div(left.upper, right.lower, p), exponent, p).to_ball(p)};
}

}  // namespace rankfall::verify
