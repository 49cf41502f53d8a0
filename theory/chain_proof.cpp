#include "theory/chain_proof.hpp"

#include "numerics/errors.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/induction.hpp"
#include "theory/power_product.hpp"

namespace rankfall::theory {
namespace {

/// The constant of one layer (with symbols [h] of its heads), at layer L of several.
Expression at_layer(const Expression& constant) {
  std::vector<Replacement> of_layer;
  for (const FreeSymbol& symbol : free_symbols(constant)) {
    if (symbol.indices == 1)
      of_layer.emplace_back(sym(symbol.name, {"h"}), sym(symbol.name, {"L", "h"}));
    else if (symbol.name == "lambda")
      of_layer.emplace_back(sym("lambda"), sym("lambda", {"L"}));
  }
  return substitute(constant, of_layer);
}

/// What the bound is a multiple of a power of.
Expression start_of(const Bound& bound) {
  for (const FreeSymbol& symbol : free_symbols(bound.right))
    if (symbol.name.starts_with("diam_") || symbol.name == "delta") return sym(symbol.name);
  return sym("r0");
}

}  // namespace

std::string not_cubic(const Bound& bound) {
  if (!bound.constant) return "";
  if (const auto proof = prove_chain(bound)) return proof->failure;
  const Expression cube = *bound.constant * pow(start_of(bound), 3);
  const Expression said = bound.prefactor ? *bound.prefactor * cube : cube;
  try {
    if (PowerProduct::from(bound.right) == PowerProduct::from(said)) return "";
  } catch (const InputError& error) {
    return error.what();
  }
  return "it is not " + to_text(said);
}

std::optional<Proof> prove_chain(const Bound& bound) {
  if (bound.span != Bound::Span::depth || !bound.constant) return std::nullopt;
  const Expression claimed = bound.prefactor ? bound.right / *bound.prefactor : bound.right;
  const Expression start = start_of(bound);
  const Proof of_layers = prove_closed_form({.constant = at_layer(*bound.constant), .start = start}, claimed);
  if (of_layers.proved()) return of_layers;
  return prove_closed_form({.constant = *bound.constant, .start = start}, claimed);
}

std::vector<Proof> prove_chaining() {
  const Expression C = sym("C"), L = sym("L"), r0 = sym("r0");
  const Expression equal = pow(C, (pow(3, L) - 1) / 2) * pow(r0, pow(3, L));
  return {prove_closed_form({.constant = C}, equal),
          prove_closed_form({.constant = sym("C", {"L"})}, chained(sym("C", {"l"}), r0)),
          prove_limit_criterion(equal, "L", C * pow(r0, 2)),
          prove_sensitivity(equal, C, (pow(3, L) - 1) / 2)};
}

}  // namespace rankfall::theory
