#include "numerics/ball.hpp"

#if __has_include(<flint/arf.h>)
#include <flint/arf.h>
#include <flint/fmpz.h>
#else
#include <arf.h>
#endif
#include "numerics/errors.hpp"
#include "numerics/flint_integer.hpp"

namespace rankfall {
namespace {

template <class Operation>
Ball computed(Operation operation) {
  Ball result;
  operation(result.raw());
  return result;
}

[[noreturn]] void outside(const char* operation, const Ball& a, const char* allowed) {
  throw DomainError(std::string(operation) + ": the operand [" + lower_text(a, 6) + ", " + upper_text(a, 6) +
                    "] is outside the domain (" + allowed + ")");
}

}  // namespace

Ball::Ball(const Integer& value) {
  arb_init(value_);
  arb_set_fmpz(value_, FlintInteger(value).get());
}

Ball::Ball(const Rational& value, Precision p) {
  arb_init(value_);
  const FlintInteger top(numerator(value)), bottom(denominator(value));
  arb_fmpz_div_fmpz(value_, top.get(), bottom.get(), p.bits);
}

Ball add(const Ball& a, const Ball& b, Precision p) {
  return computed([&](arb_ptr z) { arb_add(z, a.raw(), b.raw(), p.bits); });
}
Ball sub(const Ball& a, const Ball& b, Precision p) {
  return computed([&](arb_ptr z) { arb_sub(z, a.raw(), b.raw(), p.bits); });
}
Ball mul(const Ball& a, const Ball& b, Precision p) {
  return computed([&](arb_ptr z) { arb_mul(z, a.raw(), b.raw(), p.bits); });
}
Ball div(const Ball& a, const Ball& b, Precision p) {
  if (contains_zero(b)) outside("division", b, "a divisor that excludes zero");
  return computed([&](arb_ptr z) { arb_div(z, a.raw(), b.raw(), p.bits); });
}
Ball neg(const Ball& a) {
  return computed([&](arb_ptr z) { arb_neg(z, a.raw()); });
}
Ball abs(const Ball& a) {
  return computed([&](arb_ptr z) { arb_abs(z, a.raw()); });
}
Ball sqrt(const Ball& a, Precision p) {
  if (certainly_negative(a)) outside("square root", a, "zero or more");
  return computed([&](arb_ptr z) { arb_sqrtpos(z, a.raw(), p.bits); });
}
Ball exp(const Ball& a, Precision p) {
  return computed([&](arb_ptr z) { arb_exp(z, a.raw(), p.bits); });
}
Ball expm1(const Ball& a, Precision p) {
  return computed([&](arb_ptr z) { arb_expm1(z, a.raw(), p.bits); });
}
Ball ln2(Precision p) {
  return computed([&](arb_ptr z) { arb_const_log2(z, p.bits); });
}
Ball log(const Ball& a, Precision p) {
  if (!certainly_positive(a)) outside("logarithm", a, "certainly positive");
  constexpr long wide = 4;  // bits of accuracy below which the two ends say much more than midpoint and slope
  if (!is_exact(a) && relative_accuracy_bits(a) <= wide)
    return hull(log(lower(a, p), p), log(upper(a, p), p), p);
  return computed([&](arb_ptr z) { arb_log(z, a.raw(), p.bits); });
}
Ball log2(const Ball& a, Precision p) {
  if (is_exact(a) && certainly_positive(a) && is_finite(a) && arf_bits(arb_midref(a.raw())) == 1)
    return Ball(Integer(to_integer(ARF_EXPREF(arb_midref(a.raw()))) - 1));  // a power of two
  return div(log(a, p), ln2(p), p);
}
Ball tanh(const Ball& a, Precision p) {
  return computed([&](arb_ptr z) { arb_tanh(z, a.raw(), p.bits); });
}
Ball max(const Ball& a, const Ball& b, Precision p) {
  return computed([&](arb_ptr z) { arb_max(z, a.raw(), b.raw(), p.bits); });
}
Ball min(const Ball& a, const Ball& b, Precision p) {
  return computed([&](arb_ptr z) { arb_min(z, a.raw(), b.raw(), p.bits); });
}
Ball hull(const Ball& a, const Ball& b, Precision p) {
  return computed([&](arb_ptr z) { arb_union(z, a.raw(), b.raw(), p.bits); });
}
Ball scale(const Ball& a, const Integer& exponent) {
  return computed([&](arb_ptr z) { arb_mul_2exp_fmpz(z, a.raw(), FlintInteger(exponent).get()); });
}
Ball scale(const Ball& a, long exponent) {
  return computed([&](arb_ptr z) { arb_mul_2exp_si(z, a.raw(), exponent); });
}
Ball symmetric(const Ball& a) {
  return computed([&](arb_ptr z) { arb_get_mag(arb_radref(z), a.raw()); });
}
Ball between_zero_and(const Ball& a) {
  if (!is_finite(a)) return symmetric(a);
  const Ball half = scale(symmetric(a), -1), zero_to_end = upper(half, Precision(MAG_BITS));
  return computed([&](arb_ptr z) { arb_add(z, half.raw(), zero_to_end.raw(), ARF_PREC_EXACT); });
}

Ball lower(const Ball& a, Precision p) {
  return computed([&](arb_ptr z) { arb_get_lbound_arf(arb_midref(z), a.raw(), p.bits); });
}
Ball upper(const Ball& a, Precision p) {
  return computed([&](arb_ptr z) { arb_get_ubound_arf(arb_midref(z), a.raw(), p.bits); });
}
Ball midpoint(const Ball& a) {
  return computed([&](arb_ptr z) { arf_set(arb_midref(z), arb_midref(a.raw())); });
}

bool is_exact(const Ball& a) {
  return arb_is_exact(a.raw()) != 0;
}
bool is_zero(const Ball& a) {
  return arb_is_zero(a.raw()) != 0;
}
bool is_finite(const Ball& a) {
  return arb_is_finite(a.raw()) != 0;
}
bool contains_zero(const Ball& a) {
  return arb_contains_zero(a.raw()) != 0;
}
bool certainly_positive(const Ball& a) {
  return arb_is_positive(a.raw()) != 0;
}
bool certainly_negative(const Ball& a) {
  return arb_is_negative(a.raw()) != 0;
}
bool certainly_less(const Ball& a, const Ball& b) {
  return arb_lt(a.raw(), b.raw()) != 0;
}
bool certainly_less_equal(const Ball& a, const Ball& b) {
  return arb_le(a.raw(), b.raw()) != 0;
}
bool overlap(const Ball& a, const Ball& b) {
  return arb_overlaps(a.raw(), b.raw()) != 0;
}
bool contains(const Ball& a, const Ball& b) {
  return arb_contains(a.raw(), b.raw()) != 0;
}
bool contains(const Ball& a, const Rational& b) {
  if (!is_finite(a)) return !arf_is_inf(arb_midref(a.raw()));
  // |mid - top/bottom| <= radius, times bottom: both products are exact, and the sign of their sum is.
  const FlintInteger top(numerator(b)), bottom(denominator(b));
  arf_struct terms[3];
  for (arf_struct& term : terms) arf_init(&term);
  arf_mul_fmpz(&terms[0], arb_midref(a.raw()), bottom.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_set_fmpz(&terms[1], top.get());
  arf_neg(&terms[1], &terms[1]);
  arf_set_mag(&terms[2], arb_radref(a.raw()));
  arf_mul_fmpz(&terms[2], &terms[2], bottom.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_t sum;
  arf_init(sum);
  arf_sum(sum, terms, 3, MAG_BITS, ARF_RND_DOWN);
  const bool above_low_end = arf_sgn(sum) >= 0;
  arf_neg(&terms[2], &terms[2]);
  arf_sum(sum, terms, 3, MAG_BITS, ARF_RND_DOWN);
  const bool below_high_end = arf_sgn(sum) <= 0;
  arf_clear(sum);
  for (arf_struct& term : terms) arf_clear(&term);
  return above_low_end && below_high_end;
}

bool midpoint_less(const Ball& a, const Ball& b) {
  return arf_cmp(arb_midref(a.raw()), arb_midref(b.raw())) < 0;
}

Integer binary_exponent(const Ball& a) {
  if (is_zero(a) || !is_finite(a))
    throw DomainError("binary exponent of the ball [" + lower_text(a, 6) + ", " + upper_text(a, 6) +
                      "]; it must be finite and not exactly zero");
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, a.raw());
  Integer result = to_integer(MAG_EXPREF(bound));
  mag_clear(bound);
  return result;
}

long relative_accuracy_bits(const Ball& a) {
  return arb_rel_accuracy_bits(a.raw());
}
double to_double(const Ball& a) {
  return arf_get_d(arb_midref(a.raw()), ARF_RND_NEAR);
}

}  // namespace rankfall
