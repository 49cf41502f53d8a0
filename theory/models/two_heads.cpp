#include "theory/models/two_heads.hpp"

#include "theory/models/four_tokens.hpp"
#include "theory/models/rounded.hpp"

namespace rankfall::theory {
namespace {

constexpr unsigned long weight_bits = 60;

Head scalar_head(const Rational& w, const RationalTable& W) {
  Head head;
  head.fused = true;
  head.W_QK = ExactMatrix::from(1, 1, std::vector<Rational>{w});
  head.W = W.matrix();
  head.d_qk = 1;
  return head;
}

Ball root(const Rational& x, Precision p) {
  return sqrt(Ball(x, p), p);
}

/// 4 H beta / sqrt(d_qk) = 8 w times the larger composite of the two value maps.
Ball claimed_constant(const Rational& w, const Ball& first, const Ball& second, Precision p) {
  return mul(Ball(Rational(8 * w), p), max(first, second, p), p);
}

FourTokens tokens_of(const TwoHeadsManyTokens& model) {
  return {model.tokens, model.w, model.logit};
}

}  // namespace

TwoHeads two_heads(long m, const Rational& w, bool share_column) {
  return {m, root_below(Rational(1, m), weight_bits), w, 1, share_column};
}

Network network(const TwoHeads& model) {
  const Index width = model.share_column ? model.m : model.m + 1;
  RationalTable first(1, width), second(1, width);
  first(0, 0) = 1;
  for (Index j = width - model.m; j < width; ++j) second(0, j) = model.weight;
  AttentionBlock block;
  block.heads = {scalar_head(model.w, first), scalar_head(model.w, second)};
  return {ExactMatrix::from(2, 1, std::vector<Rational>{model.a, Rational(-model.a)}), {block}};
}

FoldedNetwork folded(const TwoHeads& model) {
  TwoHeads once = model;
  once.m = model.share_column ? 2 : 1;
  return {network(once), {}, {1, model.share_column ? model.m - 1 : model.m}};
}

Refutation against_two_heads(const TwoHeads& model, const std::string& statement_id, Precision p) {
  const Rational total = 1 + model.m * model.weight;
  const Rational largest =
      model.share_column ? Rational(1 + model.weight) : std::max(Rational(1), model.weight);
  const Ball score(Rational(model.w * model.a * model.a), p);
  const Ball left = mul(mul(Ball(model.a, p), tanh(score, p), p), root(2 * total * largest, p), p);
  const Ball second = root(model.m * model.weight * model.weight, p);
  const Ball cube = mul(Ball(Rational(2 * model.a * model.a * model.a), p), root(2, p), p);  // (sqrt2 a)^3
  const Ball right = mul(claimed_constant(model.w, Ball(1), second, p), cube, p);
  return refutation(statement_id,
                    model.share_column
                        ? "Two tokens, two heads that share one output column, every gamma 1: composites "
                          "do not add over heads."
                        : "Two tokens, two heads with outputs in different columns, every gamma 1: "
                          "composites do not add over heads.",
                    {{"a", model.a}, {"w", model.w}, {"m", Rational(model.m)}, {"weight", model.weight}},
                    Magnitude(left, p), Magnitude(right, p), true, folded(model));
}

TwoHeadsManyTokens two_heads_many_tokens(long tokens, long m, const Rational& w) {
  return {tokens, m, root_below(Rational(1, 2), weight_bits), root_below(Rational(1, 2 * m), weight_bits), w};
}

Network network(const TwoHeadsManyTokens& model) {
  RationalTable first(1, model.m + 1), others(1, model.m + 1);
  first(0, 0) = model.first;
  for (Index j = 1; j <= model.m; ++j) others(0, j) = model.others;
  const OneLayer one = layer(tokens_of(model), first), two = layer(tokens_of(model), others);
  AttentionBlock block;
  block.heads = {head(one.A, one.r, one.W), head(two.A, two.r, two.W)};
  return {one.X.matrix(), {block}};
}

FoldedNetwork folded(const TwoHeadsManyTokens& model) {
  TwoHeadsManyTokens once = model;
  once.tokens = 4;
  once.m = 1;
  return {network(once), {1, 1, 1, model.tokens - 3}, {1, model.m}};
}

Refutation against_two_heads(const TwoHeadsManyTokens& model, const std::string& statement_id, Precision p) {
  const Rational sigma = model.m * model.others / model.first;
  const Ball size = mul(Ball(model.first, p), root(one_token_bound(model.tokens, model.m, sigma), p), p);
  const Ball left = mul(attended_difference(tokens_of(model), p), size, p);
  const Ball right = claimed_constant(model.w, root(2 * model.first * model.first, p),
                                      root(2 * model.m * model.others * model.others, p), p);
  return refutation(
      statement_id,
      "Three unit tokens among zero tokens, two heads with outputs in different columns, every gamma 1: "
      "more tokens for fewer columns.",
      {{"N", Rational(model.tokens)},
       {"m", Rational(model.m)},
       {"first", model.first},
       {"others", model.others},
       {"w", model.w},
       {"logit", model.logit}},
      Magnitude(left, p), Magnitude(right, p), true, folded(model));
}

}  // namespace rankfall::theory
