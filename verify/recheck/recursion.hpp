#pragma once
#include <string_view>
#include <vector>

#include "verify/recheck/measures.hpp"

namespace rankfall::recheck {

/// Tokens X = 1 x^T + R.
struct State {
  Vector x;
  Matrix R;
};

/// One head's weights: A = W_QK/sqrt(d_qk), u = W_K b_Q/sqrt(d_qk) and W_h. The bias of the keys drops out:
/// it adds the same to all scores of a row.
struct HeadWeights {
  Matrix A;
  Vector u;
  Matrix W;
};

/// What one head does with a state, a row standing for several equal tokens. Keys that no query sees are left
/// out; where queries see different keys, all stay and there is no q.
struct HeadView {
  Matrix keys;  ///< the rows of R that are seen
  Matrix E;     ///< R A keys^T
  Vector q;     ///< weights of the keys, softmax of keys (A^T x + u), all their copies together
  Matrix D;     ///< P - 1 q^T, likewise; P without q
  Matrix RW;    ///< keys W_h
};

/// A layer about a reference.
struct LayerView {
  State before, after;  ///< after: about the reference that the layer makes of the one before
  std::vector<HeadView> heads;
};

/// A network followed through its layers in interval arithmetic. With x the reference, E = R A R^T and r = R
/// (A^T x + u) the scores of a row are r + E up to a constant, which softmax does not see. So with q =
/// softmax(r),
///   P = 1 q^T + D,  D_ij = q_j (e_ij - m_i)/(1 + m_i),  e_ij = exp(E_ij) - 1,  m_i = sum_k q_k e_ik,
/// and X' = alpha X + sum_h P_h X W_h + 1 b^T has, as the rows of D sum to 0, the reference alpha x + sum_h
/// W_h^T (x + R^T q_h) + b and the residual alpha R + sum_h D_h R W_h (docs/theory, exact-reduction). Where
/// queries see different keys, P stands for D and 0 for q.
class Recursion {
 public:
  Recursion(const Network& network, Bits p);

  Bits bits() const { return p_; }
  const Network& network() const { return network_; }
  const std::vector<HeadWeights>& weights(std::size_t layer) const { return weights_[layer]; }
  /// Copies of the columns of state k: those of the network for the last.
  Copies columns(std::size_t k) const;

  /// State k, about its mean; of a folded network as the layers carry it on from the median.
  const State& state(std::size_t k) const { return states_[k]; }
  State about_reference(std::size_t k, std::string_view reference) const;
  LayerView apply(std::size_t layer, const State& state) const;
  /// The layers from the input on, about a reference of the input that is carried along and never taken anew.
  std::vector<LayerView> propagated(std::string_view reference, std::size_t layers) const;

 private:
  const Network& network_;
  Bits p_;
  std::vector<std::vector<HeadWeights>> weights_;
  std::vector<Vector> biases_;
  std::vector<State> states_;
};

}  // namespace rankfall::recheck
