// This project's theorems: diameters need no reference, no gamma and no condition on logits.
#include <tuple>

#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/constants.hpp"

namespace rankfall::theory {
namespace {

const Expression head_count = sym("H");

std::vector<std::pair<Quantity, std::string>> diameters_by_norm() {
  return {{Quantity::diameter_1, "1"}, {Quantity::diameter_2, "2"}, {Quantity::diameter_inf, "inf"}};
}

Statement composite_diameter() {
  const Expression t = tanh(sym("a", {"h"}) * pow(sym("delta"), 2) / 4);
  const auto rate = [&](const char* norm) { return sum("h", 1, head_count, sym(norm, {"h"}) * t); };
  Statement s;
  s.id = "composite-diameter";
  s.title = "The composite diameter falls by tanh";
  s.words =
      "One layer multiplies the composite diameter by at most sqrt(sum |W_h|_1 t_h sum |W_h|_inf t_h), "
      "t_h = tanh(a_h delta^2/4); chained, the residual at depth L is at most sqrt(n-1) times the chain of "
      "C = sqrt(sum a_h |W_h|_1 sum a_h |W_h|_inf)/2, which is beta/(2 sqrt(d_qk)) for one head.";
  s.source = "this project";
  s.proof = "diameter.md#composite-diameter";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip, no condition";
  s.references = References::minimal;
  s.bounds = {{.span = Bound::Span::layer,
               .quantity = Quantity::composite_diameter,
               .right = sqrt(rate("W_1") * rate("W_inf")) * sym("delta")},
              {.span = Bound::Span::depth,
               .quantity = Quantity::residual,
               .right = sqrt(sym("n") - 1) * chained(head_constant({"l", "h"}) / 2, sym("r0")),
               .constant = head_constant({"h"}) / 2,
               .prefactor = sqrt(sym("n") - 1)}};
  return s;
}

Statement diameter() {
  Statement s;
  s.id = "diameter";
  s.title = "The diameter falls by tanh";
  s.words =
      "One layer multiplies the diameter in the vector norm p by at most sum_h op_p(W_h) tanh(k_h diam_p^2), "
      "k_h = bil_p(W_QK,h)/(4 sqrt(d_qk)); p is 1, 2 or inf.";
  s.source = "this project";
  s.proof = "diameter.md#diameter";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip, no condition";
  for (const auto& [quantity, p] :
       {std::pair{Quantity::diameter_1, "1"}, std::pair{Quantity::diameter_2, "2"},
        std::pair{Quantity::diameter_inf, "inf"}}) {
    s.bounds.push_back({.span = Bound::Span::layer,
                        .quantity = quantity,
                        .right = diameter_rate(p) * sym(std::string("diam_") + p)});
  }
  return s;
}

Statement diameter_cubic() {
  Statement s;
  s.id = "diameter-cubic";
  s.title = "The diameter is cubed";
  s.words =
      "One layer brings the diameter in the vector norm p to at most C diam_p^3, C = sum_h op_p(W_h) k_h; "
      "chained, "
      "at depth L to at most the chain of the layers' C.";
  s.source = "this project";
  s.proof = "diameter.md#diameter-cubic";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip, no condition";
  for (const auto& [quantity, p] : diameters_by_norm()) {
    const auto constant = [&p = p](std::initializer_list<std::string_view> indices) {
      return sum("h", 1, head_count, sym("op_" + p, indices) * sym("k_" + p, indices));
    };
    s.bounds.push_back({.span = Bound::Span::depth,
                        .quantity = quantity,
                        .right = chained(constant({"l", "h"}), sym("diam_" + p)),
                        .constant = constant({"h"})});
  }
  return s;
}

Statement global_collapse() {
  Statement s;
  s.id = "global-collapse";
  s.title = "Collapse from every input";
  s.words =
      "Where sum_h op_p(W_h) tanh(k_h D_0^2) is below 1 in every layer, D_0 the diameter of the input, the "
      "diameter "
      "never grows and falls at depth L at least by the product of these factors: to 0 if they stay away "
      "from 1.";
  s.source = "this project";
  s.proof = "diameter.md#global-collapse";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip";
  for (const auto& [quantity, p] : diameters_by_norm()) {
    const Expression diam = sym("diam_" + p),
                     factor =
                         sum("h", 1, head_count,
                             sym("op_" + p, {"l", "h"}) * tanh(sym("k_" + p, {"l", "h"}) * pow(diam, 2)));
    s.bounds.push_back(
        {.span = Bound::Span::depth,
         .quantity = quantity,
         .right = prod("l", 0, sym("L") - 1, factor) * diam,
         .hypotheses = {{"contracting-" + p, "sum_h op_p(W_h) tanh(k_h D_0^2) <= 1 in every layer",
                         sym("rate_" + p), 1}}});
  }
  return s;
}

Statement leading_order() {
  Statement s;
  s.id = "leading-order";
  s.title = "The leading order and how far it can be off";
  s.words =
      "Every token's residual is within sum_h rho_i^2/(12 sqrt 3) diam_p(R W_h) of its leading order "
      "R A R^T (diag q - q q^T) R W: collapse is at most cubic where the leading order is not zero.";
  s.source = "this project";
  s.proof = "diameter.md#leading-order";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip, no condition";
  s.references = References::propagated;
  for (const auto& [family, quantity, p] :
       {std::tuple{Family::leading_order_1, Quantity::beyond_leading_order_1, "1"},
        std::tuple{Family::leading_order_2, Quantity::beyond_leading_order_2, "2"},
        std::tuple{Family::leading_order_inf, Quantity::beyond_leading_order_inf, "inf"}})
    s.bounds.push_back({.span = Bound::Span::layer,
                        .quantity = quantity,
                        .right = sum("h", 1, head_count,
                                     pow(sym("rho", {"i", "h"}), 2) / (12 * sqrt(Expression(3))) *
                                         sym(std::string("diam_") + p + "RW", {"h"})),
                        .family = family});
  const Expression lead = sym("Lead", {"i"}), other = sym("Lead", {"k"}),
                   remainder =
                       (pow(sym("rho", {"i"}), 2) + pow(sym("rho", {"k"}), 2)) / (12 * sqrt(Expression(3)));
  s.formulas = {
      {lead, "=", sym("R", {"i"}) * sym("A") * sym("RT") * sym("Cov") * sym("R") * sym("W"),
       "of each head; RT the transpose of R, Cov = diag q - q q^T"},
      {sym("diam", {"out"}), ">=", abs(lead - other) - remainder * sym("diam", {"RW"}),
       "for every pair of tokens, in each vector norm: collapse is at most cubic where Lead is not 0"}};
  return s;
}

Statement dobrushin() {
  Statement s;
  s.id = "dobrushin";
  s.title = "Attention mixes every column";
  s.words =
      "One head's attention brings the oscillation of every column k of X to at most tau(P) times itself, "
      "tau half the "
      "largest distance of two rows of P; where every query sees the same keys, tau is at most "
      "tanh(max_{i,i'} range_j(E_ij - E_i'j)/4), E with the score biases that depend on the query.";
  s.source = "this project, after Dobrushin 1956";
  s.proof = "masks.md#dobrushin";
  s.status = Status::proved;
  s.scope.one_head = true;
  s.scope.scores = Scores::equal_supports;
  s.scope.words =
      "one head, any biases, no skip, any score biases; the first bound under any mask, the second where "
      "every query sees the same keys";
  s.references = References::propagated;
  Scope any_mask = s.scope;
  any_mask.scores = Scores::any;
  s.bounds = {{.span = Bound::Span::layer,
               .quantity = Quantity::column_oscillation,
               .right = sym("tau") * sym("osc", {"k"}),
               .family = Family::dobrushin_rows,
               .scope = any_mask,
               .variant = "by-attention"},
              {.span = Bound::Span::layer,
               .quantity = Quantity::column_oscillation,
               .right = tanh(sym("range") / 4) * sym("osc", {"k"}),
               .family = Family::dobrushin,
               .variant = "by-scores"}};
  return s;
}

}  // namespace

std::vector<Statement> diameter_statements() {
  return {composite_diameter(), diameter(),      diameter_cubic(),
          global_collapse(),    leading_order(), dobrushin()};
}

}  // namespace rankfall::theory
