// Normalisation of columns and of tokens.
#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/constants.hpp"
#include "theory/catalogue/hypotheses.hpp"

namespace rankfall::theory {
namespace {

Statement column_norm() {
  const auto constant = [](std::initializer_list<std::string_view> indices) {
    const auto weighted = [&](const char* norm) {
      return sum("h", 1, sym("H"), sym("a", indices) * sym(norm, indices));
    };
    return 4 * sqrt(weighted("WLambda_1") * weighted("WLambda_inf"));
  };
  Statement s;
  s.id = "dong-layernorm";
  s.title = "Column normalisation behind the attention";
  s.words =
      "Normalising every column over the tokens multiplies the residual from the right by the diagonal "
      "Lambda of the "
      "instance (gain over deviation), so its rank does not rise, and the constants hold with W_h Lambda for "
      "W_h: where "
      "the rows of every head's E oscillate by at most 1.256, the residual at depth L is at most the chain "
      "of the "
      "layers' C = 4 sqrt(sum a_h |W_h Lambda|_1 sum a_h |W_h Lambda|_inf).";
  s.source = "Dong, Cordonnier, Loukas 2021, Section 3.3, for the scaling of the instance";
  s.proof = "normalisation.md#dong-layernorm";
  s.status = Status::proved;
  s.scope.feature = Feature::column_norm;
  s.scope.words = "any heads, any biases, no skip, a column normalisation behind each attention";
  s.references = References::propagated;
  s.hypotheses = {oscillation_hypothesis()};
  s.minimal_hypotheses = {small_logits_hypothesis(), never_growing_hypothesis()};
  s.bounds = {{.span = Bound::Span::depth,
               .quantity = Quantity::residual,
               .right = chained(constant({"l", "h"}), sym("r0")),
               .constant = constant({"h"})}};
  s.formulas = {{sym("R", {"l"}), "=", sym("R") * sym("Lambda"),
                 "R what attention leaves, R[l] what the norm makes of it"},
                {sym("rank", {"l"}), "<=", sym("rank"), "of the same two"}};
  return s;
}

/// The diameter behind a normalisation of tokens, or before one, in the three vector norms.
std::vector<Bound> lifted_bounds(const Scope& behind, const Scope& before) {
  std::vector<Bound> bounds;
  for (const auto& [quantity, p] :
       {std::pair{Quantity::diameter_1, std::string("1")}, std::pair{Quantity::diameter_2, std::string("2")},
        std::pair{Quantity::diameter_inf, std::string("inf")}}) {
    const Expression diam = sym("diam_" + p);
    bounds.push_back({.span = Bound::Span::layer,
                      .quantity = quantity,
                      .right = sym("stretch_" + p) * (sym("alpha") + diameter_rate(p)) * diam,
                      .scope = behind,
                      .variant = "post-ln"});
    // Normalised tokens lie within 2 sqrt(d) g of each other: k_2 (2 sqrt(d) g)^2 bounds their logits.
    const Expression logit = sym("k_2", {"h"}) * 4 * sym("d") * pow(sym("g"), 2);
    const Expression rate = sum("h", 1, sym("H"), sym("op_" + p, {"h"}) * tanh(logit));
    bounds.push_back({.span = Bound::Span::layer,
                      .quantity = quantity,
                      .right = sym("alpha") * diam + rate * sym("pre_stretch_" + p) * diam,
                      .scope = before,
                      .variant = "pre-ln"});
  }
  return bounds;
}

Statement token_norm() {
  Statement s;
  s.id = "layernorm-lifted";
  s.title = "Token normalisation is Lipschitz where it is defined";
  s.words =
      "Normalising tokens multiplies their distances by at most stretch_p, explicit in the deviations of the "
      "two closest "
      "to constant. Behind the attention (post-LN) it multiplies the bound of the diameter; before it "
      "(pre-LN), with "
      "largest gain g, tokens lie within 2 sqrt(d) g of each other, so that the attention rows differ by at "
      "most "
      "tanh(4 d g^2 k_2) in total variation, whatever X is.";
  s.source = "this project, after Dunkl and Williams 1964";
  s.proof = "normalisation.md#layernorm-lifted";
  s.status = Status::proved;
  s.scope.any_skip = true;
  s.scope.feature = Feature::token_norm;
  s.scope.words =
      "any heads, any biases, with and without a skip connection, a normalisation of tokens behind the "
      "attention or as "
      "its pre_norm";
  Scope before = s.scope;
  before.feature = Feature::token_pre_norm;
  s.bounds = lifted_bounds(s.scope, before);
  const Expression g = sym("g"), d = sym("d"), u = sym("varrho", {"u"}), v = sym("varrho", {"v"});
  s.formulas = {
      {sym("stretch_2"), "=", 2 * g * sqrt(d) / (u + v),
       "varrho = sqrt(|C u|_2^2 + d epsilon), C the centring; for the pair of tokens with the least sum"},
      {sym("stretch_1"), "=", 2 * (1 - 1 / d) * g * sqrt(d) * (1 + sqrt(d)) / max(u, v),
       "for the pair with the least maximum"},
      {sym("stretch_inf"), "=", sym("stretch_1")}};
  return s;
}

}  // namespace

std::vector<Statement> normalisation_statements() {
  return {column_norm(), token_norm()};
}

}  // namespace rankfall::theory
