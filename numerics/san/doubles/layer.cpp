#include <algorithm>
#include <cmath>

#include "numerics/parallel.hpp"
#include "numerics/san/doubles/engine.hpp"
#include "numerics/san/doubles/scalar.hpp"
#include "numerics/san/doubles/spectral.hpp"
#include "numerics/san/weight_product.hpp"

namespace rankfall::doubles {
namespace {

Mid row_of(const ExactMatrix& exact, Index width, bool wide, double& error) {
  error = 0;
  if (exact.empty()) return zeros(1, width, wide);
  Rounded row = rounded(exact, wide);
  widen(row.mid, wide);
  error = row.error;
  return std::move(row.mid);
}

/// Whether the root is a power of two, by which everything divides exactly.
bool has_exact_root(Index square) {
  const double root = std::sqrt(static_cast<double>(square));
  return std::exp2(std::ilogb(root)) == root;
}

void divide_by_root(Mid& a, Index square, bool wide) {
  const double near = std::sqrt(static_cast<double>(square));
  if (has_exact_root(square)) {
    a = scaled(std::move(a), 1 / near);
    return;
  }
  if (!wide) {
    a.high /= near;
    return;
  }
  widen(a, true);
  // One step of Newton's: (near + square/near)/2, from which the root differs by a relative 2^-105.
  const DoubleDouble root = moved(
      plus(DoubleDouble{near, 0}, over(DoubleDouble{static_cast<double>(square), 0}, DoubleDouble{near, 0})),
      0.5);
  for (Index i = 0; i < a.high.size(); ++i) {
    const DoubleDouble entry = over(DoubleDouble{a.high.data()[i], a.low.data()[i]}, root);
    a.high.data()[i] = entry.high;
    a.low.data()[i] = entry.low;
  }
}

/// left right / sqrt(square) of exact factors; `right` may be empty.
Weight weight(const ExactMatrix& left, const ExactMatrix& right, bool transpose_right, Index square,
              bool wide) {
  Weight result;
  Rounded first = rounded(left, wide);
  result.left = std::move(first.mid);
  double relative = 0;
  if (square != 1) {
    divide_by_root(result.left, square, wide);
    first.error = first.error * 1.01 / std::sqrt(static_cast<double>(square));
    relative = has_exact_root(square) ? 0 : 4 * unit(wide);
  }
  result.frobenius_left = frobenius(result.left.high);
  result.error = first.error + relative * result.frobenius_left;
  result.frobenius = result.frobenius_left;
  if (!right.empty()) {
    Rounded second = rounded(right, wide);
    result.right = transpose_right ? transposed(second.mid) : std::move(second.mid);
    result.frobenius_right = frobenius(result.right.high);
    const Index inner = result.left.cols();
    result.frobenius = result.frobenius_left * result.frobenius_right;
    result.error =
        result.error * (result.frobenius_right + second.error) + result.frobenius_left * second.error;
    if (stays_factored(result.left.rows(), inner, result.right.cols())) {
      result.spectral = spectral_bound(result.left.high) * spectral_bound(result.right.high);
    } else {
      widen(result.left, wide);
      result.left = product(result.left, result.right);
      result.error += product_error(inner, wide) * result.frobenius;
      result.right = {};
      result.frobenius_left = result.frobenius = frobenius(result.left.high);
      result.frobenius_right = 1;
    }
  }
  if (!result.factored()) result.spectral = spectral_bound(result.left.high);
  // Bounds hold for the exact matrix, and for the pairs of which the high parts were measured.
  result.spectral = result.spectral * (1 + 0x1p-36) + result.error;
  result.frobenius = result.frobenius * (1 + 0x1p-36) + result.error;
  result.left_transposed = result.left.high.transpose();
  if (result.factored()) {
    result.right_transposed = result.right.high.transpose();
    result.right_gram = gram_of_rows(result.right.high);
  }
  return result;
}

Head head_of(const rankfall::Head& head, bool wide) {
  Head result;
  const Index d = head.input_width();
  result.key_bias = zeros(1, d, wide);
  if (head.fused) {
    result.scores = weight(head.W_QK, {}, false, head.d_qk, wide);
    result.values = weight(head.W, {}, false, 1, wide);
    return result;
  }
  result.scores = weight(head.W_Q, head.W_K, true, head.d_qk, wide);
  if (!head.b_Q.empty()) {
    double error = 0;
    const Mid bias = row_of(head.b_Q, head.d_qk, wide, error);
    const Rounded keys = rounded(head.W_K, wide);
    result.key_bias = product(bias, transposed(keys.mid));
    divide_by_root(result.key_bias, head.d_qk, wide);
    const double size = frobenius(keys.mid.high), bias_size = frobenius(bias.high);
    result.key_bias_error = ((product_error(head.d_qk, wide) + 8 * unit(wide)) * size * bias_size +
                             size * error + keys.error * bias_size) *
                            1.01 / std::sqrt(static_cast<double>(head.d_qk));
  }
  result.values = weight(head.W_V, head.W_O, false, 1, wide);
  return result;
}

/// b_V W_O, added to the bias; `sizes` counts what a rounding of the sum is relative to.
void add_value_bias(Layer& layer, const rankfall::Head& head, double& sizes) {
  double error = 0;
  Mid bias = row_of(head.b_V, head.W_V.cols(), layer.wide, error);
  double size = frobenius(bias.high);
  if (!head.W_O.empty()) {
    const Rounded outputs = rounded(head.W_O, layer.wide);
    const double wide_size = frobenius(outputs.mid.high);
    error = error * wide_size + size * (outputs.error + product_error(bias.cols(), layer.wide) * wide_size);
    bias = product(bias, outputs.mid);
    size *= wide_size;
  }
  add(layer.bias, 1, bias);
  layer.bias_error += error;
  sizes += size;
}

/// |skip I + sum of W_h|_2: of the sum where the matrices are composed, of each where they are in factors.
double moved_bound(const Layer& layer) {
  const double skip = std::fabs(layer.skip.high(0, 0)) + layer.skip_error;
  double each = skip;
  bool composed = true;
  for (const Head& head : layer.heads) {
    each += head.values.spectral;
    composed = composed && !head.values.factored();
  }
  if (!composed || (layer.heads.size() == 1 && skip == 0)) return each;
  Matrix<double> sum = layer.heads.front().values.left.high;
  double errors = layer.heads.front().values.error, sizes = layer.heads.front().values.frobenius;
  for (std::size_t h = 1; h < layer.heads.size(); ++h) {
    sum += layer.heads[h].values.left.high;
    errors += layer.heads[h].values.error;
    sizes += layer.heads[h].values.frobenius;
  }
  if (skip != 0) {
    for (Index j = 0; j < sum.cols(); ++j) sum(j, j) += layer.skip.high(0, 0);
    sizes += skip * std::sqrt(static_cast<double>(sum.cols()));
  }
  const auto terms = static_cast<Index>(layer.heads.size()) + 2;
  return std::min(each, spectral_bound(sum) + errors + gamma(terms) * sizes + layer.skip_error);
}

/// Adds a weight or its transpose.
void add(SideBySide& together, const Weight& W, bool transposed = false) {
  if (W.factored() && transposed)
    together.add(W.right_transposed, gram_of_rows(W.left_transposed));
  else if (W.factored())
    together.add(W.left.high, W.right_gram);
  else
    together.add(transposed ? W.left_transposed : W.left.high);
}

/// What pairs have beside their high parts counts with the errors.
Together together(const std::vector<Head>& heads) {
  SideBySide values(heads.front().values.rows()), above(heads.front().values.cols());
  double error = 0;
  for (const Head& head : heads) {
    add(values, head.values);
    add(above, head.values, true);
    error += head.values.error + 0x1p-50 * head.values.frobenius;
  }
  Together result{values.bound() + error, above.bound() + error};
  if (std::all_of(heads.begin(), heads.end(),
                  [](const Head& head) { return head.scores.factored() && head.values.factored(); })) {
    SideBySide queries(heads.front().scores.rows()), outputs(heads.front().values.cols());
    for (const Head& head : heads) {
      queries.add(head.scores.left.high);
      outputs.add(head.values.right_transposed);
    }
    result.outer = queries.bound() * outputs.bound();
  }
  return result;
}

bool in_range(double size) {
  return size == 0 || (size > 0x1p-200 && size < 0x1p200);
}

}  // namespace

bool is_plain_attention(const Block& block) {
  const auto* attention = std::get_if<AttentionBlock>(&block);
  if (!attention || !is_plain(*attention)) return false;
  return std::all_of(attention->heads.begin(), attention->heads.end(), [](const rankfall::Head& head) {
    return std::max({head.input_width(), head.output_width(), head.d_qk, head.fused ? 0 : head.W_V.cols()}) <=
           most_size;
  });
}

std::optional<Layer> layer(const AttentionBlock& block, bool wide) {
  Layer result;
  result.wide = wide;
  Rounded skip = rounded(ExactMatrix::from(1, 1, std::vector<Rational>{block.skip}), wide);
  widen(skip.mid, wide);
  result.skip = std::move(skip.mid);
  result.skip_error = skip.error;
  result.bias = row_of(block.b_O, block.heads.front().output_width(), wide, result.bias_error);
  double sizes = frobenius(result.bias.high);
  result.heads.resize(block.heads.size());
  in_parallel(block.heads.size(), [&](std::size_t h) { result.heads[h] = head_of(block.heads[h], wide); });
  for (const Head& head : result.heads)
    if (!in_range(head.scores.frobenius) || !in_range(head.values.frobenius)) return std::nullopt;
  for (const rankfall::Head& head : block.heads) {
    if (!head.b_V.empty()) add_value_bias(result, head, sizes);
  }
  result.bias_error += gamma(static_cast<Index>(block.heads.size()) + 1, wide) * sizes;
  if (!(sizes < 0x1p200) || !(std::fabs(result.skip.high(0, 0)) < 0x1p200)) return std::nullopt;
  result.moved = moved_bound(result);
  if (result.heads.size() > 1) result.together = together(result.heads);
  return result;
}

}  // namespace rankfall::doubles
