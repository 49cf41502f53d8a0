#pragma once
#include "theory/statement.hpp"

namespace rankfall::theory {

/// "1.256": every row of every E oscillates by at most 1.256 at the reference used.
Hypothesis oscillation_hypothesis();
/// a res(X)^2 <= 0.628, with the largest a of the layers concerned.
Hypothesis small_logits_hypothesis();
/// The largest constant C of the layers concerned satisfies C r0^2 <= 1: the minimal residual then never
/// grows.
Hypothesis never_growing_hypothesis();

/// Encloses mu, the positive root of e^x = 1 + 2x: the supremum of what may stand for 1.256 (docs/theory,
/// `perturbation`).
Ball perturbation_limit(Precision p);
Constant perturbation_constant();

}  // namespace rankfall::theory
