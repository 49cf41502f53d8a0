#pragma once
#include <string_view>

#include "numerics/san/laws.hpp"

namespace rankfall {

/// Encloses beta_h = |W_QK|_1 |W|_{1,inf} of one head (docs/theory, 1).
Ball beta(const Head& head, Precision p);

/// What a head is to be scaled to: beta_h in [B (1 - 2^-40), B].
class BetaTarget {
 public:
  /// Throws InputError unless 1e-10000 <= beta <= 1e10000.
  explicit BetaTarget(const Rational& beta);

  /// Ends and middle of the interval are kept divided by 4^exponent, the middle in [1/4, 2): so a head that
  /// is scaled by 2^exponent twice at the end never leaves the range of doubles before.
  long exponent() const { return exponent_; }
  const Ball& reduced_aim() const { return aim_; }
  /// Whether 4^exponent * reduced_beta certainly lies in the interval.
  bool met_by(const Ball& reduced_beta) const;

 private:
  Ball lower_, upper_, aim_;
  long exponent_ = 0;
};

/// The drawn head with W_Q and W_V multiplied by about the same number, entries rounded to 53 bits (doubles,
/// or dyadic rationals beyond their range), such that beta_h is certified to meet the target. Throws
/// DomainError when W_QK or W is 0 as far as doubles tell, PrecisionLimit when both products cancel so much
/// that weights of 53 bits cannot meet the target; `place` names the head.
Head scaled(const DrawnHead& drawn, const BetaTarget& target, std::string_view place);

}  // namespace rankfall
