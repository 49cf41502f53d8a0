#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/san/arithmetic.hpp"
#include "numerics/san/network.hpp"

/// The residual recursion of docs/theory, 2, in any arithmetic: the plain reference of the certified engine
/// (in balls), and the fast one of searches (in double, where nothing is certified).
namespace rankfall {

/// X = 1 reference^T + 2^exponent 1 residual (tokens x d), the residual about the token mean, its largest
/// entry near 1.
template <class Scalar>
struct RecursionState {
  Vector<Scalar> reference;
  Matrix<Scalar> residual;
  Integer exponent = 0;
};

/// One head: W_QK / sqrt(d_qk) (d x d), W_K b_Q / sqrt(d_qk) (d), W_h (d x d').
template <class Scalar>
struct RecursionHead {
  Matrix<Scalar> scores;
  Vector<Scalar> key_bias;
  Matrix<Scalar> values;
};

/// An attention block; `bias` (d') gathers b_O and what the value biases contribute.
template <class Scalar>
struct RecursionLayer {
  Scalar skip{};
  std::vector<RecursionHead<Scalar>> heads;
  Vector<Scalar> bias;
};

/// Evaluates layers. Keeps its scratch space between calls: one object for one thread.
template <class Scalar>
class Recursion {
 public:
  explicit Recursion(Arithmetic<Scalar> arithmetic = Arithmetic<Scalar>()) : a_(arithmetic) {}

  RecursionLayer<Scalar> layer(const AttentionBlock& block) const;
  /// The input about its mean; differences of tokens are formed exactly, then rounded.
  RecursionState<Scalar> input(const ExactMatrix& tokens) const;
  /// The state after the layer. The state must fit the layer's width.
  void apply(const RecursionLayer<Scalar>& layer, RecursionState<Scalar>& state);
  /// Composite norm of the residual, without its exponent.
  Scalar composite(const RecursionState<Scalar>& state) const;

 private:
  using S = Scalar;

  Matrix<S> entries(const ExactMatrix& exact) const;
  Matrix<S> product(const Matrix<S>& left, const Matrix<S>& right) const;
  void accumulate_product(const Matrix<S>& left, const Matrix<S>& right, Matrix<S>& sum) const;
  /// sum += A^T x, A in rows.
  void accumulate_transposed(const Matrix<S>& left, const Vector<S>& x, Vector<S>& sum) const;
  void weigh_tokens(const RecursionHead<S>& head, const RecursionState<S>& state);
  void deviate(const Integer& exponent);
  void recentre(RecursionState<S>& state) const;

  Arithmetic<S> a_;
  Matrix<S> transposed_, scored_, D_, valued_, change_;
  Vector<S> q_, direction_, attended_;
};

/// All states of a network of attention blocks, the input first. Throws InputError for other blocks.
template <class Scalar>
std::vector<RecursionState<Scalar>> recursion_states(const Network& network,
                                                     Arithmetic<Scalar> arithmetic = Arithmetic<Scalar>()) {
  validate(network);
  Recursion<Scalar> recursion(arithmetic);
  std::vector<RecursionState<Scalar>> states{recursion.input(network.input)};
  for (const Block& block : network.blocks) {
    const auto* attention = std::get_if<AttentionBlock>(&block);
    if (!attention)
      throw InputError("a block of kind " + kind(block) + " has no recursion; only attention blocks have");
    if (!is_plain(*attention))
      throw InputError(
          "attention with a mask, pre_norm or score biases has no recursion; the engine follows it");
    RecursionState<Scalar> next = states.back();
    recursion.apply(recursion.layer(*attention), next);
    states.push_back(std::move(next));
  }
  return states;
}

}  // namespace rankfall

#include "numerics/san/recursion_impl.hpp"
