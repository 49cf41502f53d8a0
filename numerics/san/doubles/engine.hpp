#pragma once
#include <optional>
#include <vector>

#include "numerics/san/doubles/spectral.hpp"
#include "numerics/san/doubles/state.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::doubles {

/// A weight matrix A near left * right (or left alone), with bounds of |A - left right|_F, |A|_2 and |left|_F
/// |right|_F, which is at least |A|_F. Large ones stay in factors.
struct Weight {
  Mid left, right = {};
  double error = 0, spectral = 0, frobenius = 0;
  double frobenius_left = 0, frobenius_right = 1;
  Matrix<double> left_transposed = {}, right_transposed = {};  ///< of the high parts
  Gram right_gram = {};                                        ///< of the right factor, where there is one

  bool factored() const { return right.rows() > 0; }
  Index rows() const { return left.rows(); }
  Index cols() const { return factored() ? right.cols() : left.cols(); }
};

struct Head {
  Weight scores, values;  ///< A = W_QK / sqrt(d_qk), and W_h
  Mid key_bias;           ///< W_K b_Q / sqrt(d_qk), a row
  double key_bias_error = 0;
};

/// Bounds of |[W_1 ... W_H]|_2 and of the W_h above one another: far below the sums of the norms where heads
/// look at directions of their own.
struct Together {
  double values = 0, values_above = 0;
  /// Where all weights are in factors A_h = L_h K_h and W_h = V_h R_h: |[L_1 ... L_H]|_2 times the norm of
  /// the R_h above one another; else absent.
  std::optional<double> outer = {};
};

/// An attention block's weights in doubles or pairs of them.
struct Layer {
  bool wide = false;
  Mid skip;  ///< 1 x 1
  double skip_error = 0;
  std::vector<Head> heads;
  Together together = {};  ///< of several heads
  Mid bias;                ///< a row
  double bias_error = 0;
  double moved = 0;  ///< bound of |skip I + sum of all W_h|_2
};

/// Whether the tier is stated for a block: plain attention, of sizes up to `most_size`.
bool is_plain_attention(const Block& block);

/// The weights of such a block; nothing where they are too large or too small for doubles.
std::optional<Layer> layer(const AttentionBlock& block, bool wide);

/// The next state, about the propagated reference or, with `to_mean`, about the mean of its tokens: an
/// enclosure, proved in docs/engine (the double tier). Nothing where doubles do not tell.
std::optional<State> advance(const Layer& layer, const State& state, bool to_mean);

}  // namespace rankfall::doubles
