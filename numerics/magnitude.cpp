#include "numerics/magnitude.hpp"

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

using Sign = Magnitude::Sign;

constexpr long wide = 4;                  // below this many bits of relative accuracy ends are treated one by one
constexpr long ball_exponent_limit = 60;  // log2 |log2 x| up to which x is formed as a ball

Ball ln2(Precision p) {
  Ball result;
  arb_const_log2(result.raw(), p.bits);
  return result;
}

Ball log2_of_positive(const Ball& a, Precision p) {
  if (is_exact(a) || relative_accuracy_bits(a) > wide) return log2(a, p);
  return hull(log2(lower(a, p), p), log2(upper(a, p), p), p);
}

/// [-bound, bound], [0, bound] or [-bound, 0] for the upper end of |a|.
Ball one_sided(const Ball& a, int sign) {
  Ball half = scale(symmetric(a), -1);
  Ball centre = upper(half, Precision(64));
  Ball result;
  if (sign > 0)
    arb_add(result.raw(), half.raw(), centre.raw(), ARF_PREC_EXACT);
  else
    arb_sub(result.raw(), half.raw(), centre.raw(), ARF_PREC_EXACT);
  return result;
}

/// Encloses log2(1 + 2^d) for d <= about 0.
Ball log2_one_plus(const Ball& d, Precision p) {
  const Ball top = upper(d, p);
  if (certainly_less(top, Ball(-p.bits - 8))) {  // log2(1 + t) < 2t
    Ball bound;
    arb_one(bound.raw());
    return one_sided(scale(bound, -p.bits - 7), 1);
  }
  Ball t = exp(mul(d, ln2(p), p), p), result;
  arb_log1p(result.raw(), t.raw(), p.bits);
  return div(result, ln2(p), p);
}

/// Encloses log2(1 - 2^d) for d certainly negative.
Ball log2_one_minus(const Ball& d, Precision p) {
  const Ball top = upper(d, p);
  if (certainly_less(top, Ball(-p.bits - 8))) {  // -log2(1 - t) < 2t for t < 1/2
    Ball bound;
    arb_one(bound.raw());
    return one_sided(scale(bound, -p.bits - 7), -1);
  }
  const Ball one_minus = neg(expm1(mul(d, ln2(p), p), p));
  return log2_of_positive(one_minus, p);
}

Sign times(Sign a, Sign b) {
  if (a == Sign::zero || b == Sign::zero) return Sign::zero;
  if (a == Sign::unknown || b == Sign::unknown) return Sign::unknown;
  return a == b ? Sign::positive : Sign::negative;
}

Sign opposite(Sign s) {
  if (s == Sign::positive) return Sign::negative;
  if (s == Sign::negative) return Sign::positive;
  return s;
}

Magnitude sum_of_bounds(const Magnitude& a, const Magnitude& b, Precision p) {
  const Ball la = upper(a.log2(), p), lb = upper(b.log2(), p);
  const bool first = midpoint_less(lb, la);
  const Ball& big = first ? la : lb;
  const Ball& small = first ? lb : la;
  return Magnitude::from_log2(upper(add(big, log2_one_plus(sub(small, big, p), p), p), p), Sign::unknown);
}

/// a + b where the sign of a is known, b is opposite or unknown, and |a| > |b| for certain.
Magnitude dominated_sum(const Magnitude& a, const Magnitude& b, Precision p) {
  const Ball d = sub(b.sign() == Sign::unknown ? upper(b.log2(), p) : b.log2(), a.log2(), p);
  Ball factor = log2_one_minus(d, p);
  if (b.sign() == Sign::unknown) factor = hull(factor, log2_one_plus(d, p), p);
  return Magnitude::from_log2(add(a.log2(), factor, p), a.sign());
}

}  // namespace

Magnitude::Magnitude(const Ball& mantissa, const Integer& exponent, Precision p) {
  if (rankfall::is_zero(mantissa)) return;
  const Ball shift(exponent);
  if (rankfall::certainly_positive(mantissa)) {
    sign_ = Sign::positive;
    log2_ = rankfall::add(log2_of_positive(mantissa, p), shift, p);
  } else if (certainly_negative(mantissa)) {
    sign_ = Sign::negative;
    log2_ = rankfall::add(log2_of_positive(rankfall::neg(mantissa), p), shift, p);
  } else {
    sign_ = Sign::unknown;
    const Ball bound = upper(rankfall::symmetric(mantissa), p);
    log2_ = is_finite(bound) ? upper(rankfall::add(rankfall::log2(bound, p), shift, p), p) : bound;
  }
}

