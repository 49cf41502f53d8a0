#include "verify/certificate_claims.hpp"

#include <nlohmann/json.hpp>

namespace rankfall::verify {

const std::vector<RefutedClaim>& refuted_claims() {
  static const std::vector<RefutedClaim> all = {
      {.id = "gamma-at-the-midrange",
       .title = "Theorem 2.2 with gamma at the midrange",
       .words = "A single-head layer obeys the bound of dong-2.2 with gamma = sum-max at the midrange of its "
                "tokens and "
                "the minimal residual on both sides.",
       .quantity = "residual",
       .relation = "<=",
       .right = "4*gamma*beta/sqrt(d_qk)*res^3",
       .one_head = true,
       .propagated = true,
       .reference = "midrange",
       .gamma = "sum-max"},
      {.id = "sharp-gamma-at-the-mean",
       .title = "The sharp form of Theorem 2.2 with gamma at the mean",
       .words = "A single-head layer obeys C = min(gamma, sqrt(gamma))/sqrt(2) beta/sqrt(d_qk) with gamma = "
                "sum-max at "
                "the mean of its tokens and the minimal residual on both sides.",
       .quantity = "residual",
       .relation = "<=",
       .right = "min(gamma, sqrt(gamma))/sqrt(2)*beta/sqrt(d_qk)*res^3",
       .one_head = true,
       .propagated = true,
       .reference = "mean",
       .gamma = "sum-max"},
      {.id = "convergence-remark",
       .title = "Small weights are enough for collapse",
       .words =
           "Where 4 gamma beta is below sqrt(d_qk), the residual tends to 0 with the depth, from every "
           "input: here "
           "that it is at most that of the input. On this instance it grows from each layer to the next.",
       .quantity = "residual",
       .relation = "<=",
       .right = "r0",
       .hypothesis = "4*gamma*beta/sqrt(d_qk)",
       .hypothesis_name = "small-weights",
       .hypothesis_words = "4 gamma beta <= sqrt(d_qk)",
       .hypothesis_bound = "1",
       .one_head = true,
       .gamma = "one"},
      {.id = "dong-3.1-orthogonal",
       .title = "A skip with orthogonal outputs keeps the residual",
       .words = "A layer with skip 1 whose outputs are orthogonal to its inputs (X W X^T = 0) keeps the "
                "residual at "
                "least as large as it was.",
       .quantity = "residual",
       .relation = ">=",
       .right = "r0",
       .hypothesis = "XWX",
       .hypothesis_name = "orthogonal",
       .hypothesis_words = "X W X^T = 0 for every head",
       .hypothesis_bound = "0",
       .skip = true},
      {.id = "composite-triangle",
       .title = "The composite is subadditive",
       .words = "The composite of X + Y is at most that of X plus that of Y.",
       .quantity = "composite-of-sum",
       .relation = "<=",
       .right = "X_c + Y_c"},
      {.id = "dong-3.2-vector-norm",
       .title = "A Lipschitz constant in a vector norm bounds the residual",
       .words = "A row-wise map raises the residual by at most its Lipschitz constant in a vector norm; f(x) "
                "= max |x_l| "
                "has 1 in every p, and the residual of X is at most its composite.",
       .quantity = "residual-of-largest-entries",
       .relation = "<=",
       .right = "X_c"}};
  return all;
}

std::string statement_text(const RefutedClaim& claim) {
  using Json = nlohmann::json;
  Json hypotheses = Json::array();
  if (!claim.hypothesis.empty())
    hypotheses.push_back({{"name", claim.hypothesis_name},
                          {"words", claim.hypothesis_words},
                          {"value", claim.hypothesis},
                          {"bound", claim.hypothesis_bound}});
  const Json result = {{"id", claim.id},
                       {"title", claim.title},
                       {"words", claim.words},
                       {"source", "refuted by this project"},
                       {"status", "refuted"},
                       {"scope",
                        {{"words", claim.one_head ? "one head, one d_qk throughout" : "any heads"},
                         {"one_head", claim.one_head},
                         {"common_d_qk", claim.one_head},
                         {"skip", claim.skip},
                         {"any_skip", false}}},
                       {"references", claim.propagated ? "propagated" : "minimal"},
                       {"span", "depth"},
                       {"quantity", claim.quantity},
                       {"variant", ""},
                       {"relation", claim.relation},
                       {"middle", Json::array()},
                       {"right", claim.right},
                       {"members", nullptr},
                       {"constant", nullptr},
                       {"hypotheses", hypotheses},
                       {"hypotheses_at_the_minimal_residual", Json::array()}};
  return result.dump();
}

}  // namespace rankfall::verify
