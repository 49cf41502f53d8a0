// Functions of intervals. Each is monotone, so the ends give the ends.
#include <algorithm>

#include "numerics/errors.hpp"
#include "verify/recheck/number.hpp"

namespace rankfall::recheck {
namespace {

constexpr long widest_exponent = 1L << 40;  // of what exp may return

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

Number at_the_ends(const Number& a, Bits p, Function f) {
  Number result = Number::blank(p);
  f(result.low(), a.low(), MPFR_RNDD);
  f(result.high(), a.high(), MPFR_RNDU);
  return result.settle();
}

Number constant_log2_e(Bits p) {  // 1 / log 2
  Number log_2 = Number::blank({p.count + 8});
  mpfr_const_log2(log_2.low(), MPFR_RNDD);
  mpfr_const_log2(log_2.high(), MPFR_RNDU);
  return div(Number(1), log_2, p);
}

long bits_of(const Integer& a) {
  return a == 0 ? 1 : static_cast<long>(msb(Integer(boost::multiprecision::abs(a)))) + 1;
}

/// 2^a for a point a of at most 2^40 bits in front of the point.
Number exp2_of_point(const Number& a, Bits p) {
  if (is_zero(a)) return Number(1);
  const Integer size = a.exponent() + mpfr_get_exp(a.low());
  if (size > (1L << 20)) throw DomainError("an exponent of more than 2^20 bits");
  if (size < -p.count - 8) {  // 2^a is within |a| of 1
    Number result = Number::blank(p);
    mpfr_set_ui(result.low(), 1, MPFR_RNDD);
    mpfr_set_ui(result.high(), 1, MPFR_RNDU);
    mpfr_nextbelow(result.low());
    mpfr_nextabove(result.high());
    return result;
  }
  mpfr_t whole;  // exact, and its part behind the point
  mpfr_init2(whole, mpfr_get_prec(a.low()) + std::max(0L, static_cast<long>(size)) + 64);
  mpfr_mul_2si(whole, a.low(), static_cast<long>(a.exponent()), MPFR_RNDD);
  Integer floor;
  mpfr_get_z(floor.backend().data(), whole, MPFR_RNDD);
  mpfr_sub_z(whole, whole, floor.backend().data(), MPFR_RNDD);  // in [0, 1), fewer digits: exact
  Number result = Number::blank(p, floor);
  mpfr_exp2(result.low(), whole, MPFR_RNDD);
  mpfr_exp2(result.high(), whole, MPFR_RNDU);
  mpfr_clear(whole);
  return result;
}

Number exp2(const Number& a, Bits p) {
  return between(exp2_of_point(lower(a), p), exp2_of_point(upper(a), p), p);
}

/// log2 of a point above zero.
Number log2_of_point(const Number& a, Bits p) {
  Number result = Number::blank(p);
  mpfr_log2(result.low(), a.low(), MPFR_RNDD);
  mpfr_log2(result.high(), a.high(), MPFR_RNDU);
  return add(result.settle(), Number(Rational(a.exponent()), {std::max(p.count, bits_of(a.exponent()))}), p);
}

Number log2(const Number& a, Bits p) {
  if (!certainly_positive(a)) throw DomainError("the logarithm of what may not be positive");
  return between(log2_of_point(lower(a), p), log2_of_point(upper(a), p), p);
}

/// x times [1 - 2^-p, 1 + 2^-p], which holds f(x) when |f(x) - x| <= x^2 and |x| <= 2^-p.
Number nearly_itself(const Number& x, Bits p) {
  Number factor = Number::blank({p.count + 2});
  mpfr_set_si_2exp(factor.low(), 1, -p.count, MPFR_RNDD);
  mpfr_ui_sub(factor.low(), 1, factor.low(), MPFR_RNDD);
  mpfr_set_si_2exp(factor.high(), 1, -p.count, MPFR_RNDU);
  mpfr_add_ui(factor.high(), factor.high(), 1, MPFR_RNDU);
  return mul(x, factor, p);
}

/// |x| is certainly below 2^-(2^20), or reaches above 2^(2^20).
bool beyond_reach(const Number& x) {
  return x.exponent() != 0;
}

Number whole_power(const Number& a, unsigned long exponent, Bits p) {
  Number result(1), square = a;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = mul(result, square, p);
    if (exponent > 1) square = mul(square, square, p);
  }
  return result;
}

Number power_of_point(const Number& a, const Rational& exponent, Bits p) {
  if (is_zero(a)) return {};
  const Integer bits = bits_of(numerator(exponent)) + bits_of(a.exponent()) + 64;
  if (bits > (1L << 22)) throw DomainError("a power with an exponent of more than 2^22 bits");
  const Bits more{p.count + static_cast<long>(bits)};
  return exp2(mul(log2(a, more), Number(exponent, more), more), p);
}

}  // namespace

