#pragma once
#include "numerics/san/network.hpp"
#include "theory/models/refutation.hpp"

namespace rankfall::theory {

/// Two tokens +-a in one dimension, two heads with score weight w, d_qk = 1: W_1 = e_1^T, W_2 has `weight` in
/// m columns, the first of them shared with W_1 or not (docs/theory, two-heads-two-tokens).
struct TwoHeads {
  long m;
  Rational weight;  ///< at most m^-1/2, so that the second composite is at most 1
  Rational w;
  Rational a = 1;
  bool share_column = false;
};

/// As above with the weight a multiple of 2^-60 just below m^-1/2 (exact when that is one), a double for m >=
/// 256.
TwoHeads two_heads(long m, const Rational& w, bool share_column = false);

Network network(const TwoHeads& model);
/// The same with equal columns once.
FoldedNetwork folded(const TwoHeads& model);
/// Against `dong-2.3-v1` or, with every gamma 1, `dong-2.3`. Both sides are exact: left = sqrt(|z|_1
/// |z|_inf/2), z the difference of the new tokens.
Refutation against_two_heads(const TwoHeads& model, const std::string& statement_id, Precision p);

/// The tokens and scores of FourTokens in both heads, W_h = (0, 1, -1)^T u_h, u_1 = first e_1, u_2 = others
/// in m other columns (docs/theory, two-heads-many-tokens).
struct TwoHeadsManyTokens {
  long tokens, m;
  Rational first, others;  ///< at most 2^-1/2 and (2m)^-1/2
  Rational w;
  Rational logit = 60;
};

/// As above with weights multiples of 2^-60 just below the roots.
TwoHeadsManyTokens two_heads_many_tokens(long tokens, long m, const Rational& w);

Network network(const TwoHeadsManyTokens& model);
/// The same with equal tokens and equal columns once.
FoldedNetwork folded(const TwoHeadsManyTokens& model);
/// Against `dong-2.3-v1` or `dong-2.3`; the left side by one_token_bound.
Refutation against_two_heads(const TwoHeadsManyTokens& model, const std::string& statement_id, Precision p);

}  // namespace rankfall::theory
