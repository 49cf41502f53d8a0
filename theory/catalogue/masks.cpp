// Causal masks: collapse is geometric.
#include "theory/catalogue/catalogue.hpp"

namespace rankfall::theory {
namespace {

Statement causal_geometric() {
  Statement s;
  s.id = "causal-geometric";
  s.title = "Under a causal mask the first two tokens approach each other geometrically";
  s.words =
      "For z the second token minus the first, a layer gives sum_h p_h W_h^T z, p_h the weight of the second "
      "token "
      "on itself. With one head |z| is at depth L at least the product of sigma_min(W) p over the layers "
      "times what "
      "it was, and the largest distance from the first token falls at least by op_p(W) (1 - the least weight "
      "on it).";
  s.source = "this project";
  s.proof = "masks.md#causal-geometric";
  s.status = Status::proved;
  s.scope.one_head = true;
  s.scope.feature = Feature::causal_mask;
  s.scope.words = "one head, any biases and score biases, no skip, a causal mask, two tokens or more";
  s.bounds = {{.span = Bound::Span::depth,
               .quantity = Quantity::first_difference,
               .right = prod("l", 0, sym("L") - 1, sym("sigma_min", {"l"}) * sym("p", {"l"})) * sym("first"),
               .from_below = true}};
  for (const auto& [quantity, p] : {std::pair{Quantity::spread_1, "1"}, std::pair{Quantity::spread_2, "2"},
                                    std::pair{Quantity::spread_inf, "inf"}})
    s.bounds.push_back(
        {.span = Bound::Span::layer,
         .quantity = quantity,
         .right = sym(std::string("op_") + p) * (1 - sym("P_first")) * sym(std::string("spread_") + p)});
  s.formulas = {{sym("z", {"l"}), "=", sum("h", 1, sym("H"), sym("p", {"h"}) * sym("WT", {"h"}) * sym("z")),
                 "any heads; z[l] behind the layer, z before it"},
                {sym("p", {"h"}), "=", 1 / (1 + exp(sym("S", {"h"}))),
                 "S[h] the score of token 2 for token 1 minus that for itself"}};
  return s;
}

}  // namespace

std::vector<Statement> mask_statements() {
  return {causal_geometric()};
}

}  // namespace rankfall::theory
