#include "theory/catalogue/hypotheses.hpp"

namespace rankfall::theory {

Hypothesis oscillation_hypothesis() {
  return {"1.256", "rows of E oscillate by at most 1.256 at the reference", sym("rho"), Rational(157, 125)};
}

Hypothesis small_logits_hypothesis() {
  return {"small-logits", "a res(X)^2 <= 0.628", sym("a") * pow(sym("r0"), 2), Rational(157, 250)};
}

Hypothesis never_growing_hypothesis() {
  return {"never-growing", "C res(X)^2 <= 1 for the largest C of a layer", sym("Cmax") * pow(sym("r0"), 2),
          1};
}

}  // namespace rankfall::theory
