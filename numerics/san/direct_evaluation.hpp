#pragma once
#include <vector>

#include "numerics/san/direct_measures.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// The measures of every state of a network by textbook evaluation at a precision that two runs agreed on.
struct DirectEvaluation {
  int digits;  ///< of agreement
  long bits;   ///< of the more precise run, whose values these are
  std::vector<DirectMeasures<Real>> states;
};

inline constexpr long direct_max_bits = 1L << 18;

/// Evaluates with as many bits as the residual needs: tokens agree to ever more digits (three times as many
/// after each attention block without skip), and every digit they share is lost. Plans from what a cheaper
/// run could see and extrapolates the rest, then doubles until two runs at different precisions differ by at
/// most 10^-digits max(1, |v|) in every measure v. Agreement is strong evidence, not proof; a residual counts
/// as exactly zero only where the wiring of the weights makes it so (constant_columns), never because it
/// rounded to zero. Throws InputError for a malformed network, DomainError unless digits >= 1, and
/// PrecisionLimit, naming the state and the bits it would take, when `max_bits` is not enough.
DirectEvaluation direct_evaluation(const Network& network, int digits, long max_bits = direct_max_bits);

/// v +- 10^-digits max(1, |v|): where the exact value is expected when two runs agreed on v to so many
/// digits. Throws DomainError for an infinite v.
Ball agreed(const Real& v, int digits);

}  // namespace rankfall