Number sqrt(const Number& a, Bits p) {
  if (mpfr_sgn(a.high()) < 0) throw DomainError("the square root of a negative number");
  const long odd = a.exponent() % 2 == 0 ? 0 : 1;
  const Bits own{std::max(mpfr_get_prec(a.low()), mpfr_get_prec(a.high()))};
  Number even = Number::blank(own), result = Number::blank(p);
  mpfr_mul_2si(even.low(), a.low(), odd, MPFR_RNDD);
  mpfr_mul_2si(even.high(), a.high(), odd, MPFR_RNDU);
  if (mpfr_sgn(even.low()) > 0) mpfr_sqrt(result.low(), even.low(), MPFR_RNDD);
  mpfr_sqrt(result.high(), even.high(), MPFR_RNDU);
  return scale(result, (a.exponent() - odd) / 2);
}

Number exp(const Number& a, Bits p) {
  const bool near =
      !beyond_reach(a) && mpfr_cmp_si(a.low(), -(1L << 19)) > 0 && mpfr_cmp_si(a.high(), 1L << 19) < 0;
  if (near) return at_the_ends(a, p, mpfr_exp);
  const Bits more{p.count + 64};
  const Number exponent = mul(a, constant_log2_e(more), more);
  if (!certainly_less(abs(exponent), Number(widest_exponent)))
    throw DomainError("an exponential beyond 2^(2^40)");
  return exp2(exponent, p);
}

Number expm1(const Number& a, Bits p) {
  if (!beyond_reach(a) && mpfr_cmp_si(a.high(), 1L << 19) < 0) return at_the_ends(a, p, mpfr_expm1);
  if (a.exponent() < 0) return nearly_itself(a, p);
  return sub(exp(a, p), Number(1), p);
}

Number expm2(const Number& a, Bits p) {
  if (!certainly_less_equal(abs(a), Number(Rational(1, 2), p))) {
    const Bits more{p.count + 8};
    return sub(expm1(a, more), a, p);
  }
  // a^2 (1/2 + a/6 + ...): for |a| <= 1/2 all that follows a term is below its size
  const Number least(scale(Number(1), -p.count - 8));
  Number sum(Rational(1, 2), p), term = sum;
  for (long k = 3; certainly_less(least, upper(abs(term))); ++k) {
    term = div(mul(term, a, p), Number(k), p);
    sum = add(sum, term, p);
  }
  const Number rest = upper(abs(term));
  return mul(mul(a, a, p), add(sum, between(neg(rest), rest, p), p), p);
}

Number tanh(const Number& a, Bits p) {
  if (!beyond_reach(a)) return at_the_ends(a, p, mpfr_tanh);
  if (a.exponent() < 0) return nearly_itself(a, p);
  Number result = Number::blank(p);  // within 2^-p of -1 or 1, or anything between
  mpfr_set_si(result.low(), mpfr_sgn(a.low()) > 0 ? 1 : -1, MPFR_RNDD);
  mpfr_set_si(result.high(), mpfr_sgn(a.high()) < 0 ? -1 : 1, MPFR_RNDU);
  if (mpfr_sgn(a.low()) > 0) mpfr_nextbelow(result.low());
  if (mpfr_sgn(a.high()) < 0) mpfr_nextabove(result.high());
  return result;
}

Number log(const Number& a, Bits p) {
  const Bits more{p.count + 8};
  return div(log2(a, more), constant_log2_e(more), p);
}

Number log10(const Number& a, Bits p) {
  const Bits more{p.count + bits_of(a.exponent()) + 16};
  return div(log2(a, more), log2(Number(10), more), more);
}

Number power(const Number& a, const Rational& exponent, Bits p) {
  if (exponent == 0) return Number(1);
  if (exponent < 0) return div(Number(1), power(a, Rational(-exponent), p), p);
  if (denominator(exponent) == 1 && exponent <= 64) {
    const Number result = whole_power(a, static_cast<unsigned long>(numerator(exponent)), p);
    return static_cast<unsigned long>(numerator(exponent)) % 2 == 0 ? abs(result) : result;
  }
  if (mpfr_sgn(a.low()) < 0) throw DomainError("a power of what may be negative");
  return between(power_of_point(lower(a), exponent, p), power_of_point(upper(a), exponent, p), p);
}

}  // namespace rankfall::recheck
