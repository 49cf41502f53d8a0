#pragma once
#include <vector>

#include "theory/expression/expression.hpp"

namespace rankfall::theory {

// The normal form behind `simplify`: a sum of rational multiples of products of powers. What is taken apart
// here is already simplified; nothing is simplified on the way.

/// Operands of sums, products, max and min in the order of `compare`: equal for what differs only in their
/// order.
Expression ordered(const Expression& e);
bool same_up_to_order(const Expression& a, const Expression& b);

/// base^exponent; the bases of the factors of one term differ.
struct Factor {
  Expression base;
  Expression exponent;
};

/// coefficient times a product.
struct Term {
  Rational coefficient = 1;
  std::vector<Factor> factors;
};

using Terms = std::vector<Term>;

/// e as one term: signs, quotients, roots and rational constants taken apart.
Term as_term(const Expression& e);
/// e as a sum; a term of coefficient 1 or -1 that is a sum itself counts by its terms.
Terms as_terms(const Expression& e);

/// A multiple of a sum, (3^L - 1)/2 say, and what it is multiplied out; any other term alone.
bool is_multiple_of_sum(const Term& term);
Terms distributed(const Term& term);

/// Multiplies by base^exponent, merging equal bases; an integer power of a product is one of its factors.
void multiply_by(Term& term, const Expression& base, const Expression& exponent);
void multiply_by(Term& term, const Term& factor);
/// term^n for an integer n; a negative power of zero is 1/0, which absorbs every factor.
Term raised(const Term& term, const Rational& n);
/// Adds up terms with the same factors, in the order of their first appearance.
Terms collected(const Terms& terms);

/// Written as a person would: one fraction for each term, roots, minus signs in front.
Expression to_expression(const Term& term);
Expression to_expression(const Terms& terms);

}  // namespace rankfall::theory
