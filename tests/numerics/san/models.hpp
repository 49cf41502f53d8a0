#pragma once
#include <utility>
#include <vector>

#include "numerics/san/engine.hpp"
#include "numerics/san/network.hpp"
#include "tests/numerics/oracle.hpp"

/// Networks for tests, and how their states compare.
namespace rankfall::test {

inline ExactMatrix matrix(Index rows, Index cols, std::vector<Rational> entries) {
  return ExactMatrix::from(rows, cols, std::move(entries));
}

/// Two tokens +-a, one head with score weight w and value weight v: a' = v a tanh(w a^2).
inline Network scalar_network(const Rational& a, const Rational& w, const Rational& v, std::size_t depth) {
  Head head;
  head.fused = true;
  head.W_QK = matrix(1, 1, {w});
  head.W = matrix(1, 1, {v});
  head.d_qk = 1;
  Network network;
  network.input = matrix(2, 1, {a, Rational(-a)});
  network.blocks.assign(depth, AttentionBlock{0, {head}, {}});
  return network;
}

inline ExactMatrix random_exact(Index rows, Index cols, Draws& draws) {
  Matrix<Rational> result(rows, cols);
  for (Index i = 0; i < result.size(); ++i)
    result.data()[i] = Rational(draws.integer(-40, 40), draws.integer(20, 50));
  return exact_matrix(result);
}

/// Factored, with every bias.
inline Head random_head(Index d, Index d_qk, Index d_v, Index d_out, Draws& draws) {
  Head head;
  head.W_Q = random_exact(d, d_qk, draws);
  head.W_K = random_exact(d, d_qk, draws);
  head.W_V = random_exact(d, d_v, draws);
  head.W_O = random_exact(d_v, d_out, draws);
  head.b_Q = random_exact(1, d_qk, draws);
  head.b_K = random_exact(1, d_qk, draws);
  head.b_V = random_exact(1, d_v, draws);
  head.d_qk = d_qk;
  return head;
}

inline AttentionBlock random_block(Index d, Index d_out, Index heads, const Rational& skip, Draws& draws) {
  AttentionBlock block{skip, {}, random_exact(1, d_out, draws)};
  for (Index h = 0; h < heads; ++h) block.heads.push_back(random_head(d, 1 + h % 3, 2, d_out, draws));
  return block;
}

inline Network random_network(Index n, Index d, std::size_t depth, Index heads, const Rational& skip,
                              Draws& draws) {
  Network network;
  network.input = random_exact(n, d, draws);
  for (std::size_t l = 0; l < depth; ++l) network.blocks.emplace_back(random_block(d, d, heads, skip, draws));
  return network;
}

inline Matrix<Rational> rationals(const ExactMatrix& a) {
  Matrix<Rational> result(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) result(i, j) = a(i, j);
  return result;
}

inline Matrix<Rational> multiplied(const Matrix<Rational>& a, const Matrix<Rational>& b) {
  Matrix<Rational> c = Matrix<Rational>::Constant(a.rows(), b.cols(), Rational(0));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

inline ExactMatrix multiplied(const ExactMatrix& a, const ExactMatrix& b) {
  return exact_matrix(multiplied(rationals(a), rationals(b)));
}

/// Two states of one exact value: every entry of reference and residual overlaps.
inline bool states_overlap(const ResidualState& a, const ResidualState& b) {
  if (a.residual.mantissa.rows() != b.residual.mantissa.rows() || a.reference.size() != b.reference.size())
    return false;
  for (Index j = 0; j < a.reference.size(); ++j)
    if (!overlap(a.reference(j), b.reference(j))) return false;
  for (Index i = 0; i < a.residual.mantissa.size(); ++i)
    if (!overlap(a.residual.mantissa.data()[i],
                 scale(b.residual.mantissa.data()[i], Integer(b.residual.exponent - a.residual.exponent))))
      return false;
  return true;
}

/// Bits to which the composite norm of the residual is known.
inline long accuracy(const ResidualState& state) {
  return relative_accuracy_bits(composite_norm(state.residual.mantissa, Precision(4096)));
}

inline bool exactly_zero(const ResidualState& state) {
  for (Index i = 0; i < state.residual.mantissa.size(); ++i)
    if (!is_zero(state.residual.mantissa.data()[i])) return false;
  return true;
}

}  // namespace rankfall::test
