#pragma once
#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// The derivative of e by a symbol (beta) or an entry of a family (C[k]; the derivative of C[l] by it is
/// 1 - sign(l - k)^2), simplified. Through sums and products over ranges of any length. At a kink of abs,
/// sign, max and min it is the mean of the two one-sided derivatives (of more than two arguments taken from
/// the left), at a jump of sign it is 0. Throws DomainError, naming the subexpression, where the symbol
/// stands in the limits of a range, in a binomial or in an index.
Expression differentiate(const Expression& e, const Expression& symbol);

}  // namespace rankfall::theory
