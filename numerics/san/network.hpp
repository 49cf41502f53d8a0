#pragma once
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "numerics/activation.hpp"
#include "numerics/matrix.hpp"

namespace rankfall {

/// One attention head (docs/theory, 1). Either factored (W_Q, W_K, W_V, W_O and biases) or fused (W_QK, d_qk, W).
/// Vectors are 1 x k matrices; absent biases are empty, an absent W_O is empty and means the identity.
struct Head {
  bool fused = false;
  ExactMatrix W_Q, W_K;        ///< d x d_qk
  ExactMatrix W_V;             ///< d x d_v
  ExactMatrix W_O;             ///< d_v x d'
  ExactMatrix b_Q, b_K;        ///< 1 x d_qk
  ExactMatrix b_V;             ///< 1 x d_v
  ExactMatrix W_QK, W;         ///< fused: d x d and d x d'
  Index d_qk = 0;              ///< width of one query; set by both forms

  Index input_width() const { return fused ? W_QK.rows() : W_Q.rows(); }
  Index output_width() const { return fused ? W.cols() : (W_O.empty() ? W_V.cols() : W_O.cols()); }
};

/// Z -> skip * Z + sum over heads of softmax(scores) Z W_h + 1 b^T.
struct AttentionBlock {
  Rational skip = 0;
  std::vector<Head> heads;
  ExactMatrix b_O;  ///< 1 x d', or empty
};

/// Row-wise: Z -> skip * Z + f(Z), f affine layers with the activation between them, none after the last.
struct MlpBlock {
  struct Layer {
    ExactMatrix W;  ///< d x d'
    ExactMatrix b;  ///< 1 x d', or empty
  };
  Rational skip = 0;
  Activation activation = Activation::identity;
  std::vector<Layer> layers;
};

using Block = std::variant<AttentionBlock, MlpBlock>;

/// An input (tokens x d) and the blocks it runs through, all weights exact. State 0 is the input, state k the output of
/// block k.
struct Network {
  ExactMatrix input;
  std::vector<Block> blocks;

  Index tokens() const { return input.rows(); }
  Index dim() const { return input.cols(); }
  std::size_t depth() const;  ///< number of attention blocks
};

Index output_width(const Block& block, Index input_width);
std::string kind(const Block& block);  ///< "attention", "mlp"

/// Throws InputError naming the place ("blocks[2].heads[0].W_K") and both shapes at the first shape that breaks;
/// also for no tokens, no columns, a block without heads or layers, d_qk < 1, and a skip with d' != d.
void validate(const Network& network);

}  // namespace rankfall
