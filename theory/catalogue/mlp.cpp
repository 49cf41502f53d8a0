// Row-wise MLP blocks after each layer: every bound is multiplied by how much they can stretch.
#include "numerics/slope.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/constants.hpp"
#include "theory/catalogue/hypotheses.hpp"

namespace rankfall::theory {
namespace {

/// The Lipschitz constants of the activations that exceed 1.
std::vector<Constant> steepest_slopes() {
  return {{"Lip(gelu)", "the largest slope of gelu",
           [](Precision p) { return Slope(Activation::gelu, p).lipschitz(); }},
          {"Lip(gelu_tanh)", "the largest slope of gelu_tanh",
           [](Precision p) { return Slope(Activation::gelu_tanh, p).lipschitz(); }},
          {"Lip(silu)", "the largest slope of silu",
           [](Precision p) { return Slope(Activation::silu, p).lipschitz(); }}};
}

Statement with_mlp(std::string id, std::string title, std::string words, std::string source) {
  Statement s;
  s.proof = "mlp.md#" + id;
  s.id = std::move(id);
  s.title = std::move(title);
  s.words = std::move(words);
  s.source = std::move(source);
  s.status = Status::proved;
  s.scope.mlp = true;
  s.constants = steepest_slopes();
  return s;
}

Statement one_head() {
  const auto constant = [](const Expression& lambda) {
    return 4 * sym("gamma") * sym("beta") * lambda / sqrt(sym("d_qk"));
  };
  Statement s =
      with_mlp("dong-3.2-mlp", "MLP blocks after each layer",
               "A single-head network with row-wise MLP blocks after each layer obeys the bound of dong-2.2 "
               "with C multiplied by lambda = |Mf|_{1,inf}, the entries of Mf bounding the slopes of the "
               "blocks on the tokens and the reference.",
               "Dong, Cordonnier, Loukas, arXiv 2103.03404, Section 3.2, lambda as repaired by this project");
  s.scope.one_head = true;
  s.scope.common_d_qk = true;
  s.scope.words =
      "one head, one d_qk throughout, any biases, no skip around attention, MLP blocks after layers";
  s.references = References::propagated;
  s.uses_gamma = true;
  s.bounds = {{.span = Bound::Span::depth,
               .quantity = Quantity::residual,
               .right = chained(constant(sym("lambda", {"l"})), sym("r0")),
               .constant = constant(sym("lambda"))}};
  return s;
}

Statement many_heads() {
  Statement s =
      with_mlp("dong-3.2-repaired", "MLP blocks after each layer, any heads",
               "Where the rows of every head's E oscillate by at most 1.256, the bound of dong-2.3-repaired "
               "holds with the C of each layer multiplied by lambda = |Mf|_{1,inf}.",
               "this project");
  s.scope.words = "any heads, any biases, no skip around attention, MLP blocks after layers";
  s.references = References::propagated;
  s.hypotheses = {oscillation_hypothesis()};
  s.bounds = {{.span = Bound::Span::depth,
               .quantity = Quantity::residual,
               .right = chained(4 * head_constant({"l", "h"}) * sym("lambda", {"l"}), sym("r0")),
               .constant = 4 * head_constant({"h"}) * sym("lambda")}};
  return s;
}

Statement diameter_mlp() {
  Statement s =
      with_mlp("diameter-mlp", "The diameter with MLP blocks",
               "A layer followed by MLP blocks multiplies the diameter in the vector norm p by at most "
               "lambda_p sum_h op_p(W_h) tanh(k_h diam_p^2), lambda_p a Lipschitz constant of the blocks in "
               "that norm.",
               "this project");
  s.scope.words = "any heads, any biases, no skip around attention, MLP blocks after layers, no condition";
  for (const auto& [quantity, p] :
       {std::pair{Quantity::diameter_1, "1"}, std::pair{Quantity::diameter_2, "2"},
        std::pair{Quantity::diameter_inf, "inf"}})
    s.bounds.push_back(
        {.span = Bound::Span::layer,
         .quantity = quantity,
         .right = sym(std::string("lambda_") + p) * diameter_rate(p) * sym(std::string("diam_") + p)});
  return s;
}

}  // namespace

std::vector<Statement> mlp_statements() {
  return {one_head(), many_heads(), diameter_mlp()};
}

}  // namespace rankfall::theory
