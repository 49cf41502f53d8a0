#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "theory/expression/evaluate.hpp"
#include "theory/simulation.hpp"
#include "theory/statement.hpp"

namespace rankfall::theory {

/// A stretch of a network (states from..to) as a statement reads it. Its layers are its attention blocks.
struct Reading {
  std::size_t from = 0, to = 0;
  Bound::Span span = Bound::Span::layer;
  std::optional<Reference> reference;  ///< none: the minimal residual
  Gamma gamma;
  std::optional<Expression> constant;  ///< the statement's C of one layer, for the symbol Cmax
};

/// Numbers known only between two bounds (the minimal residual) are taken at this end, or as what encloses
/// both.
enum class End { low, high, both };

/// The symbols of statements on a reading of a simulated network (`rankfall explain --symbols` lists them):
/// - `n`, `d`, `L`, `H`, `d_qk`: tokens, width of state `from`, layers, most heads of a layer, query width
/// - `alpha`: |skip| of the first layer
/// - `beta`: largest |W_QK|_1 |W_h|_{1,inf} of the stretch
/// - `gamma`: of the reading, the one number whose chain equals the chain of the layers' gammas
/// - `r0`: residual of state `from`, minimal or about the reference
/// - `delta`, `diam_1`, `diam_2`, `diam_inf`: diameters of state `from`
/// - `a[h]`, `W_1[h]`, `W_inf[h]`, `W_c[h]`: constants of head h (from 1) of the first layer; with [l,h] of
///   layer l (from 0); without an index their maximum; 0 for a head that a layer does not have
/// - `op_1[h]`, `k_1[h]` and so for 2, inf: op_p(W_h), bil_p(W_QK,h)/(4 sqrt(d_qk))
/// - `lambda`, `lambda[l]`: |M|_{1,inf} of the MLP blocks that follow the first layer, layer l; 1 without
/// - `lambda_1`, `lambda_2`, `lambda_inf`: the same as Lipschitz constants in a vector norm
/// - `rate_1`, `rate_2`, `rate_inf`: largest sum_h op_p(W_h) tanh(k_h diam_p^2) of a layer, for the diameter
///   of state `from`
/// - `rho`: largest oscillation of a row of E in the stretch
/// - `sumrho`, `M`, `phi`, `E1`, `RW`: of head 1 of the first layer, sum of rho_i, max |E_ij|, (e^t-1)/t at
///   t = min(M, rho), |E|_1, |R W_h|_{1,inf}
/// - `Cmax`: largest C of a layer
/// - `WLambda_1[h]`, `WLambda_inf[h]`, `WLambda_c[h]`: W_1, W_inf, W_c of W_h times what the column
/// normalisations
///   behind the layer multiply; with [l,h] of layer l, without an index their maximum
/// - `stretch_1`, `stretch_2`, `stretch_inf`: how much the token normalisations behind the first layer
/// stretch distances
/// - `pre_stretch_1` and so on: the same for the pre_norm of the first layer; `g`: its largest |scale|
/// - `first`, `spread_1`, `spread_2`, `spread_inf`: |x_2 - x_1|_2 and the largest |x_i - x_1|_p of state
/// `from`
/// - `p[l]`, `sigma_min[l]`: of causal layer l with one head, P_22 and the least singular value of W
/// - `P_first`: of the first layer, the least weight of a token on the first
class Instance {
 public:
  Instance(Simulation& simulation, const Reading& reading, End end);
  /// Encloses the expression at the simulation's precision. Throws InputError for a symbol that is not listed
  /// above, DomainError where the expression is undefined or a symbol has no value on this reading.
  Magnitude evaluate(const Expression& e) const;

 private:
  /// The values of an expression's free symbols.
  Environment environment(const Expression& e) const;
  std::optional<Value> count(std::string_view name) const;
  std::optional<Magnitude> plain(std::string_view name) const;
  std::optional<Magnitude> of_layer(std::string_view name, std::size_t layer) const;
  std::optional<Magnitude> of_head(std::string_view name, std::size_t layer, std::size_t head) const;
  Magnitude largest(std::string_view name) const;
  Magnitude start() const;
  Magnitude beta() const;
  Magnitude gamma() const;
  Magnitude layer_gamma(std::size_t layer) const;
  Magnitude lambda(std::string_view name, std::size_t layer) const;
  std::optional<Magnitude> of_normalisation(std::string_view name) const;
  std::optional<Magnitude> of_causal(std::string_view name, std::size_t layer) const;
  std::optional<Magnitude> of_first_tokens(std::string_view name) const;
  std::optional<Magnitude> of_scaled_head(std::string_view name, std::size_t layer, std::size_t head) const;
  Magnitude largest_constant() const;
  Magnitude largest_rate(VectorNorm norm) const;
  const BlockView& view(std::size_t block) const;
  std::size_t most_heads() const;
  /// First state after layer l and the MLP blocks that follow it.
  std::size_t end_of(std::size_t layer) const;
  Precision precision() const { return simulation_.precision(); }

  Simulation& simulation_;
  Reading reading_;
  End end_;
  std::vector<std::size_t> layers_;  ///< the attention blocks of the stretch
};

/// The attention blocks among the blocks [from, to).
std::vector<std::size_t> attention_blocks(const Network& network, std::size_t from, std::size_t to);

/// The query width, when it is the same for every head of the blocks [from, to).
std::optional<Index> common_d_qk(const Network& network, std::size_t from, std::size_t to);

/// The left side of a bound on a reading, between two bounds (equal ones when it is enclosed).
Bracket left_side(Simulation& simulation, const Reading& reading, Quantity quantity);

}  // namespace rankfall::theory
