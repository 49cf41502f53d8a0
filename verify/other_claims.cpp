#include "verify/other_claims.hpp"

#include <algorithm>

namespace rankfall::verify {

using theory::Status;

const std::vector<OtherClaim>& other_claims() {
  static const std::vector<OtherClaim> claims = {
      {"dong-2.2-v1-few-tokens",
       "Theorem 2.2 as first printed, for few tokens",
       Status::proved,
       "One layer of one head, as printed without a condition on logits, for at most 1381 tokens",
       "this project, of Theorem 2.2 (v1) of the paper",
       "dong.md#small-n",
       {}},
      {"dong-2.2-v1-deep",
       "Theorem 2.2 as first printed, from two layers on",
       Status::proved,
       "Two layers or more of one head, as printed without a condition on logits, for at most 1 + 8^(3^L - "
       "1) "
       "tokens: 16777217 at depth 2",
       "this project, of Theorem 2.2 (v1) of the paper",
       "dong.md#dong-2.2-v1",
       {}},
      {"dong-2.2-v1-between",
       "Theorem 2.2 as first printed, between what is proved and what is refuted",
       Status::open,
       "One layer of one head, as printed without a condition on logits, for 1382 to 3567 tokens; two layers "
       "or "
       "more, for more than 1 + 8^(3^L - 1) tokens",
       "this project, of Theorem 2.2 (v1) of the paper",
       "dong.md#dong-2.2-v1",
       {"dong-2.2", "composite-diameter"}},
      {"composite-triangle",
       "The composite is a norm",
       Status::refuted,
       "The composite norm is subadditive",
       "implied by the proof of Theorem 2.3 of the paper",
       "README.md",
       {"dong-2.3-repaired"}},
      {"dong-3.1-orthogonal",
       "Orthogonal outputs keep the residual",
       Status::refuted,
       "A skip connection with outputs orthogonal to the inputs keeps the residual",
       "a reading of Section 3.1 of the paper",
       "refutations.md#dong-3.1-orthogonal",
       {"dong-3.1-skip", "diameter-skip"}},
      {"dong-3.2-vector-norm",
       "A Lipschitz constant in a vector norm",
       Status::refuted,
       "A row-wise map raises the residual by at most its Lipschitz constant in a vector norm",
       "a reading of Section 3.2 of the paper",
       "mlp.md#dong-3.2-mlp",
       {"dong-3.2-mlp", "diameter-mlp"}},
      {"gamma-at-the-midrange",
       "Gamma at the midrange",
       Status::refuted,
       "dong-2.2 holds with gamma sum-max taken at the midrange of each state",
       "a variant",
       "refutations.md#gamma-at-the-midrange",
       {"dong-2.2"}},
      {"sharp-gamma-at-the-mean",
       "The sharp constant with gamma at the mean",
       Status::refuted,
       "The sharp constant of dong-2.2 holds with gamma at the mean of each state",
       "a variant",
       "refutations.md#sharp-gamma-at-the-mean",
       {"dong-2.2"}},
  };
  return claims;
}

const OtherClaim* find_other_claim(std::string_view id) {
  const auto& all = other_claims();
  const auto found = std::ranges::find(all, id, &OtherClaim::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace rankfall::verify