Magnitude::Magnitude(const Ball& value, Precision p) : Magnitude(value, Integer(0), p) {}
Magnitude::Magnitude(const Rational& value, Precision p) : Magnitude(Ball(value, Precision(p.bits + 8)), p) {}

Magnitude Magnitude::from_log2(const Ball& log2, Sign sign) {
  Magnitude result;
  result.sign_ = sign;
  if (sign != Sign::zero) result.log2_ = log2;
  return result;
}

const Ball& Magnitude::log2() const {
  if (is_zero()) throw DomainError("logarithm of a magnitude that is exactly zero");
  return log2_;
}

Ball Magnitude::log10(Precision p) const {
  Ball ten;
  arb_const_log10(ten.raw(), p.bits + 8);
  return div(mul(log2(), ln2(Precision(p.bits + 8)), Precision(p.bits + 8)), ten, p);
}

Ball Magnitude::to_ball(Precision p) const {
  if (is_zero()) return Ball();
  const Ball top = sign_ == Sign::unknown ? upper(log2_, p) : log2_;
  Ball limit = scale(Ball(1), ball_exponent_limit);
  if (certainly_less(top, neg(limit)) && sign_ == Sign::unknown) {
    return symmetric(scale(Ball(1), -(1L << ball_exponent_limit)));
  }
  if (!certainly_less(rankfall::abs(top), limit))
    throw DomainError("a magnitude with log2 of about " + lower_text(log2_, 6) + " is too large or small for a ball");
  const Precision extra(p.bits + ball_exponent_limit + 8);  // the integer part of the exponent costs bits
  const Ball value = rankfall::exp(rankfall::mul(top, ln2(extra), extra), p);
  if (sign_ == Sign::unknown) return symmetric(value);
  return sign_ == Sign::negative ? rankfall::neg(value) : value;
}

Magnitude add(const Magnitude& a, const Magnitude& b, Precision p) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const bool known = a.sign() != Sign::unknown && b.sign() != Sign::unknown;
  if (known && a.sign() == b.sign()) {
    const bool first = midpoint_less(b.log2(), a.log2());
    const Ball& big = (first ? a : b).log2();
    const Ball& small = (first ? b : a).log2();
    return Magnitude::from_log2(add(big, log2_one_plus(sub(small, big, p), p), p), a.sign());
  }
  const Ball top_a = upper(a.log2(), p), top_b = upper(b.log2(), p);
  if (a.sign() != Sign::unknown && certainly_less(top_b, a.log2())) return dominated_sum(a, b, p);
  if (b.sign() != Sign::unknown && certainly_less(top_a, b.log2())) return dominated_sum(b, a, p);
  return sum_of_bounds(a, b, p);
}

Magnitude sub(const Magnitude& a, const Magnitude& b, Precision p) { return add(a, neg(b), p); }

Magnitude mul(const Magnitude& a, const Magnitude& b, Precision p) {
  const Sign sign = times(a.sign(), b.sign());
  if (sign == Sign::zero) return {};
  return Magnitude::from_log2(add(a.log2(), b.log2(), p), sign);
}

Magnitude div(const Magnitude& a, const Magnitude& b, Precision p) {
  if (b.is_zero() || b.sign() == Sign::unknown) throw DomainError("division by a magnitude that may be zero");
  if (a.is_zero()) return {};
  return Magnitude::from_log2(sub(a.log2(), b.log2(), p), times(a.sign(), b.sign()));
}

Magnitude neg(const Magnitude& a) {
  if (a.is_zero()) return a;
  return Magnitude::from_log2(a.log2(), opposite(a.sign()));
}

Magnitude abs(const Magnitude& a) { return a.sign() == Sign::negative ? neg(a) : a; }

Magnitude sqrt(const Magnitude& a, Precision p) { return power(a, Rational(1, 2), p); }

Magnitude exp(const Magnitude& a, Precision p) {
  if (a.is_zero()) return Magnitude::from_log2(Ball());
  return Magnitude::from_log2(div(a.to_ball(p), ln2(p), p));
}

Magnitude log(const Magnitude& a, Precision p) {
  if (!a.certainly_positive()) throw DomainError("logarithm of a magnitude that may be zero or negative");
  return Magnitude(mul(a.log2(), ln2(p), p), p);
}

