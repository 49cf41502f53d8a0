#pragma once
#include "numerics/san/network.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// n = 2, d = d_qk = 1, tokens +-a, every layer with score weight w and value weight v: a' = v a tanh(w a^2).
/// Every named gamma is 1 and beta = |w v|. All three positive.
struct ScalarModel {
  Rational a, w, v;
};

Network network(const ScalarModel& model, std::size_t depth);
/// Encloses a_0, ..., a_depth. The composite residual of state k is sqrt2 a_k.
std::vector<Magnitude> tokens(const ScalarModel& model, std::size_t depth, Precision p);
/// Encloses the fixed point a* = sqrt(artanh(1/v)/w): smaller tokens shrink for ever, larger ones grow for
/// ever. Throws DomainError unless v > 1 and w > 0.
Ball threshold(const ScalarModel& model, Precision p);
/// Encloses left/right of `layer-cubic` on the first layer, tanh(w a^2)/(8 w a^2).
Ball layer_cubic_quotient(const ScalarModel& model, Precision p);

/// Against `convergence-remark`: 4 gamma beta < sqrt(d_qk), yet the residual of state `depth` exceeds the
/// first. As a -> v a tanh(w a^2) increases, it then grows from each layer to the next.
Refutation against_convergence_remark(const ScalarModel& model, std::size_t depth, Precision p);
/// Against `proof-step-printed`: q^T R = 0 makes its right side an exact zero. Needs rho = 2 w a^2 <= 1.256.
Refutation against_printed_proof_step(const ScalarModel& model, Precision p);

}  // namespace rankfall::theory
