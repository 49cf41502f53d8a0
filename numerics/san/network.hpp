#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "numerics/activation.hpp"
#include "numerics/matrix.hpp"
#include "numerics/san/mask.hpp"

namespace rankfall {

/// One attention head (docs/theory, 1). Either factored (W_Q, W_K, W_V, W_O and biases) or fused (W_QK, d_qk,
/// W). Vectors are 1 x k matrices; absent biases are empty, an absent W_O is empty and means the identity.
struct Head {
  bool fused = false;
  ExactMatrix W_Q, W_K;  ///< d x d_qk
  ExactMatrix W_V;       ///< d x d_v
  ExactMatrix W_O;       ///< d_v x d'
  ExactMatrix b_Q, b_K;  ///< 1 x d_qk
  ExactMatrix b_V;       ///< 1 x d_v
  ExactMatrix W_QK, W;   ///< fused: d x d and d x d'
  Index d_qk = 0;        ///< width of one query; set by both forms
  /// Scores that depend on the row. Factored only: row i - j + tokens - 1 of relative_keys is k_(i-j), and
  /// (W_Q^T x_i + b_R) . k_(i-j) is added to the score before the division by sqrt(d_qk).
  ExactMatrix relative_keys;  ///< (2 tokens - 1) x d_qk, or empty
  ExactMatrix b_R;            ///< 1 x d_qk, or empty
  ExactMatrix score_bias;     ///< tokens x tokens, or empty: added to the score after the division

  bool has_row_biases() const { return !relative_keys.empty() || !score_bias.empty(); }
  Index input_width() const { return fused ? W_QK.rows() : W_Q.rows(); }
  Index output_width() const { return fused ? W.cols() : (W_O.empty() ? W_V.cols() : W_O.cols()); }
};

/// Z -> (Z - mean)/sqrt(variance + epsilon), times scale, plus shift: over each row (token), or over the
/// tokens of each column. The variance is the mean square of Z - mean.
struct Normalisation {
  enum class Of { token, column };
  Of of = Of::token;
  Rational epsilon = 0;
  ExactMatrix scale = {};  ///< 1 x d, or empty: ones
  ExactMatrix shift = {};  ///< 1 x d, or empty: zeros
};

/// Z -> skip * Z + sum over heads of softmax(scores) N W_h + 1 b^T, N being Z or pre_norm of Z, which the
/// scores see too.
struct AttentionBlock {
  Rational skip = 0;
  std::vector<Head> heads;
  ExactMatrix b_O;  ///< 1 x d', or empty
  Mask mask = {};
  std::optional<Normalisation> pre_norm = {};
};

/// Without mask, pre_norm and score biases that depend on the row.
bool is_plain(const AttentionBlock& block);

/// Row-wise: Z -> skip * Z + f(N), f affine layers with the activation between them, none after the last, and
/// N being Z or pre_norm of Z.
struct MlpBlock {
  struct Layer {
    ExactMatrix W;  ///< d x d'
    ExactMatrix b;  ///< 1 x d', or empty
  };
  Rational skip = 0;
  Activation activation = Activation::identity;
  std::vector<Layer> layers;
  std::optional<Normalisation> pre_norm = {};
};

using Block = std::variant<AttentionBlock, MlpBlock, Normalisation>;

/// An input (tokens x d) and the blocks it runs through, all weights exact. State 0 is the input, state k the
/// output of block k.
struct Network {
  ExactMatrix input;
  std::vector<Block> blocks;

  Index tokens() const { return input.rows(); }
  Index dim() const { return input.cols(); }
  std::size_t depth() const;  ///< number of attention blocks
};

Index output_width(const Block& block, Index input_width);
std::string kind(const Block& block);  ///< "attention", "mlp", "norm"
Rational skip(const Block& block);     ///< 0 for a normalisation
/// What the block applies to its input before anything but the skip; none when there is none.
const std::optional<Normalisation>& pre_norm(const Block& block);

/// Throws InputError naming the place ("blocks[2].heads[0].W_K") and both shapes at the first shape that
/// breaks; also for no tokens, no columns, a block without heads or layers, d_qk < 1, a skip with d' != d, a
/// query that may see no key, a negative epsilon, and a variance that is zero whatever the state, with
/// epsilon 0.
void validate(const Network& network);

}  // namespace rankfall
