// The paper's depth bounds, as printed and as repaired.
#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/constants.hpp"
#include "theory/catalogue/hypotheses.hpp"

namespace rankfall::theory {
namespace {

const Expression L = sym("L"), r0 = sym("r0"), beta = sym("beta"), gamma = sym("gamma"), d_qk = sym("d_qk"),
                 heads = sym("H");

/// C^((3^L-1)/2) r0^(3^L)
Expression cubic(const Expression& constant) {
  return pow(constant, (pow(3, L) - 1) / 2) * pow(r0, pow(3, L));
}

Bound depth_bound(const Expression& right, const Expression& constant) {
  return {.span = Bound::Span::depth, .quantity = Quantity::residual, .right = right, .constant = constant};
}

Statement printed(std::string id, std::string words, std::string source, const Expression& constant) {
  Statement s;
  s.proof = "dong.md#" + id;
  s.id = std::move(id);
  s.words = std::move(words);
  s.source = std::move(source);
  s.references = References::minimal;
  s.scope.common_d_qk = true;
  s.bounds = {depth_bound(cubic(constant), constant)};
  return s;
}

Statement single_head_v1() {
  Statement s =
      printed("dong-2.2-v1",
              "A single-head network's residual at depth L is at most "
              "(4 beta/sqrt(d_qk))^((3^L-1)/2) res(X)^(3^L), as printed without a condition on logits.",
              "Dong, Cordonnier, Loukas, arXiv 2103.03404 v1, Theorem 2.2", 4 * beta / sqrt(d_qk));
  s.title = "Theorem 2.2 as first printed";
  s.words +=
      " Refuted for one layer from 3568 tokens on; true where rows of E oscillate by at most 1.256, for one "
      "layer "
      "of at most 1381 tokens, and from two layers on for at most 1 + 8^(3^L-1) tokens; open between.";
  s.status = Status::refuted;
  s.scope.one_head = true;
  s.scope.words = "one head, one d_qk throughout, any biases, no skip";
  return s;
}

Statement single_head() {
  Statement s =
      printed("dong-2.2",
              "A single-head network's residual at depth L is at most (4 gamma beta/sqrt(d_qk))^((3^L-1)/2) "
              "res(X)^(3^L). True for gamma sum-max or max-ratio of each layer at the propagated references.",
              "Dong, Cordonnier, Loukas, arXiv 2103.03404 v2, Theorem 2.2", 4 * gamma * beta / sqrt(d_qk));
  s.title = "Theorem 2.2 with gamma";
  s.formulas = {{sym("r", {"L"}),
                 "<=", cubic(min(gamma, sqrt(gamma)) / sqrt(Expression(2)) * beta / sqrt(d_qk)),
                 "the sharper form, at propagated references or the minimiser"}};
  s.status = Status::proved;
  s.references = References::propagated;
  s.uses_gamma = true;
  s.scope.one_head = true;
  s.scope.words = "one head, one d_qk throughout, any biases, no skip";
  return s;
}

Statement many_heads_v1() {
  Statement s =
      printed("dong-2.3-v1",
              "With H heads the residual at depth L is at most "
              "(4 beta H/sqrt(d_qk))^((3^L-1)/2) res(X)^(3^L), as printed.",
              "Dong, Cordonnier, Loukas, arXiv 2103.03404 v1, Theorem 2.3", 4 * beta * heads / sqrt(d_qk));
  s.title = "Theorem 2.3 as first printed";
  s.status = Status::refuted;
  s.scope.words = "any heads, one d_qk throughout, any biases, no skip";
  return s;
}

Statement many_heads() {
  Statement s = printed("dong-2.3",
                        "With H heads the residual at depth L is at most "
                        "(4 gamma beta H/sqrt(d_qk))^((3^L-1)/2) res(X)^(3^L).",
                        "Dong, Cordonnier, Loukas, arXiv 2103.03404 v2, Theorem 2.3",
                        4 * gamma * beta * heads / sqrt(d_qk));
  s.title = "Theorem 2.3 with gamma";
  s.status = Status::refuted;
  s.references = References::propagated;
  s.uses_gamma = true;
  s.scope.words = "any heads, one d_qk throughout, any biases, no skip";
  return s;
}

Statement repaired(std::string id, std::string title, const Expression& c) {
  Statement s;
  s.proof = "dong.md#dong-2.3-repaired";
  s.id = std::move(id);
  s.title = std::move(title);
  s.words =
      "Where the rows of every head's E oscillate by at most 1.256, the residual at depth L is at most the "
      "chain "
      "of the layers' C = c sqrt(sum a_h |W_h|_1 sum a_h |W_h|_inf): composites do not add over heads, their "
      "1- and inf-norms do.";
  s.source = "this project";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip";
  s.references = References::propagated;
  s.hypotheses = {oscillation_hypothesis()};
  s.minimal_hypotheses = {small_logits_hypothesis(), never_growing_hypothesis()};
  s.bounds = {depth_bound(chained(c * head_constant({"l", "h"}), r0), c * head_constant({"h"}))};
  return s;
}

Statement chaining() {
  const Expression C = sym("C"), r_L = sym("r", {"L"});
  Statement s;
  s.id = "chaining";
  s.decided_by = "rankfall audit";
  s.decided_by = "rankfall audit";
  s.title = "From one layer to L layers";
  s.words =
      "Where every layer brings a residual r to at most C_l r^3, L layers bring it to at most the product of "
      "C_l^(3^(L-1-l)) times r0^(3^L); for equal C this tends to 0 exactly when C r0^2 < 1, whatever C alone "
      "is.";
  s.source = "the induction behind Theorem 2.2 of Dong, Cordonnier, Loukas 2021";
  s.proof = "dong.md#chaining";
  s.status = Status::proved;
  s.scope.words = "any sequence of residuals of which one layer is known to cube the last";
  s.formulas = {{symbol("r", {sym("l") + 1}), "<=", sym("C", {"l"}) * pow(sym("r", {"l"}), 3),
                 "the hypothesis, for every layer l"},
                {r_L, "<=", chained(sym("C", {"l"}), r0)},
                {r_L, "<=", cubic(C), "for equal constants"},
                {C * pow(r0, 2), "<", 1, "exactly then the bound with equal constants tends to 0"},
                {sym("exponent"), "=", (pow(3, L) - 1) / 2, "d log(bound) / d log(C)"}};
  return s;
}

Statement convergence_remark() {
  Statement s;
  s.id = "convergence-remark";
  s.decided_by = "rankfall audit";
  s.decided_by = "rankfall audit";
  s.title = "Small weights are enough for collapse";
  s.words =
      "Where 4 gamma beta is below sqrt(d_qk), the residual tends to 0 with the depth, from every input.";
  s.source = "Dong, Cordonnier, Loukas 2021, remark after Theorem 2.2";
  s.proof = "refutations.md#convergence-remark";
  s.status = Status::refuted;
  s.scope.one_head = true;
  s.scope.common_d_qk = true;
  s.scope.words = "one head, one d_qk throughout, any biases, no skip; infinitely many layers";
  s.formulas = {{4 * gamma * beta, "<", sqrt(d_qk), "then, it is claimed, res(X^L) tends to 0"}};
  return s;
}

}  // namespace

std::vector<Statement> dong_statements() {
  return {chaining(),
          single_head_v1(),
          single_head(),
          many_heads_v1(),
          many_heads(),
          repaired("dong-2.3-repaired", "Theorem 2.3 repaired directly", 4),
          repaired("dong-2.3-repaired-sharp", "Theorem 2.3 repaired with the sharp constant",
                   sqrt(Expression(3)) / 2),
          convergence_remark()};
}

}  // namespace rankfall::theory
