#pragma once
#include <string>

#include "theory/proof.hpp"

namespace rankfall::theory {

// Symbolic proofs about bounds that follow from r_{l+1} <= C_l r_l^3. Whatever a bound is a product of powers
// of (the proof lists it) is taken to be positive, and the depth to be a non-negative integer; the identities
// are decided in the normal form of power_product.hpp, so what is proved holds for all such values at once.

/// r_{L+1} <= constant r_L^3 from r_0 = start; the constant may depend on the depth: C[L].
struct CubicRecursion {
  Expression constant;
  Expression start = sym("r0");
  std::string depth = "L";
};

/// r_L <= claimed, by induction: claimed(0) = start and constant claimed(L)^3 = claimed(L + 1), as identities
/// of the exponents of every base. Not proved when one fails or a side has no normal form.
Proof prove_closed_form(const CubicRecursion& recursion, const Expression& claimed);

/// M^2 of a bound K M^(3^L), which tends to 0 exactly when M^2 < 1, and stays at or above K otherwise. Throws
/// InputError when the bound is not of that form.
Expression contraction_rate(const Expression& bound, const std::string& depth);
/// That `claimed` (C r0^2) is that quantity.
Proof prove_limit_criterion(const Expression& bound, const std::string& depth, const Expression& claimed);

/// d log(bound) / d log(symbol), the exponent of the symbol; for an entry C[k] of a family whose members
/// stand in a product over l, its exponent there (k among the values of l). Throws InputError when the symbol
/// also stands inside a sum or a function, or the bound has no normal form.
Expression sensitivity(const Expression& bound, const Expression& symbol);
Proof prove_sensitivity(const Expression& bound, const Expression& symbol, const Expression& claimed);

}  // namespace rankfall::theory
