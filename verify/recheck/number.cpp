#include "verify/recheck/number.hpp"

#include <algorithm>
#include <utility>

#include "numerics/errors.hpp"

namespace rankfall::recheck {
namespace {

constexpr mpfr_exp_t far = 1L << 20;  // MPFR's own exponents stay within twice this, far inside its range

/// Compares x 2^a with y 2^b.
int compare(mpfr_srcptr x, const Integer& a, mpfr_srcptr y, const Integer& b) {
  const int sign = mpfr_sgn(x);
  if (sign != mpfr_sgn(y)) return sign < mpfr_sgn(y) ? -1 : 1;
  if (sign == 0 || a == b) return sign == 0 ? 0 : mpfr_cmp(x, y);
  const Integer size_x = a + mpfr_get_exp(x), size_y = b + mpfr_get_exp(y);
  if (size_x != size_y) return (size_x < size_y) == (sign > 0) ? -1 : 1;
  mpfr_t u, v;  // the same digits between 1/2 and 1
  mpfr_init2(u, mpfr_get_prec(x));
  mpfr_init2(v, mpfr_get_prec(y));
  mpfr_set(u, x, MPFR_RNDN);
  mpfr_set(v, y, MPFR_RNDN);
  mpfr_set_exp(u, 0);
  mpfr_set_exp(v, 0);
  const int result = mpfr_cmp(u, v);
  mpfr_clear(u);
  mpfr_clear(v);
  return result;
}

long precision_of(const Number& a) {
  return std::max(mpfr_get_prec(a.low()), mpfr_get_prec(a.high()));
}

/// a 2^shift with shift <= 0, on exponent `on`.
Number moved_down(const Number& a, const Integer& shift, const Integer& on) {
  Number result = Number::blank({precision_of(a)}, on);
  if (shift >= -4 * far) {
    mpfr_mul_2si(result.low(), a.low(), static_cast<long>(shift), MPFR_RNDD);
    mpfr_mul_2si(result.high(), a.high(), static_cast<long>(shift), MPFR_RNDU);
    return result;
  }
  // beyond reach: between -2^-far and 2^-far, with the sides that the signs allow
  mpfr_set_si_2exp(result.low(), mpfr_sgn(a.low()) < 0 ? -1 : 0, -far, MPFR_RNDD);
  mpfr_set_si_2exp(result.high(), mpfr_sgn(a.high()) > 0 ? 1 : 0, -far, MPFR_RNDU);
  return result;
}

/// Both on one exponent, the larger.
std::pair<Number, Number> aligned(const Number& a, const Number& b) {
  if (is_zero(a)) return {Number::blank({2}, b.exponent()), b};
  if (a.exponent() < b.exponent()) return {moved_down(a, a.exponent() - b.exponent(), b.exponent()), b};
  return {a, moved_down(b, b.exponent() - a.exponent(), a.exponent())};
}

template <class Low, class High>
Number combined(const Number& a, const Number& b, Bits p, Low low, High high) {
  Number result = Number::blank(p, a.exponent());
  low(result.low(), a, b);
  high(result.high(), a, b);
  return result.settle();
}

void sum_low(mpfr_ptr r, const Number& a, const Number& b) {
  mpfr_add(r, a.low(), b.low(), MPFR_RNDD);
}
void sum_high(mpfr_ptr r, const Number& a, const Number& b) {
  mpfr_add(r, a.high(), b.high(), MPFR_RNDU);
}

}  // namespace

Number::Number() {
  mpfr_init2(low_, 2);
  mpfr_init2(high_, 2);
  mpfr_set_zero(low_, 1);
  mpfr_set_zero(high_, 1);
}

Number::Number(const Number& other) : exponent_(other.exponent_) {
  mpfr_init2(low_, mpfr_get_prec(other.low_));
  mpfr_init2(high_, mpfr_get_prec(other.high_));
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
}

Number::Number(Number&& other) noexcept : Number() {
  mpfr_swap(low_, other.low_);
  mpfr_swap(high_, other.high_);
  exponent_.swap(other.exponent_);
}

Number& Number::operator=(Number other) noexcept {
  mpfr_swap(low_, other.low_);
  mpfr_swap(high_, other.high_);
  exponent_.swap(other.exponent_);
  return *this;
}

Number::~Number() {
  mpfr_clear(low_);
  mpfr_clear(high_);
}

Number::Number(long value) : Number(blank({64})) {
  mpfr_set_si(low_, value, MPFR_RNDD);
  mpfr_set_si(high_, value, MPFR_RNDU);
}

Number::Number(const Rational& value, Bits p) : Number(blank(p)) {
  mpfr_set_q(low_, value.backend().data(), MPFR_RNDD);
  mpfr_set_q(high_, value.backend().data(), MPFR_RNDU);
  settle();
}

Number Number::blank(Bits p, Integer exponent) {
  Number result;
  mpfr_set_prec(result.low_, p.count);
  mpfr_set_prec(result.high_, p.count);
  mpfr_set_zero(result.low_, 1);
  mpfr_set_zero(result.high_, 1);
  result.exponent_ = std::move(exponent);
  return result;
}

Number& Number::settle() {
  if (!mpfr_number_p(low_) || !mpfr_number_p(high_)) throw DomainError("an interval has become unbounded");
  if (mpfr_zero_p(low_) && mpfr_zero_p(high_)) {
    exponent_ = 0;
    return *this;
  }
  mpfr_exp_t top = mpfr_zero_p(low_) ? mpfr_get_exp(high_) : mpfr_get_exp(low_);
  if (!mpfr_zero_p(high_)) top = std::max(top, mpfr_get_exp(high_));
  if (exponent_ == 0 && top <= far && top >= -far) return *this;
  const Integer size = exponent_ + top;
  const bool in_reach = size <= far && size >= -far;
  const long shift = in_reach ? static_cast<long>(exponent_) : -top;
  mpfr_mul_2si(low_, low_, shift, MPFR_RNDD);
  mpfr_mul_2si(high_, high_, shift, MPFR_RNDU);
  exponent_ = in_reach ? Integer(0) : size;
  return *this;
}

Number add(const Number& a, const Number& b, Bits p) {
  if (a.exponent() == b.exponent()) return combined(a, b, p, sum_low, sum_high);
  if (is_zero(b)) return a;
  const auto [x, y] = aligned(a, b);
  return combined(x, y, p, sum_low, sum_high);
}

Number sub(const Number& a, const Number& b, Bits p) {
  return add(a, neg(b), p);
}

Number mul(const Number& a, const Number& b, Bits p) {
  Number result = Number::blank(p);
  if (is_zero(a) || is_zero(b)) return result;
  result = Number::blank(p, a.exponent() + b.exponent());
  if (mpfr_sgn(a.low()) >= 0 && mpfr_sgn(b.low()) >= 0) {
    mpfr_mul(result.low(), a.low(), b.low(), MPFR_RNDD);
    mpfr_mul(result.high(), a.high(), b.high(), MPFR_RNDU);
    return result.settle();
  }
  mpfr_srcptr ends_a[] = {a.low(), a.high()}, ends_b[] = {b.low(), b.high()};
  mpfr_t product;
  mpfr_init2(product, p.count);
  bool first = true;
  for (mpfr_srcptr x : ends_a)
    for (mpfr_srcptr y : ends_b) {
      mpfr_mul(product, x, y, MPFR_RNDD);
      if (first || mpfr_less_p(product, result.low())) mpfr_set(result.low(), product, MPFR_RNDD);
      mpfr_mul(product, x, y, MPFR_RNDU);
      if (first || mpfr_greater_p(product, result.high())) mpfr_set(result.high(), product, MPFR_RNDU);
      first = false;
    }
  mpfr_clear(product);
  return result.settle();
}

Number div(const Number& a, const Number& b, Bits p) {
  if (mpfr_sgn(b.low()) <= 0 && mpfr_sgn(b.high()) >= 0) throw DomainError("a division by what may be zero");
  Number inverse = Number::blank({p.count + 8}, -b.exponent());
  mpfr_ui_div(inverse.low(), 1, b.high(), MPFR_RNDD);
  mpfr_ui_div(inverse.high(), 1, b.low(), MPFR_RNDU);
  return mul(a, inverse.settle(), p);
}

Number neg(const Number& a) {
  Number result = Number::blank({precision_of(a)}, a.exponent());
  mpfr_neg(result.low(), a.high(), MPFR_RNDD);
  mpfr_neg(result.high(), a.low(), MPFR_RNDU);
  return result;
}

Number abs(const Number& a) {
  if (mpfr_sgn(a.low()) >= 0) return a;
  if (mpfr_sgn(a.high()) <= 0) return neg(a);
  Number result = Number::blank({precision_of(a)}, a.exponent());
  mpfr_neg(result.low(), a.low(), MPFR_RNDU);
  mpfr_max(result.high(), a.high(), result.low(), MPFR_RNDU);
  mpfr_set_zero(result.low(), 1);
  return result;
}

bool low_end_less(const Number& a, const Number& b) {
  return compare(a.low(), a.exponent(), b.low(), b.exponent()) < 0;
}
bool high_end_less(const Number& a, const Number& b) {
  return compare(a.high(), a.exponent(), b.high(), b.exponent()) < 0;
}

Number between(const Number& a, const Number& b, Bits p) {
  auto [x, y] = a.exponent() == b.exponent() || is_zero(b) ? std::pair(a, b) : aligned(a, b);
  return combined(
      x, y, p, [](mpfr_ptr r, const Number& u, const Number&) { mpfr_set(r, u.low(), MPFR_RNDD); },
      [](mpfr_ptr r, const Number&, const Number& v) { mpfr_set(r, v.high(), MPFR_RNDU); });
}

Number min(const Number& a, const Number& b) {
  const Number& low = low_end_less(b, a) ? b : a;
  const Number& high = high_end_less(b, a) ? b : a;
  return &low == &high ? low : between(low, high, {std::max(precision_of(a), precision_of(b))});
}

Number max(const Number& a, const Number& b) {
  const Number& low = low_end_less(a, b) ? b : a;
  const Number& high = high_end_less(a, b) ? b : a;
  return &low == &high ? low : between(low, high, {std::max(precision_of(a), precision_of(b))});
}

Number scale(const Number& a, const Integer& exponent) {
  if (is_zero(a)) return a;
  Number result = Number::blank({precision_of(a)}, a.exponent() + exponent);
  mpfr_set(result.low(), a.low(), MPFR_RNDD);
  mpfr_set(result.high(), a.high(), MPFR_RNDU);
  return result.settle();
}

Number lower(const Number& a) {
  Number result = Number::blank({precision_of(a)}, a.exponent());
  mpfr_set(result.low(), a.low(), MPFR_RNDD);
  mpfr_set(result.high(), a.low(), MPFR_RNDU);
  return result.settle();
}

Number upper(const Number& a) {
  Number result = Number::blank({precision_of(a)}, a.exponent());
  mpfr_set(result.low(), a.high(), MPFR_RNDD);
  mpfr_set(result.high(), a.high(), MPFR_RNDU);
  return result.settle();
}

bool certainly_less(const Number& a, const Number& b) {
  return compare(a.high(), a.exponent(), b.low(), b.exponent()) < 0;
}
bool certainly_less_equal(const Number& a, const Number& b) {
  return compare(a.high(), a.exponent(), b.low(), b.exponent()) <= 0;
}
bool overlap(const Number& a, const Number& b) {
  return !certainly_less(a, b) && !certainly_less(b, a);
}
bool is_zero(const Number& a) {
  return mpfr_zero_p(a.low()) && mpfr_zero_p(a.high());
}
bool certainly_positive(const Number& a) {
  return mpfr_sgn(a.low()) > 0;
}

}  // namespace rankfall::recheck
