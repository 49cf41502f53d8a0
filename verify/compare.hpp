#pragma once
#include "verify/decide.hpp"

namespace rankfall::verify {

/// How two sides stand to each other.
struct Comparison {
  Verdict verdict = Verdict::inconclusive;  ///< proved, refuted or inconclusive
  std::string reason;  ///< of an inconclusive one: precision, minimal-residual-gap, equality
};

/// Decides left <= right for numbers between two bounds: proved when the upper bound of left is certainly at
/// most the lower bound of right, refuted when the lower bound of left certainly exceeds the upper bound of
/// right.
Comparison compare(const Bracket& left, const Bracket& right, Precision p);

/// bound - value. An end of which only the sign can be told, since no ball has its exponent, is zero or
/// infinite.
Span margin(const Bracket& value, const Bracket& bound, Precision p);

/// log10(right) - log10(left), in decades; infinite ends where a side may be or is zero.
Span slack_decades(const Bracket& left, const Bracket& right, Precision p);

/// (left/right)^(2/(3^depth - 1)): implied over stated constant. Empty when a side is or may be zero.
std::optional<Span> looseness(const Bracket& left, const Bracket& right, std::size_t depth, Precision p);

}  // namespace rankfall::verify
