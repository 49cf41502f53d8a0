// Paths through the heads of all layers.
#include "theory/catalogue/catalogue.hpp"

namespace rankfall::theory {
namespace {

const Expression L = sym("L"), H = sym("H"), k = sym("k");

Statement path_decomposition() {
  Statement s;
  s.id = "path-decomposition";
  s.title = "A network is the sum of its paths";
  s.words =
      "The output is the sum, over the H^L ways p to pick one head in every layer, of the product P[p] of "
      "the "
      "picked attention maps (each of the full network), the input, and the product W[p] of the picked value "
      "maps, plus a constant row b. With a skip a path may pass a layer by, and carries alpha for it.";
  s.source = "Dong, Cordonnier, Loukas 2021, Theorem 2.1";
  s.proof = "paths.md#path-decomposition";
  s.decided_by = "rankfall paths NETWORK";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, skips, any mask and score bias, no MLP or normalisation";
  s.formulas = {
      {sym("X", {"L"}), "=",
       sum("p", 1, pow(H, L), sym("P", {"p"}) * symbol("X", {0}) * sym("W", {"p"})) + sym("b")},
      {sym("X", {"L"}), "=",
       sum("p", 1, pow(1 + H, L),
           pow(sym("alpha"), sym("skips", {"p"})) * sym("P", {"p"}) * symbol("X", {0}) * sym("W", {"p"})) +
           sym("b"),
       "with a skip alpha in every layer"}};
  return s;
}

Statement path_count() {
  const Expression number = sym("N", {"k"}), share = sym("Pr", {"k"});
  Statement s;
  s.id = "path-count";
  s.title = "How many paths have which length";
  s.words =
      "Through L layers of H heads, each with a skip, there are N[k] paths with k heads, (1+H)^L in all; the "
      "length of a path drawn uniformly is Binomial(L, H/(1+H)). The likeliest is the integer part of "
      "(L+1) H/(1+H), and where that is an integer one less as well.";
  s.source = "Dong, Cordonnier, Loukas 2021, the distribution of path lengths";
  s.proof = "paths.md#path-count";
  s.decided_by = "rankfall table path-count";
  s.status = Status::proved;
  s.scope.words = "any heads, a skip in every layer";
  s.formulas = {{number, "=", binomial(L, k) * pow(H, k)},
                {sum("k", 0, L, number), "=", pow(1 + H, L)},
                {share, "=", binomial(L, k) * pow(H / (1 + H), k) * pow(1 / (1 + H), L - k),
                 "for a path drawn uniformly"},
                {sum("k", 0, L, k * share), "=", L * H / (1 + H), "the mean length"}};
  return s;
}

}  // namespace

std::vector<Statement> path_statements() {
  return {path_decomposition(), path_count()};
}

}  // namespace rankfall::theory
