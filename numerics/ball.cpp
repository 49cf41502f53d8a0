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
Ball log(const Ball& a, Precision p) {
  if (!certainly_positive(a)) outside("logarithm", a, "certainly positive");
  return computed([&](arb_ptr z) { arb_log(z, a.raw(), p.bits); });
}
Ball log2(const Ball& a, Precision p) {
  Ball result = log(a, p);
  Ball two;
  arb_const_log2(two.raw(), p.bits);
  arb_div(result.raw(), result.raw(), two.raw(), p.bits);
  return result;
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
  return computed([&](arb_ptr z) {
    arb_get_mag(arb_radref(z), a.raw());
  });
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

bool is_exact(const Ball& a) { return arb_is_exact(a.raw()) != 0; }
bool is_zero(const Ball& a) { return arb_is_zero(a.raw()) != 0; }
bool is_finite(const Ball& a) { return arb_is_finite(a.raw()) != 0; }
bool contains_zero(const Ball& a) { return arb_contains_zero(a.raw()) != 0; }
bool certainly_positive(const Ball& a) { return arb_is_positive(a.raw()) != 0; }
bool certainly_negative(const Ball& a) { return arb_is_negative(a.raw()) != 0; }
bool certainly_less(const Ball& a, const Ball& b) { return arb_lt(a.raw(), b.raw()) != 0; }
bool certainly_less_equal(const Ball& a, const Ball& b) { return arb_le(a.raw(), b.raw()) != 0; }
bool overlap(const Ball& a, const Ball& b) { return arb_overlaps(a.raw(), b.raw()) != 0; }
bool contains(const Ball& a, const Ball& b) { return arb_contains(a.raw(), b.raw()) != 0; }
bool contains(const Ball& a, const Rational& b) {
  // b = top/bottom lies in a iff top lies in a * bottom, an exact product.
  Ball scaled;
  arb_mul_fmpz(scaled.raw(), a.raw(), FlintInteger(denominator(b)).get(), ARF_PREC_EXACT);
  return arb_contains_fmpz(scaled.raw(), FlintInteger(numerator(b)).get()) != 0;
}

bool midpoint_less(const Ball& a, const Ball& b) { return arf_cmp(arb_midref(a.raw()), arb_midref(b.raw())) < 0; }

Integer binary_exponent(const Ball& a) {
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, a.raw());
  Integer result = to_integer(MAG_EXPREF(bound));
  mag_clear(bound);
  return result;
}

long relative_accuracy_bits(const Ball& a) { return arb_rel_accuracy_bits(a.raw()); }
double to_double(const Ball& a) { return arf_get_d(arb_midref(a.raw()), ARF_RND_NEAR); }

}  // namespace rankfall
