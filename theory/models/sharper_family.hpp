#pragma once
#include <array>

#include "theory/models/one_layer.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// Movers with one logit.
struct MoverGroup {
  long count;
  Rational logit;
};

/// The sharper family against `dong-2.2-v1` (docs/theory, sharper-family): tokens e_0 (hub), e_1, e_2 (far),
/// e_3, ... (movers, in the order of their groups) and zero rows; A_kk = t for k >= 1, A_10 = A_20 = -t/2; W
/// sends e_0, e_1, e_2 to three outputs and the rest to 0; logits by r, 0 for the zero rows.
struct SharperFamily {
  long tokens;
  Rational hub = 60, far, t;
  std::vector<MoverGroup> movers;

  long mover_count() const;
  long zero_rows() const { return tokens - 3 - mover_count(); }
};

/// The family in the form with one logit per mover (docs/theory, one-logit-per-mover): movers at
/// c_i = max(c_min, sqrt(K/(1 - 2(i - 1/2)/n)) - u) while below q_0, their logits rounded to multiples of
/// 10^-4.
struct MoverProfile {
  long tokens;
  Rational far, t, q_0, c_min, K, u;
  Rational hub = 60;
};
SharperFamily family(const MoverProfile& profile);

/// Throws DomainError without movers or with a negative number of zero rows.
OneLayer layer(const SharperFamily& family);

/// The same layer by its classes.
UnitTokens unit_tokens(const SharperFamily& family);

/// `count` equal tokens of the output P X W.
struct OutputTokens {
  long count;
  std::array<Ball, 3> value;
};
/// Encloses the output, class by class: hub and zero rows together, far 1, far 2, then the groups of movers.
/// The zero rows' weight is part of it.
std::vector<OutputTokens> output(const SharperFamily& family, Precision p);
/// Encloses a lower bound of the output's residual: the column bound of column 0 with the pairs of far and
/// hub tokens.
Ball residual_bound(const SharperFamily& family, Precision p);
/// Right side at most 4t, the residual being at most 1 about the reference 0.
Refutation against_sharper_family(const SharperFamily& family, Precision p);
/// The same for network_without_biases(layer(family), c): right side at most 4 (t + max|r|/c).
Refutation against_sharper_family_without_biases(const SharperFamily& family, const Rational& c, Precision p);

}  // namespace rankfall::theory
