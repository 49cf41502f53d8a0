#pragma once
#include <optional>

#include "theory/expression/environment.hpp"
#include "theory/expression/expression.hpp"

namespace rankfall::theory {

struct EvaluationLimits {
  std::size_t exact_bits = 1U << 16U;  ///< a rational of more bits becomes an enclosure
  long terms = 10'000'000;             ///< of all sums and products together
};

// In all of these: 0^0 = 1; sums and products over an empty range are 0 and 1; their limits must be exact
// integers. Throws InputError for an unknown symbol (naming the nearest known) and too many terms;
// DomainError, naming the subexpression, where it is undefined: a zero divisor, the logarithm of a number
// that is not positive, ... or not known to be defined at this precision.

/// Exact as long as every part is exact and of bounded size; else an enclosure.
Value evaluate_value(const Expression& e, const Environment& environment, Precision p,
                     const EvaluationLimits& limits = {});
/// Encloses the value. Exponents are exact where they can be: r^(3^400) is enclosed as tightly as r.
Magnitude evaluate(const Expression& e, const Environment& environment, Precision p,
                   const EvaluationLimits& limits = {});
/// The value, when everything on the way is exact and of bounded size.
std::optional<Rational> evaluate_exact(const Expression& e, const Environment& environment,
                                       const EvaluationLimits& limits = {});

}  // namespace rankfall::theory
