#include "theory/expression/value.hpp"

#include "numerics/errors.hpp"
#include "numerics/magnitude.hpp"
#include "theory/expression/exact_operations.hpp"

namespace rankfall::theory {
namespace {

constexpr long tiny_exponent = 1L << 40;      // exp of less than 2^-that is enclosed by 1 +- 2^-that
constexpr long moderate_exponent = 1L << 20;  // terms between 2^-this and 2^this are added as balls
constexpr std::size_t widest_binomial =
    4096;  // bits of n up to which the logarithm of the gamma function is taken

const Rational* exact(const Value& value) {
  return std::get_if<Rational>(&value);
}

bool is_exactly(const Value& value, int constant) {
  return exact(value) != nullptr && *exact(value) == constant;
}

std::string in_words(const Rational& value) {
  const std::string text = to_text(value);
  return text.size() <= 40 ? text : "a number of " + std::to_string(bit_size(value)) + " bits";
}

/// Encloses log2 of n choose k.
Ball log2_binomial(const Integer& n, const Integer& k, Precision p) {
  const Precision wide(p.bits + 2 * static_cast<long>(bit_size(Rational(n))) + 32);  // the three terms cancel
  const auto log_factorial = [&](const Integer& m) {
    const Ball argument(Integer(m + 1));
    Ball result;
    arb_lgamma(result.raw(), argument.raw(), wide.bits);
    return result;
  };
  const Ball both = add(log_factorial(k), log_factorial(n - k), wide);
  return div(sub(log_factorial(n), both, wide), log(Ball(2), wide), p);
}

}  // namespace

Magnitude enclose(const Value& value, const Arithmetic& with) {
  if (with.exact_only) throw NotExact{};
  if (const Rational* a = exact(value)) return Magnitude(*a, with.precision);
  return std::get<Magnitude>(value);
}

Value negate(const Value& a) {
  if (const Rational* x = exact(a)) return Rational(-*x);
  return neg(std::get<Magnitude>(a));
}

Value divide(const Value& a, const Value& b, const Arithmetic& with) {
  if (is_exactly(b, 0)) throw UndefinedError("division by zero");
  if (is_exactly(a, 0) && exact(b) != nullptr) return a;
  if (exact(a) != nullptr && exact(b) != nullptr &&
      bit_size(*exact(a)) + bit_size(*exact(b)) <= with.exact_bits)
    return Rational(*exact(a) / *exact(b));
  return div(enclose(a, with), enclose(b, with), with.precision);
}

Value power(const Value& a, const Value& b, const Arithmetic& with) {
  if (exact(b) == nullptr) {
    if (is_exactly(a, 1)) return a;
    if (is_exactly(a, 0) && std::get<Magnitude>(b).certainly_positive()) return a;
    const Magnitude base = enclose(a, with);
    if (!base.certainly_positive())
      throw DomainError("an inexact power of a number not known to be positive");
    return exp(mul(rankfall::log(base, with.precision), enclose(b, with), with.precision), with);
  }
  if (exact(a) != nullptr)
    if (const auto result = exact_power(*exact(a), *exact(b), with.exact_bits)) return *result;
  return rankfall::power(enclose(a, with), *exact(b), with.precision);
}

Value sqrt(const Value& a, const Arithmetic& with) {
  if (exact(a) != nullptr && *exact(a) < 0) throw UndefinedError("the square root of " + in_words(*exact(a)));
  return power(a, Rational(1, 2), with);
}

Value exp(const Value& a, const Arithmetic& with) {
  if (is_exactly(a, 0)) return Rational(1);
  if (const auto* inexact = std::get_if<Magnitude>(&a); inexact != nullptr && inexact->is_zero())
    return Rational(1);
  const Magnitude x = enclose(a, with);
  const Ball top = upper(x.log2(), with.precision);
  const bool tiny = certainly_less(top, Ball(-tiny_exponent));
  return rankfall::exp(tiny ? Magnitude::from_log2(top, Magnitude::Sign::unknown) : x, with.precision);
}

Value log(const Value& a, const Arithmetic& with) {
  if (is_exactly(a, 1)) return Rational(0);
  if (exact(a) != nullptr && *exact(a) <= 0) throw UndefinedError("the logarithm of " + in_words(*exact(a)));
  return rankfall::log(enclose(a, with), with.precision);
}

Value tanh(const Value& a, const Arithmetic& with) {
  if (is_exactly(a, 0)) return a;
  return rankfall::tanh(enclose(a, with), with.precision);
}

Value abs(const Value& a) {
  if (const Rational* x = exact(a)) return Rational(*x < 0 ? -*x : *x);
  return rankfall::abs(std::get<Magnitude>(a));
}

Value sign(const Value& a) {
  if (const Rational* x = exact(a)) return Rational(x->sign());
  const Magnitude::Sign s = std::get<Magnitude>(a).sign();
  if (s == Magnitude::Sign::unknown) return Magnitude::from_log2(Ball(), Magnitude::Sign::unknown);
  return Rational(static_cast<int>(s));
}

Value max(const Value& a, const Value& b, const Arithmetic& with) {
  if (exact(a) != nullptr && exact(b) != nullptr) return *exact(a) < *exact(b) ? b : a;
  const Magnitude x = enclose(a, with), y = enclose(b, with);
  if (certainly_less_equal(x, y)) return b;
  if (certainly_less_equal(y, x)) return a;
  return rankfall::max(x, y, with.precision);
}

Value min(const Value& a, const Value& b, const Arithmetic& with) {
  return negate(max(negate(a), negate(b), with));
}

Value binomial(const Value& n, const Value& k, const Arithmetic& with) {
  const Rational *above = exact(n), *below = exact(k);
  if (above == nullptr || below == nullptr || !is_integer(*above) || !is_integer(*below) || *above < 0)
    throw DomainError("a binomial of other than integers n >= 0 and k");
  if (*below < 0 || *below > *above) return Rational(0);
  const Integer top = numerator(*above), bottom = numerator(*below);
  if (const auto result = exact_binomial(top, bottom, with.exact_bits)) return Rational(*result);
  if (with.exact_only) throw NotExact{};
  if (bit_size(*above) > widest_binomial)
    throw DomainError("a binomial of " + in_words(*above) + "; at most " + std::to_string(widest_binomial) +
                      " bits can be enclosed");
  return Magnitude::from_log2(log2_binomial(top, bottom, with.precision));
}

void RunningSum::add(const Value& term) {
  if (const Rational* x = exact(term)) return add_exact(*x);
  const Magnitude value = enclose(term, with_);
  if (value.is_zero()) return;
  const Ball log2 = upper(rankfall::abs(value.log2()), with_.precision);
  if (certainly_less(log2, Ball(moderate_exponent)))
    add_ball(value.to_ball(with_.precision));
  else
    magnitude_ = magnitude_ ? rankfall::add(*magnitude_, value, with_.precision) : value;
}

void RunningSum::add_exact(const Rational& term) {
  if (exact_full_) return add_ball(Ball(term, with_.precision));
  const std::size_t size = bit_size(exact_) + bit_size(term);
  if (size > 2 * with_.exact_bits) {
    if (with_.exact_only) throw NotExact{};
    exact_full_ = true;
    return add_ball(Ball(term, with_.precision));
  }
  exact_ += term;
  if (bit_size(exact_) <= with_.exact_bits) return;
  if (with_.exact_only) throw NotExact{};
  exact_full_ = true;
}

void RunningSum::add_ball(const Ball& term) {
  ball_ = ball_ ? rankfall::add(*ball_, term, with_.precision) : term;
}

Value RunningSum::total() const {
  if (!ball_ && !magnitude_ && !exact_full_) return exact_;
  Ball near(exact_, with_.precision);
  if (ball_) near = rankfall::add(near, *ball_, with_.precision);
  const Magnitude total(near, with_.precision);
  return magnitude_ ? rankfall::add(total, *magnitude_, with_.precision) : total;
}

void RunningProduct::multiply(const Value& factor) {
  const Rational* x = exact(factor);
  if (x == nullptr) {
    const Magnitude value = enclose(factor, with_);
    magnitude_ = magnitude_ ? mul(*magnitude_, value, with_.precision) : value;
    return;
  }
  if (*x == 0) exact_ = 0;
  if (exact_ == 0) return;
  if (ball_) {
    ball_ = mul(*ball_, Ball(*x, with_.precision), with_.precision);
    return;
  }
  if (bit_size(exact_) + bit_size(*x) <= with_.exact_bits) {
    exact_ *= *x;
    return;
  }
  if (with_.exact_only) throw NotExact{};
  ball_ = mul(Ball(exact_, with_.precision), Ball(*x, with_.precision), with_.precision);
}

Value RunningProduct::total() const {
  if (exact_ == 0 || (!ball_ && !magnitude_)) return exact_;
  Magnitude total = ball_ ? Magnitude(*ball_, with_.precision) : enclose(exact_, with_);
  return magnitude_ ? mul(total, *magnitude_, with_.precision) : total;
}

}  // namespace rankfall::theory
