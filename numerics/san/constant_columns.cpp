#include "numerics/san/constant_columns.hpp"

#include <algorithm>

#include "numerics/san/direct.hpp"
#include "numerics/san/direct_normalisation.hpp"

namespace rankfall {
namespace {

bool all(const ConstantColumns& columns) {
  return std::all_of(columns.begin(), columns.end(), [](bool constant) { return constant; });
}

ConstantColumns every(Index columns) {
  return ConstantColumns(static_cast<std::size_t>(columns), true);
}

void intersect(ConstantColumns& columns, const ConstantColumns& others) {
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j] = columns[j] && others[j];
}

/// A column of X W is constant when it draws on constant columns of X only.
ConstantColumns through(const ExactMatrix& W, const ConstantColumns& input) {
  ConstantColumns result = every(W.cols());
  for (Index k = 0; k < W.rows(); ++k) {
    if (input[static_cast<std::size_t>(k)]) continue;
    for (Index j = 0; j < W.cols(); ++j)
      if (!W(k, j).is_zero()) result[static_cast<std::size_t>(j)] = false;
  }
  return result;
}

/// A term of a score that varies with the query only, or with the key only, leaves all rows of the attention
/// equal.
bool rows_agree(const Head& head, const ConstantColumns& input) {
  if (head.has_row_biases()) return false;
  if (!head.fused) {
    ConstantColumns queries = through(head.W_Q, input);
    const ConstantColumns keys = through(head.W_K, input);
    for (std::size_t c = 0; c < queries.size(); ++c)
      if (!queries[c] && !keys[c]) return false;
    return true;
  }
  for (Index k = 0; k < head.W_QK.rows(); ++k)
    for (Index l = 0; l < head.W_QK.cols(); ++l)
      if (!input[static_cast<std::size_t>(k)] && !input[static_cast<std::size_t>(l)] &&
          !head.W_QK(k, l).is_zero())
        return false;
  return true;
}

ConstantColumns transformed(const AttentionBlock& block, const ConstantColumns& input,
                            const Matrix<Real>& X) {
  ConstantColumns result = every(block.heads.front().output_width());
  const bool shared = block.mask.shared_keys(X.rows()).has_value();
  for (const Head& head : block.heads) {
    if (shared && rows_agree(head, input)) continue;
    ConstantColumns output = through(head.fused ? head.W : head.W_V, input);
    if (!head.fused && !head.W_O.empty()) output = through(head.W_O, output);
    intersect(result, output);
  }
  return result;
}

/// Largest |entry| of a column and largest sum of |X_ik W_kj| behind it bound the rounding error of its
/// entries.
void mark_dead_units(ConstantColumns& columns, const Matrix<Real>& arguments, const MlpBlock::Layer& layer,
                     const Matrix<Real>& X) {
  const Matrix<Real> W = rounded<Real>(layer.W);
  for (Index j = 0; j < arguments.cols(); ++j) {
    bool dead = true;
    for (Index i = 0; i < arguments.rows() && dead; ++i) {
      Real scale = abs(arguments(i, j));
      for (Index k = 0; k < X.cols(); ++k) scale += 2 * abs(Real(X(i, k) * W(k, j)));
      dead = arguments(i, j) < -ldexp(scale, -static_cast<int>(current_bits() / 2));
    }
    if (dead) columns[static_cast<std::size_t>(j)] = true;
  }
}

ConstantColumns transformed(const MlpBlock& block, ConstantColumns columns, Matrix<Real> X) {
  for (std::size_t i = 0; i < block.layers.size(); ++i) {
    const MlpBlock::Layer& layer = block.layers[i];
    columns = through(layer.W, columns);
    if (i + 1 == block.layers.size()) break;
    Matrix<Real> arguments = affine(layer, X);
    if (block.activation == Activation::relu) mark_dead_units(columns, arguments, layer, X);
    X = activated(block.activation, std::move(arguments));
  }
  return columns;
}

/// Of two entries with epsilon 0 only the sign of their difference is left.
bool all_differ_alike(const Matrix<Real>& X) {
  int sign = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const Real difference = X(i, 0) - X(i, 1);
    const Real blur = ldexp(Real(abs(X(i, 0)) + abs(X(i, 1))), -static_cast<int>(current_bits() / 2));
    const int here = difference > blur ? 1 : difference < -blur ? -1 : 0;
    if (here == 0 || (i > 0 && here != sign)) return false;
    sign = here;
  }
  return true;
}

ConstantColumns transformed(const Normalisation& norm, ConstantColumns columns, const Matrix<Real>& X) {
  const bool of_token = norm.of == Normalisation::Of::token;
  const bool nothing_left =
      of_token && (X.cols() == 1 || (X.cols() == 2 && norm.epsilon.is_zero() && all_differ_alike(X)));
  if (of_token && !all(columns)) columns.assign(columns.size(), nothing_left);
  for (std::size_t j = 0; j < columns.size() && !norm.scale.empty(); ++j)
    columns[j] = columns[j] || norm.scale(0, static_cast<Index>(j)).is_zero();
  return columns;
}

}  // namespace

ConstantColumns constant_columns(const ExactMatrix& input) {
  ConstantColumns result = every(input.cols());
  for (Index i = 1; i < input.rows(); ++i)
    for (Index j = 0; j < input.cols(); ++j)
      if (input(i, j) != input(0, j)) result[static_cast<std::size_t>(j)] = false;
  return result;
}

ConstantColumns constant_columns(const Block& block, const ConstantColumns& input, const Matrix<Real>& X) {
  if (all(input)) return every(output_width(block, X.cols()));
  const std::optional<Normalisation>& before = pre_norm(block);
  const ConstantColumns seen = before ? transformed(*before, input, X) : input;
  const Matrix<Real> seen_state = before ? normalised<Real>(*before, X) : X;
  ConstantColumns result =
      std::visit([&](const auto& kind) { return transformed(kind, seen, seen_state); }, block);
  if (!skip(block).is_zero()) intersect(result, input);
  return result;
}

}  // namespace rankfall
