#pragma once
#include <map>
#include <string>

#include "theory/exponent.hpp"
#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// A product of powers of positive quantities in normal form: b^e for bases b (primes, symbols, and whatever
/// does not come apart) with exponents in normal form, and prod_{j=first}^{first+count-1} base(j)^(e(j)) for
/// bases that depend on an index. Two products with equal normal forms are equal wherever all bases are
/// positive and all variables of exponents are non-negative integers.
class PowerProduct {
 public:
  /// base(j)^..., j = first, ..., first + count - 1; the index is written `range_index`.
  struct Range {
    Expression base;
    Exponent first, count;
    friend bool operator<(const Range& a, const Range& b);
  };
  static constexpr const char* range_index = "range_index";

  PowerProduct() = default;  ///< 1
  /// Throws InputError, naming the part, where e is no product of powers: a number that is not positive, an
  /// exponent without normal form, a product over a range that may be shorter than empty, a product in a
  /// product.
  static PowerProduct from(const Expression& e);

  const std::map<Expression, Exponent, StructuralLess>& powers() const { return powers_; }
  const std::map<Range, Exponent>& ranges() const { return ranges_; }
  Exponent exponent_of(const Expression& base) const;
  Exponent exponent_of(const Range& range) const;

  PowerProduct raised(const Exponent& exponent) const;
  friend PowerProduct operator*(const PowerProduct& a, const PowerProduct& b);
  friend bool operator==(const PowerProduct& a, const PowerProduct& b);

 private:
  void multiply_by(const Expression& base, const Exponent& exponent);
  void multiply_by(const PowerProduct& factor);
  void multiply_by_number(const Rational& value);
  void multiply_by_range(const Expression& product);
  void multiply_by_range(const Expression& base, const std::string& index, const Exponent& first,
                         const Exponent& last, const Exponent& exponent);

  std::map<Expression, Exponent, StructuralLess> powers_;
  std::map<Range, Exponent> ranges_;
};

}  // namespace rankfall::theory
