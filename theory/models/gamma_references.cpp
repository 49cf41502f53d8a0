#include "theory/models/gamma_references.hpp"

#include "numerics/errors.hpp"
#include "theory/models/four_tokens.hpp"

namespace rankfall::theory {
namespace {

/// Everything but the scores.
OneLayer frame(const GammaReference& model) {
  const Index d = model.dim;
  if (d < 4)
    throw DomainError("the model of a gamma at a reference has dim " + std::to_string(d) +
                      ": at least 4 is needed");
  OneLayer layer{RationalTable(d + 1, d), RationalTable(d, d),
                 std::vector<Rational>(static_cast<std::size_t>(d)), RationalTable(d, 1)};
  for (Index k = 0; k < d; ++k) layer.X(k, k) = 1;
  layer.r[1] = layer.r[2] = model.logit;
  layer.W(1, 0) = 1;
  layer.W(2, 0) = -1;
  return layer;
}

void add_scores(OneLayer& layer, Index row, const Rational& w) {
  for (Index k = 0; k < layer.A.cols(); ++k) layer.A(row, k) = k == 2 ? Rational(-w) : w;
}

/// The output of a token whose scores are x c^T: weights e^(logit +- x) on tokens 2 and 3, e^x on the other d
/// - 2 unit tokens, 1 on the zero row.
Ball attended(const GammaReference& model, const Rational& x, Precision p) {
  const Ball score(x, p);
  Ball cosh;
  arb_cosh(cosh.raw(), score.raw(), p.bits);
  const Ball others = add(mul(Ball(model.dim - 2), exp(score, p), p), Ball(1), p);
  const Ball weight = mul(others, exp(Ball(Rational(-model.logit), p), p), p);
  return div(tanh(score, p), add(Ball(1), div(weight, scale(cosh, 1), p), p), p);
}

std::vector<Parameter> parameters(const GammaReference& model, const Rational& gamma) {
  return {{"d", Rational(model.dim)},
          {"n", Rational(model.dim + 1)},
          {"w", model.w},
          {"logit", model.logit},
          {"gamma", gamma}};
}

}  // namespace

OneLayer midrange_layer(const GammaReference& model) {
  OneLayer layer = frame(model);
  add_scores(layer, 0, model.w);
  add_scores(layer, 3, Rational(-model.w));
  return layer;
}

OneLayer mean_layer(const GammaReference& model) {
  OneLayer layer = frame(model);
  add_scores(layer, 0, model.w);
  return layer;
}

Rational midrange_gamma(const GammaReference& model) {
  return Rational(2, model.dim);
}

Rational mean_gamma(const GammaReference& model) {
  return Rational(model.dim + 1, 2 * model.dim - 1);
}

std::pair<Ball, Ball> midrange_output(const GammaReference& model, Precision p) {
  return {attended(model, model.w, p), attended(model, Rational(-model.w), p)};
}

Ball mean_output(const GammaReference& model, Precision p) {
  return attended(model, model.w, p);
}

Refutation against_gamma_at_the_midrange(const GammaReference& model, Precision p) {
  const auto [high, low] = midrange_output(model, p);
  // One column with two non-zero entries of both signs among five or more: m_1 = high - low, m_inf = half of
  // that.
  const Ball root_two = sqrt(Ball(2), p), left = div(sub(high, low, p), root_two, p);
  const Rational gamma = midrange_gamma(model);
  const Ball right = mul(Ball(Rational(4 * gamma * 2 * model.w), p), root_two, p);
  return refutation("gamma-at-the-midrange",
                    "One layer in which the midrange makes sum-max small: tokens e_1..e_d and 0.",
                    parameters(model, gamma), Magnitude(left, p), Magnitude(right, p), true,
                    FoldedNetwork{network(midrange_layer(model))});
}

Refutation against_sharp_gamma_at_the_mean(const GammaReference& model, Precision p) {
  const Rational gamma = mean_gamma(model);  // below 1, so that it is the smaller of gamma and its root
  const Ball size = sqrt(Ball(one_token_bound(model.dim + 1, 0, 0), p), p);
  return refutation(
      "sharp-gamma-at-the-mean",
      "One layer whose sum-max at the mean is below that at the minimiser: tokens e_1..e_d and 0.",
      parameters(model, gamma), Magnitude(mul(mean_output(model, p), size, p), p),
      Magnitude(Rational(gamma * model.w), p), true, FoldedNetwork{network(mean_layer(model))});
}

}  // namespace rankfall::theory
