// One layer, one head: the step from which the depth bounds are chained.
#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/hypotheses.hpp"

namespace rankfall::theory {
namespace {

Statement layer_cubic() {
  const Expression one_head = 4 * sym("a") * sym("W_c");
  Statement s;
  s.id = "layer-cubic";
  s.title = "One layer cubes the residual";
  s.words =
      "Where the rows of E oscillate by at most 1.256, the residual of one head's output about the "
      "propagated "
      "reference is at most 4 a |W_V| times the cube of the residual of its input.";
  s.source = "Dong, Cordonnier, Loukas 2021, the step behind Theorem 2.2, with its hypothesis stated";
  s.proof = "dong.md#layer-cubic";
  s.status = Status::proved;
  s.scope = {.one_head = true, .common_d_qk = false, .words = "one head, any biases, no skip"};
  s.references = References::propagated;
  s.hypotheses = {oscillation_hypothesis()};
  s.minimal_hypotheses = {small_logits_hypothesis()};
  s.bounds = {{.span = Bound::Span::layer,
               .quantity = Quantity::residual_about,
               .right = one_head * pow(sym("r0"), 3),
               .middle = {4 * sym("E1") * sym("RW")},
               .constant = one_head}};
  return s;
}

Statement small_logits() {
  Statement s;
  s.id = "small-logits";
  s.title = "Small logits at the minimiser";
  s.words =
      "Where a res(X)^2 <= 0.628, the rows of E at the minimising reference oscillate by at most 1.256.";
  s.source = "this project";
  s.proof = "dong.md#small-logits";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip";
  s.references = References::minimal;
  s.hypotheses = {small_logits_hypothesis()};
  s.bounds = {{.span = Bound::Span::layer, .quantity = Quantity::oscillation, .right = Rational(157, 125)}};
  return s;
}

/// A statement about one head's layer at a reference.
Statement one_layer(std::string id, std::string title, std::string words, std::string source,
                    std::string page) {
  Statement s;
  s.proof = page + "#" + id;
  s.id = std::move(id);
  s.title = std::move(title);
  s.words = std::move(words);
  s.source = std::move(source);
  s.status = Status::proved;
  s.scope.one_head = true;
  s.scope.words = "one head, any biases, no skip";
  s.references = References::propagated;
  return s;
}

Bound family_bound(Quantity quantity, const Expression& right, Family family) {
  return {.span = Bound::Span::layer, .quantity = quantity, .right = right, .family = family};
}

Bound residual_bound(const Expression& right) {
  return {.span = Bound::Span::layer, .quantity = Quantity::residual_about, .right = right};
}

Statement perturbation() {
  Statement s = one_layer(
      "perturbation", "Softmax under a small perturbation",
      "Where the rows of E oscillate by at most 1.256, (1 - rho_i) P_ij <= q_j <= (1 + 2 rho_i) P_ij "
      "for P the softmax of the scores and q that of the scores without E.",
      "Dong, Cordonnier, Loukas 2021, Lemma A.3, with its constant made precise", "perturbation.md");
  s.scope.one_head = false;
  s.scope.words = "every head, any biases, no skip";
  s.hypotheses = {oscillation_hypothesis()};
  s.bounds = {
      family_bound(Quantity::attention, 2 * sym("rho", {"i"}) * sym("P", {"i", "j"}), Family::perturbation)};
  const Expression P = sym("P", {"i", "j"}), q = sym("q", {"j"}), rho = sym("rho", {"i"});
  s.formulas = {{(1 - rho) * P, "<=", q, "for every entry"}, {q, "<=", (1 + 2 * rho) * P, "for every entry"}};
  s.constants = {perturbation_constant()};
  return s;
}

Statement proof_step(bool printed) {
  const Expression term = sym("q", {"k"}) * sym("RW", {"k", "j"});
  Statement s = one_layer(
      printed ? "proof-step-printed" : "proof-step",
      printed ? "The step of the proof as printed" : "The step of the proof as repaired",
      printed ? "Entry by entry, the residual of the output is at most 2 rho_i |sum_k q_k (R W_V)_kj|."
              : "Where the rows of E oscillate by at most 1.256, the residual of the output is, entry "
                "by entry, at most 2 rho_i sum_k q_k |(R W_V)_kj|.",
      printed ? "Dong, Cordonnier, Loukas 2021, proof of Theorem 2.2"
              : "this project, repair of a step in the proof of Theorem 2.2",
      "perturbation.md");
  if (printed) s.status = Status::refuted;
  s.hypotheses = {oscillation_hypothesis()};
  const Expression inner = printed ? abs(sum("k", 1, sym("n"), term))
                                   : sum("k", 1, sym("n"), sym("q", {"k"}) * abs(sym("RW", {"k", "j"})));
  s.bounds = {family_bound(Quantity::entries, 2 * sym("rho", {"i"}) * inner,
                           printed ? Family::proof_step_printed : Family::proof_step)};
  return s;
}

Statement layer_sharp() {
  Statement s = one_layer("layer-sharp", "One layer, the sharp form in oscillations",
                          "The residual of one head's output about the propagated reference is at most "
                          "sqrt(sum rho_i max rho_i)/(2 sqrt 2) times |R W_V|_{1,inf}, without a condition.",
                          "this project", "dong.md");
  s.bounds = {residual_bound(sqrt(sym("sumrho") * sym("rho")) / (2 * sqrt(Expression(2))) * sym("RW"))};
  return s;
}

Statement layer_cubic_sharp() {
  Statement s = one_layer(
      "layer-cubic-sharp", "One layer, the sharp cubic form",
      "The residual of one head's output about the propagated reference is at most "
      "sqrt(1 + phi(min(M, max rho)))/2 sqrt(|E|_1 M) |R W_V|_{1,inf}, phi(t) = (e^t - 1)/t, without "
      "a condition.",
      "this project", "dong.md");
  s.bounds = {residual_bound(sqrt(1 + sym("phi")) / 2 * sqrt(sym("E1") * sym("M")) * sym("RW"))};
  const Expression cubic = sym("a") * sym("W_c") * pow(sym("r0"), 3);
  s.formulas = {{sym("r", {"out"}), "<=", sqrt(Expression(3)) / 2 * cubic,
                 "where the rows of E oscillate by at most 1.256; r[out] the residual about the reference"},
                {sym("r", {"out"}), "<=", cubic / sqrt(Expression(2)), "the limit as the scores tend to 0"}};
  return s;
}

}  // namespace

std::vector<Statement> layer_statements() {
  return {perturbation(), proof_step(true), proof_step(false),  layer_cubic(),
          small_logits(), layer_sharp(),    layer_cubic_sharp()};
}

}  // namespace rankfall::theory
