#pragma once
#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// The same function of its symbols, shorter to read: rationals folded, like terms and powers collected,
/// neutral elements dropped, one fraction for each term. Wherever e has a value the result has the same
/// value; it may have one where e has none (x/x becomes 1). Nothing is multiplied out and the order of
/// writing is kept.
Expression simplify(const Expression& e);

/// Whether a and b simplify to the same tree up to the order of terms and factors: then they are equal
/// wherever both are defined. False means nothing.
bool certainly_equal(const Expression& a, const Expression& b);

}  // namespace rankfall::theory
