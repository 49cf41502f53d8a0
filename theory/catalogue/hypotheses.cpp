#include "theory/catalogue/hypotheses.hpp"

#include "numerics/root.hpp"

namespace rankfall::theory {
namespace {

Rational oscillation_allowed() {
  return {157, 125};
}

}  // namespace

Ball perturbation_limit(Precision p) {
  return positive_root(  // concave, 0 at 0 and rising there
      [p](const Ball& x) { return sub(add(Ball(1), scale(x, 1L), p), exp(x, p), p); }, p);
}

Constant perturbation_constant() {
  return {"mu", "the positive root of e^x = 1 + 2x, beyond which e^x - 1 <= 2x fails", perturbation_limit,
          oscillation_allowed()};
}

Hypothesis oscillation_hypothesis() {
  return {"1.256", "rows of E oscillate by at most 1.256 at the reference", sym("rho"),
          oscillation_allowed()};
}

Hypothesis small_logits_hypothesis() {
  return {"small-logits", "a res(X)^2 <= 0.628", sym("a") * pow(sym("r0"), 2), Rational(157, 250)};
}

Hypothesis never_growing_hypothesis() {
  return {"never-growing", "C res(X)^2 <= 1 for the largest C of a layer", sym("Cmax") * pow(sym("r0"), 2),
          1};
}

}  // namespace rankfall::theory