Magnitude tanh(const Magnitude& a, Precision p) {
  if (a.is_zero()) return a;
  const Ball top = upper(a.log2(), p);
  if (certainly_less(top, Ball(-p.bits / 2 - 4))) {  // t (1 - t^2) <= tanh t <= t, hence log2 falls by at most 2 t^2
    Ball loss = one_sided(scale(Ball(1), -p.bits - 7), -1);
    return Magnitude::from_log2(a.sign() == Sign::unknown ? top : add(a.log2(), loss, p), a.sign());
  }
  if (a.sign() == Sign::unknown) {
    if (certainly_less(Ball(1), top)) return Magnitude::from_log2(Ball(), Sign::unknown);
    return Magnitude::from_log2(upper(log2(tanh(exp(mul(top, ln2(p), p), p), p), p), p), Sign::unknown);
  }
  const Ball saturation(40);  // tanh 2^40 = 1 - 2^(-3.1e12)
  const auto log2_tanh = [&](const Ball& l) {
    if (certainly_less(saturation, l)) return one_sided(scale(Ball(1), -(1L << 40)), -1);
    return log2_of_positive(tanh(exp(mul(l, ln2(p), p), p), p), p);
  };
  const Ball low = lower(a.log2(), p);
  return Magnitude::from_log2(hull(log2_tanh(low), log2_tanh(top), p), a.sign());
}

Magnitude max(const Magnitude& a, const Magnitude& b, Precision p) {
  if (certainly_less_equal(a, b)) return b;
  if (certainly_less_equal(b, a)) return a;
  if (a.certainly_positive() && b.certainly_positive())
    return Magnitude::from_log2(max(a.log2(), b.log2(), p));
  return hull(a, b, p);
}

Magnitude min(const Magnitude& a, const Magnitude& b, Precision p) { return neg(max(neg(a), neg(b), p)); }

Magnitude power(const Magnitude& a, const Rational& exponent, Precision p) {
  if (exponent == 0) return Magnitude::from_log2(Ball());
  if (a.is_zero()) {
    if (exponent < 0) throw DomainError("zero to the negative power " + to_text(exponent));
    return a;
  }
  const bool integer = denominator(exponent) == 1;
  const bool even = integer && numerator(exponent) % 2 == 0;
  if (a.sign() == Sign::negative && !integer)
    throw DomainError("a negative number to the fractional power " + to_text(exponent));
  if (a.sign() == Sign::unknown && exponent < 0)
    throw DomainError("a number that may be zero to the negative power " + to_text(exponent));
  const Ball log2 = mul(a.log2(), Ball(exponent, Precision(p.bits + 8)), p);
  if (a.sign() == Sign::unknown) return Magnitude::from_log2(log2, Sign::unknown);
  return Magnitude::from_log2(log2, even ? Sign::positive : a.sign());
}

Magnitude power(const Magnitude& a, const Magnitude& exponent, Precision p) {
  if (exponent.is_zero()) return Magnitude::from_log2(Ball());
  if (!a.certainly_positive()) throw DomainError("a power with an inexact exponent needs a positive base");
  const Magnitude log2 = mul(Magnitude(a.log2(), p), exponent, p);
  return Magnitude::from_log2(log2.to_ball(p));
}

bool certainly_less(const Magnitude& a, const Magnitude& b) {
  switch (a.sign()) {
    case Sign::zero:
      return b.sign() == Sign::positive;
    case Sign::positive:
      return b.sign() == Sign::positive && certainly_less(a.log2(), b.log2());
    case Sign::negative:
      if (b.sign() == Sign::negative) return certainly_less(b.log2(), a.log2());
      if (b.sign() == Sign::unknown) return certainly_less(upper(b.log2(), Precision(64)), a.log2());
      return true;
    case Sign::unknown:
      return b.sign() == Sign::positive && certainly_less(upper(a.log2(), Precision(64)), b.log2());
  }
  return false;
}

bool certainly_less_equal(const Magnitude& a, const Magnitude& b) {
  if (a.is_zero() && b.is_zero()) return true;
  if (a.certainly_positive() && b.certainly_positive()) return certainly_less_equal(a.log2(), b.log2());
  if (a.sign() == Sign::negative && b.sign() == Sign::negative) return certainly_less_equal(b.log2(), a.log2());
  return certainly_less(a, b);
}

bool overlap(const Magnitude& a, const Magnitude& b) { return !certainly_less(a, b) && !certainly_less(b, a); }

Magnitude hull(const Magnitude& a, const Magnitude& b, Precision p) {
  if (a.is_zero() && b.is_zero()) return a;
  if (a.sign() == b.sign() && a.sign() != Sign::unknown)
    return Magnitude::from_log2(hull(a.log2(), b.log2(), p), a.sign());
  if (a.is_zero()) return Magnitude::from_log2(upper(b.log2(), p), Sign::unknown);
  if (b.is_zero()) return Magnitude::from_log2(upper(a.log2(), p), Sign::unknown);
  return Magnitude::from_log2(max(upper(a.log2(), p), upper(b.log2(), p), p), Sign::unknown);
}

}  // namespace rankfall
