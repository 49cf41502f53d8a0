#include "verify/recheck/direct.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rankfall::recheck {
namespace {

constexpr long most_direct_bits = 8192;
constexpr double most_direct_work = 1.5e7;  // multiplications, of 128 bits each
constexpr long spare_bits = 128, bits_a_layer = 32, residual_bits = 16;

/// X W + 1 b^T; an absent bias is 0.
Matrix affine(const Matrix& X, const Table& weights, const Table& bias, Bits p) {
  Matrix result = product(X, Matrix(weights, p), p);
  if (bias.empty()) return result;
  for (long i = 0; i < result.rows; ++i)
    for (long j = 0; j < result.cols; ++j) result(i, j) = add(result(i, j), Number(bias(0, j), p), p);
  return result;
}

Matrix scores_of(const Matrix& X, const Head& head, Bits p) {
  Matrix scores = head.W_QK.empty() ? product(affine(X, head.W_Q, head.b_Q, p),
                                              transposed(affine(X, head.W_K, head.b_K, p)), p)
                                    : product(product(X, Matrix(head.W_QK, p), p), transposed(X), p);
  const Number root = sqrt(Number(head.d_qk), p);
  for (Number& score : scores.entries) score = div(score, root, p);
  return scores;
}

/// Rows of weights, each key counted as often as its row stands for a token.
Matrix attention_of(const Matrix& scores, const Layer& layer, const Copies& copies, Bits p) {
  Matrix weights(scores.rows, scores.cols);
  for (long i = 0; i < scores.rows; ++i) {
    const std::vector<long>& keys = layer.keys[static_cast<std::size_t>(i)];
    Number top = scores(i, keys.front()), sum;
    for (const long j : keys) top = max(top, scores(i, j));
    top = upper(top);
    for (const long j : keys) {
      const Rational copies_of_key(copies[static_cast<std::size_t>(j)]);
      weights(i, j) = mul(exp(sub(scores(i, j), top, p), p), Number(copies_of_key, p), p);
      sum = add(sum, weights(i, j), p);
    }
    for (const long j : keys) weights(i, j) = div(weights(i, j), sum, p);
  }
  return weights;
}

Matrix behind(const Layer& layer, const Matrix& X, const Copies& copies, Bits p) {
  Matrix result(X.rows, layer.heads.front().output_width());
  for (const Head& head : layer.heads) {
    const Matrix P = attention_of(scores_of(X, head, p), layer, copies, p);
    Matrix values = head.W.empty() ? affine(X, head.W_V, head.b_V, p) : product(X, Matrix(head.W, p), p);
    Matrix attended = product(P, values, p);
    if (!head.W_O.empty()) attended = product(attended, Matrix(head.W_O, p), p);
    for (std::size_t k = 0; k < result.entries.size(); ++k)
      result.entries[k] = add(result.entries[k], attended.entries[k], p);
  }
  for (long i = 0; i < result.rows; ++i)
    for (long j = 0; j < result.cols; ++j) {
      if (!layer.b_O.empty()) result(i, j) = add(result(i, j), Number(layer.b_O(0, j), p), p);
      if (layer.skip != 0) result(i, j) = add(result(i, j), mul(Number(layer.skip, p), X(i, j), p), p);
    }
  return result;
}

/// The first bit of a number above zero.
Integer first_bit(mpfr_srcptr end, const Number& of) {
  return of.exponent() + mpfr_get_exp(end);
}

Matrix tokens_of(const State& state, Bits p) {
  Matrix result = state.R;
  for (long i = 0; i < result.rows; ++i)
    for (long j = 0; j < result.cols; ++j)
      result(i, j) = add(result(i, j), state.x[static_cast<std::size_t>(j)], p);
  return result;
}

/// How many leading bits the tokens of a state have in common; none where they are seen to be equal.
Integer bits_in_common(const State& state, Bits p) {
  const Number apart = largest_entry(state.R), size = largest_entry(tokens_of(state, p));
  if (!certainly_positive(apart)) return is_zero(apart) ? Integer(0) : Integer(most_direct_bits);
  const Integer lost = first_bit(size.high(), size) - first_bit(apart.low(), apart);
  return std::max(lost, Integer(0));
}

double multiplications(const Network& network, std::size_t layers) {
  double result = 0;
  const auto n = static_cast<double>(network.input.rows);
  for (std::size_t layer = 0; layer < layers; ++layer)
    for (const Head& head : network.layers[layer].heads) {
      const auto in = static_cast<double>(head.input_width()), out = static_cast<double>(head.output_width());
      const double inner = head.W_QK.empty() ? static_cast<double>(head.d_qk + head.W_V.cols) : in;
      result += n * in * (2 * inner + out) + n * n * (inner + in + out + 40);
    }
  return result;
}

bool disjoint(const Matrix& a, const Matrix& b) {
  for (std::size_t k = 0; k < a.entries.size(); ++k)
    if (!overlap(a.entries[k], b.entries[k])) return true;
  return false;
}

/// Whether entries are known to 16 bits of the largest.
bool is_narrow(const Matrix& a, Bits p) {
  Number widest;
  for (const Number& entry : a.entries) widest = max(widest, sub(upper(entry), lower(entry), p));
  return is_zero(widest) || certainly_less(scale(widest, residual_bits), largest_entry(a));
}

}  // namespace

std::vector<Matrix> textbook(const Network& network, std::size_t layers, Bits p) {
  std::vector<Matrix> states{Matrix(network.input, p)};
  for (std::size_t layer = 0; layer < layers; ++layer)
    states.push_back(behind(network.layers[layer], states.back(), network.tokens, p));
  return states;
}

std::optional<Witness> direct_witness(const Recursion& followed) {
  const Network& network = followed.network();
  Witness witness;
  for (std::size_t k = 1; k <= network.layers.size(); ++k) {
    const Integer bits = bits_in_common(followed.state(k), followed.bits()) + spare_bits + bits_a_layer * k;
    if (bits > most_direct_bits) break;
    const Bits needed{std::max(witness.bits.count, static_cast<long>(bits))};
    if (multiplications(network, k) * static_cast<double>(needed.count) / 128 > most_direct_work) break;
    witness.last_state = k;
    witness.bits = needed;
  }
  if (witness.last_state == 0) return std::nullopt;
  const Bits p = witness.bits;
  const std::vector<Matrix> states = textbook(network, witness.last_state, p);
  for (std::size_t k = 0; k < states.size(); ++k) {
    const State recursed = followed.about_reference(k, "mean");
    const Matrix R = about(states[k], reference_row(states[k], network.tokens, "mean", p), p);
    if (disjoint(states[k], tokens_of(recursed, p)) || disjoint(R, recursed.R))
      witness.contradictions.push_back(
          fmt::format("state {} is elsewhere by direct evaluation at {} bits", k, p.count));
    else if (k > 0 && !is_zero(largest_entry(recursed.R)) && !is_narrow(R, p)) {
      if (k == 1) return std::nullopt;
      witness.last_state = k - 1;
      break;
    }
  }
  return witness;
}

}  // namespace rankfall::recheck
