// Averages over random weights, and a Lipschitz constant.
#include "theory/catalogue/catalogue.hpp"

namespace rankfall::theory {
namespace {

const Expression n = sym("n"), L = sym("L"), H = sym("H"), alpha = sym("alpha"), d_qk = sym("d_qk");

Statement gaussian_rate() {
  Statement s;
  s.id = "gaussian-rate";
  s.title = "The mean of the squared residual over random weights";
  s.words =
      "Given the input and the scores, independent centred value maps make the mean of |R'|_F^2 the sum over "
      "heads "
      "of w_h |D_h R|_F^2, w = d_v d' var_V var_O. To leading order, with x = 0, b_Q = 0, mean-centred "
      "tokens and "
      "random scores too, it is H w var_Q var_K |R|_F^2 |R^T R|_F^2 / n^2.";
  s.source = "this project";
  s.proof = "averages.md#gaussian-rate";
  s.decided_by = "rankfall averages gaussian-rate";
  s.status = Status::proved;
  s.scope.words = "any heads, any biases, no skip; weights independent and centred";
  s.formulas = {
      {sym("mean"), "=", sum("h", 1, H, sym("w", {"h"}) * pow(sym("DR_F", {"h"}), 2)),
       "exact, given the input and the scores"},
      {sym("mean"), "=",
       H * sym("w") * sym("var_Q") * sym("var_K") * pow(sym("R_F"), 2) * pow(sym("RR_F"), 2) / pow(n, 2),
       "to leading order in the scores"}};
  return s;
}

Statement noci_correlation() {
  const Expression grown = pow(1 + pow(alpha, 2), L), C = sym("C", {"L"}), M = sym("M", {"L"}),
                   C_0 = symbol("C", {0}), M_0 = symbol("M", {0}), kept = pow(alpha, 2 * L);
  Statement s;
  s.id = "noci-correlation";
  s.title = "Uniform attention with a skip aligns the tokens on average";
  s.words =
      "With uniform attention and a fresh centred W in every layer, E W W^T = I, the means of C, the squared "
      "length "
      "of the sum of the tokens, and of M, the sum of their squared lengths, are known exactly at every "
      "depth.";
  s.source = "this project, after Noci et al. 2022";
  s.proof = "averages.md#noci-correlation";
  s.decided_by = "rankfall averages noci-correlation";
  s.status = Status::proved;
  s.scope.words = "one head with uniform attention, random values, a skip";
  s.formulas = {{C, "=", grown * C_0, "for X + alpha SA(X) and for alpha X + SA(X)"},
                {M, "=", M_0 + C_0 / n * (grown - 1), "for X + alpha SA(X)"},
                {M, "=", kept * M_0 + C_0 / n * (grown - kept), "for alpha X + SA(X)"}};
  return s;
}

Statement kim_lipschitz() {
  const Expression c = sym("c");
  Statement s;
  s.id = "kim-lipschitz";
  s.title = "Attention by distances is Lipschitz";
  s.words =
      "Attention whose scores are squared distances, with tied queries and keys, is Lipschitz on all inputs: "
      "in the "
      "Frobenius norm with Lip_2, in the largest entry with Lip_inf. Q, V, O are norms of the weights: Q_2, "
      "V_2, O_2 "
      "spectral, V_1, O_1 column sums, Q_1inf column sums times row sums, without an index the largest of a "
      "head, O of "
      "the stack.";
  s.source = "this project, after Kim, Papamakarios, Mnih, arXiv 2006.04710, Theorem 3.2";
  s.proof = "averages.md#kim-lipschitz";
  s.decided_by = "rankfall averages kim-lipschitz";
  s.status = Status::proved;
  s.scope.words = "another attention than that of the networks here";
  s.formulas = {
      {c * exp(c + 1), "=", n - 1, "defines c"},
      {sym("Lip_2"), "<=",
       sqrt(n) * (4 * c + 1) / sqrt(d_qk) *
           sqrt(sum("h", 1, H, pow(sym("Q_2", {"h"}), 4) * pow(sym("V_2", {"h"}), 2))) * sym("O_2")},
      {sym("Lip_inf"), "<=", (4 * c + 1 / sqrt(d_qk)) * sym("Q_1inf") * sym("V_1") * sym("O_1")}};
  return s;
}

}  // namespace

std::vector<Statement> average_statements() {
  return {gaussian_rate(), noci_correlation(), kim_lipschitz()};
}

}  // namespace rankfall::theory
