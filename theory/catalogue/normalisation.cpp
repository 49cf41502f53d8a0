// Normalisation of columns and of tokens.
#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/constants.hpp"
#include "theory/catalogue/hypotheses.hpp"

namespace rankfall::theory {
namespace {

Statement column_norm() {
  const Expression constant = 4 * sym("a") * sym("WLambda_c");
  Statement s;
  s.id = "dong-layernorm";
  s.title = "Column normalisation behind the attention";
  s.words =
      "Normalising every column over the tokens multiplies the residual from the right by the diagonal "
      "Lambda of "
      "the instance (gain over deviation): its rank does not rise, and every constant of one layer holds "
      "with "
      "W_h Lambda, of composite WLambda_c, in place of W_h.";
  s.source = "Dong, Cordonnier, Loukas 2021, Section 3.3, for the scaling of the instance";
  s.proof = "normalisation.md#dong-layernorm";
  s.status = Status::proved;
  s.scope.one_head = true;
  s.scope.feature = Feature::column_norm;
  s.scope.words = "one head, any biases, no skip, a column norm behind the attention";
  s.references = References::propagated;
  s.hypotheses = {oscillation_hypothesis()};
  s.bounds = {{.span = Bound::Span::layer,
               .quantity = Quantity::residual_about,
               .right = constant * pow(sym("r0"), 3),
               .constant = constant}};
  s.formulas = {{sym("R", {"l"}), "=", sym("R") * sym("Lambda"),
                 "R what attention leaves, R[l] what the norm makes of it"},
                {sym("rank", {"l"}), "<=", sym("rank"), "of the same two"}};
  return s;
}

Statement token_norm() {
  const Expression g = sym("g"), d = sym("d"), u = sym("varrho", {"u"}), v = sym("varrho", {"v"});
  Statement s;
  s.id = "layernorm-lifted";
  s.title = "Token normalisation is Lipschitz where it is defined";
  s.words =
      "Token normalisation with largest gain g, behind the attention, multiplies the diameter bound by "
      "stretch_p, "
      "the largest over pairs of tokens u, v of an explicit constant in varrho = sqrt(|C u|_2^2 + d "
      "epsilon), "
      "C the centring; also with epsilon = 0.";
  s.source = "this project, after Dunkl and Williams 1964";
  s.proof = "normalisation.md#layernorm-lifted";
  s.status = Status::proved;
  s.scope.feature = Feature::token_norm;
  s.scope.words = "any heads, any biases, no skip, token normalisation behind the attention";
  for (const auto& [quantity, p] :
       {std::pair{Quantity::diameter_1, "1"}, std::pair{Quantity::diameter_2, "2"},
        std::pair{Quantity::diameter_inf, "inf"}})
    s.bounds.push_back(
        {.span = Bound::Span::layer,
         .quantity = quantity,
         .right = sym(std::string("stretch_") + p) * diameter_rate(p) * sym(std::string("diam_") + p)});
  s.formulas = {
      {sym("stretch_2"), "=", 2 * g * sqrt(d) / (u + v), "for the pair of tokens with the least sum"},
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
