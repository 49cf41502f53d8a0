#pragma once
#include "theory/models/one_layer.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// Against `dong-2.2` where gamma belongs to the wrong reference: tokens e_1..e_d and one zero row (d >= 4),
/// W = (0, 1, -1, 0, ...)^T, logit on tokens 2 and 3, scores w s c^T with c_3 = -1 and all other c_k = 1;
/// s = e_1 - e_4 (midrange) or e_1 (mean).
struct GammaReference {
  long dim;
  Rational w;
  Rational logit = 60;
};

/// Throw DomainError for dim < 4.
OneLayer midrange_layer(const GammaReference& model);
OneLayer mean_layer(const GammaReference& model);
/// `sum-max` about that reference, exactly: 2/d at the midrange, n/(n + d - 2) at the mean, n = d + 1.
Rational midrange_gamma(const GammaReference& model);
Rational mean_gamma(const GammaReference& model);
/// Encloses the two non-zero output tokens, of tokens 1 and 4 (docs/theory, gamma-at-the-midrange).
std::pair<Ball, Ball> midrange_output(const GammaReference& model, Precision p);
/// Encloses the non-zero output token, of token 1 (docs/theory, sharp-gamma-at-the-mean).
Ball mean_output(const GammaReference& model, Precision p);

/// Against C = 4 gamma a |W| with gamma at the midrange.
Refutation against_gamma_at_the_midrange(const GammaReference& model, Precision p);
/// Against C = min(gamma, sqrt gamma) a |W|/sqrt2 with gamma at the mean.
Refutation against_sharp_gamma_at_the_mean(const GammaReference& model, Precision p);

}  // namespace rankfall::theory
