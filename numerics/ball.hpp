#pragma once
#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif

#include <string>

#include "numerics/exact.hpp"

namespace rankfall {

/// Bits of a midpoint.
struct Precision {
  long bits;
  constexpr explicit Precision(long b) : bits(b) {}
};

/// A real number known up to a rigorous radius: the set [mid - radius, mid + radius], over Arb, with
/// exponents of any size. Every operation encloses: the result contains f(a, b) for all a, b in the operands.
/// There are no relational operators, because overlapping balls have no order; use the predicates.
class Ball {
 public:
  Ball() noexcept { arb_init(value_); }
  Ball(const Ball& other) { arb_init(value_), arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept { arb_init(value_), arb_swap(value_, other.value_); }
  Ball& operator=(const Ball& other) { return arb_set(value_, other.value_), *this; }
  Ball& operator=(Ball&& other) noexcept { return arb_swap(value_, other.value_), *this; }
  ~Ball() { arb_clear(value_); }

  /// Exact values.
  explicit Ball(long value) { arb_init(value_), arb_set_si(value_, value); }
  explicit Ball(int value) : Ball(static_cast<long>(value)) {}
  explicit Ball(double value) { arb_init(value_), arb_set_d(value_, value); }
  explicit Ball(const Integer& value);
  /// Encloses the rational; exact when it fits p bits.
  Ball(const Rational& value, Precision p);

  arb_ptr raw() { return value_; }
  arb_srcptr raw() const { return value_; }

 private:
  arb_t value_;
};

// Arithmetic. Each result encloses the exact result for every choice of points in the operands.
Ball add(const Ball& a, const Ball& b, Precision p);
Ball sub(const Ball& a, const Ball& b, Precision p);
Ball mul(const Ball& a, const Ball& b, Precision p);
/// Throws DomainError when b contains zero.
Ball div(const Ball& a, const Ball& b, Precision p);
Ball neg(const Ball& a);
Ball abs(const Ball& a);
/// Of the non-negative part of a; throws DomainError when a is certainly negative.
Ball sqrt(const Ball& a, Precision p);
Ball exp(const Ball& a, Precision p);
Ball expm1(const Ball& a, Precision p);
/// Throws DomainError unless a is certainly positive.
Ball log(const Ball& a, Precision p);
Ball log2(const Ball& a, Precision p);
Ball ln2(Precision p);  ///< log 2
Ball tanh(const Ball& a, Precision p);
/// Hull-style: encloses max (min) of the two numbers, whatever their order.
Ball max(const Ball& a, const Ball& b, Precision p);
Ball min(const Ball& a, const Ball& b, Precision p);
/// The smallest ball (at p bits) that contains both.
Ball hull(const Ball& a, const Ball& b, Precision p);
/// a * 2^exponent, exactly.
Ball scale(const Ball& a, const Integer& exponent);
Ball scale(const Ball& a, long exponent);
/// [-radius, radius] for radius = the upper end of |a|.
Ball symmetric(const Ball& a);
/// [0, bound] for bound = the upper end of |a|.
Ball between_zero_and(const Ball& a);

// Ends and midpoint, as exact balls (rounded outward to p bits).
Ball lower(const Ball& a, Precision p);
Ball upper(const Ball& a, Precision p);
Ball midpoint(const Ball& a);

// Predicates. "certainly" means for every choice of points.
bool is_exact(const Ball& a);
bool is_zero(const Ball& a);  ///< exactly zero
bool is_finite(const Ball& a);
bool contains_zero(const Ball& a);
bool certainly_positive(const Ball& a);
bool certainly_negative(const Ball& a);
bool certainly_less(const Ball& a, const Ball& b);
bool certainly_less_equal(const Ball& a, const Ball& b);
bool overlap(const Ball& a, const Ball& b);
bool contains(const Ball& a, const Ball& b);
bool contains(const Ball& a, const Rational& b);  ///< decided exactly

/// Order of the midpoints: for choosing, never for deciding.
bool midpoint_less(const Ball& a, const Ball& b);
/// An e with |a| < 2^e: floor(log2) + 1 of the upper end of |a|, or one more. Throws DomainError when a is
/// exactly zero or not finite.
Integer binary_exponent(const Ball& a);
/// Bits of relative accuracy: log2(|mid| / radius), large for an exact ball, negative when nothing is known.
long relative_accuracy_bits(const Ball& a);
double to_double(const Ball& a);

/// Decimal text of an end, rounded outward, with at most `digits` significant digits, no more than needed;
/// "-inf" or "inf" for an end that is not finite or whose exponent exceeds 2^29 outward. Throws DomainError
/// for digits < 1. It matches -?inf|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?
std::string lower_text(const Ball& a, int digits);
std::string upper_text(const Ball& a, int digits);

}  // namespace rankfall
