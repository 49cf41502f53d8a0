#pragma once
#include <optional>
#include <variant>

#include "numerics/magnitude.hpp"

namespace rankfall::theory {

/// A number during evaluation: exact as long as it can be, an enclosure from there on.
using Value = std::variant<Rational, Magnitude>;

/// How values are combined. Throughout this file DomainError is thrown where an operation is undefined, or
/// not known to be defined because an enclosure touches the edge of the domain.
struct Arithmetic {
  Precision precision;      ///< of enclosures
  std::size_t exact_bits;   ///< a larger rational becomes an enclosure
  bool exact_only = false;  ///< throw NotExact instead
};

/// Thrown where a value would have to be enclosed although only exact ones are asked for.
struct NotExact {};

/// The value as an enclosure. Throws NotExact under exact_only.
Magnitude enclose(const Value& value, const Arithmetic& with);

Value negate(const Value& a);
Value divide(const Value& a, const Value& b, const Arithmetic& with);
/// a^b: any b for a >= 0 (0^0 = 1), integers b for a < 0. Exact for integer powers and perfect roots of
/// bounded size.
Value power(const Value& a, const Value& b, const Arithmetic& with);
Value sqrt(const Value& a, const Arithmetic& with);
Value exp(const Value& a, const Arithmetic& with);
Value log(const Value& a, const Arithmetic& with);
Value tanh(const Value& a, const Arithmetic& with);
Value abs(const Value& a);
/// -1, 0 or 1; encloses all three when the sign is not known.
Value sign(const Value& a);
Value max(const Value& a, const Value& b, const Arithmetic& with);
Value min(const Value& a, const Value& b, const Arithmetic& with);
/// n choose k for integers n >= 0 and k, 0 outside 0 <= k <= n.
Value binomial(const Value& n, const Value& k, const Arithmetic& with);

/// A running sum: exact terms in a rational while it stays small, then as balls like the inexact terms of
/// moderate size, so that what cancels leaves a small enclosure; the others as magnitudes.
class RunningSum {
 public:
  explicit RunningSum(const Arithmetic& with) : with_(with) {}
  void add(const Value& term);
  Value total() const;

 private:
  void add_exact(const Rational& term);
  void add_ball(const Ball& term);

  const Arithmetic& with_;
  Rational exact_ = 0;
  bool exact_full_ = false;
  std::optional<Ball> ball_;
  std::optional<Magnitude> magnitude_;
};

/// A running product, likewise.
class RunningProduct {
 public:
  explicit RunningProduct(const Arithmetic& with) : with_(with) {}
  void multiply(const Value& factor);
  Value total() const;

 private:
  const Arithmetic& with_;
  Rational exact_ = 1;
  std::optional<Ball> ball_;
  std::optional<Magnitude> magnitude_;
};

}  // namespace rankfall::theory
