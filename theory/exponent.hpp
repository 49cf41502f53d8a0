#pragma once
#include <map>
#include <optional>
#include <string>

#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// An exponent in normal form: a sum of terms c v^m lambda^v w^k mu^w ... with rational c and rational
/// lambda, mu > 0 over non-negative integer variables v, w, ...; a 3^L + b is the case of interest. Different
/// terms are linearly independent as functions, so two exponents are equal for all values of the variables
/// exactly when the normal forms are.
class Exponent {
 public:
  Exponent() = default;  ///< zero
  explicit Exponent(const Rational& constant);
  static Exponent variable(const std::string& name);
  /// base^name for a rational base > 0.
  static Exponent exponential(const Rational& base, const std::string& name);
  /// The normal form of an expression of plain symbols (the variables), + - * and division by constants,
  /// powers c^(affine with integer coefficients) for c > 0, small integer powers, and sums of geometric terms
  /// over a range of non-negative integers that is never shorter than empty. Empty for anything else.
  static std::optional<Exponent> from(const Expression& e);

  friend Exponent operator+(const Exponent& a, const Exponent& b);
  friend Exponent operator-(const Exponent& a, const Exponent& b);
  friend Exponent operator*(const Exponent& a, const Exponent& b);
  friend bool operator==(const Exponent& a, const Exponent& b) = default;
  friend bool operator<(const Exponent& a, const Exponent& b) { return a.terms_ < b.terms_; }

  bool is_zero() const { return terms_.empty(); }
  bool involves(const std::string& name) const;
  std::optional<Rational> constant() const;
  /// Coefficients of the variables and, under "", the constant, if it is affine with integer coefficients.
  std::optional<std::map<std::string, Integer>> affine() const;
  /// The variable replaced by an affine expression with integer coefficients (throws DomainError for any
  /// other).
  Exponent substituted(const std::string& name, const Exponent& affine) const;
  /// The sum over name = first, ..., last (affine), if its terms are geometric in the variable.
  std::optional<Exponent> summed(const std::string& name, const Exponent& first, const Exponent& last) const;
  /// a and b of a 3^v + b (3 is `base`), if it is that.
  std::optional<std::pair<Rational, Rational>> split(const Rational& base, const std::string& name) const;

  /// As a person would write it: (3^(L + 1) - 1)/2.
  Expression to_expression() const;

 private:
  /// v^degree base^v.
  struct Power {
    unsigned degree = 0;
    Rational base = 1;
    friend bool operator==(const Power& a, const Power& b) = default;
    friend bool operator<(const Power& a, const Power& b) {
      return a.degree != b.degree ? a.degree < b.degree : a.base < b.base;
    }
  };
  using Key = std::map<std::string, Power>;  // without the powers that are 1

  void add_term(const Key& key, const Rational& coefficient);
  static Key product(const Key& a, const Key& b);
  static std::optional<Exponent> power_from(const Expression& base, const Expression& exponent);
  /// The product of a key; takes powers of its bases out of the coefficient.
  static Expression written(const Key& key, Rational& coefficient);

  std::map<Key, Rational> terms_;
};

/// Whether an affine exponent cannot be negative, because no coefficient is.
bool certainly_not_negative(const Exponent& affine);

}  // namespace rankfall::theory
