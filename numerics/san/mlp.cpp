#include "numerics/san/mlp.hpp"

#include <utility>

#include "numerics/activation.hpp"
#include "numerics/errors.hpp"
#include "numerics/norms.hpp"
#include "numerics/product.hpp"
#include "numerics/slope.hpp"

namespace rankfall {
namespace {

BallVector affine(const MlpWeights::Layer& layer, const BallVector& y, Precision p) {
  BallVector result = transposed_product(layer.W, y, p);
  for (Index k = 0; k < result.size(); ++k) result(k) = add(result(k), layer.bias(k), p);
  return result;
}

/// The smallest box that holds every token and the reference.
BallVector box(const ResidualState& state, Precision p) {
  BallVector result = state.reference;
  for (Index j = 0; j < result.size(); ++j)
    for (Index i = 0; i < state.residual.mantissa.rows(); ++i)
      result(j) =
          hull(result(j),
               add(state.reference(j), scale(state.residual.mantissa(i, j), state.residual.exponent), p), p);
  return result;
}

}  // namespace

MlpWeights weights(const MlpBlock& block, Precision p, const std::string& place) {
  MlpWeights result{Ball(block.skip, p), block.activation, {}};
  if (block.pre_norm)
    result.pre_norm = weights(*block.pre_norm, block.layers.front().W.rows(), place + ".pre_norm", p);
  for (const MlpBlock::Layer& layer : block.layers) {
    MlpWeights::Layer converted{layer.W.balls(p), BallVector(layer.W.cols())};
    for (Index k = 0; k < layer.b.cols(); ++k) converted.bias(k) = layer.b.ball(0, k, p);
    result.layers.push_back(std::move(converted));
  }
  return result;
}

ResidualState apply(const MlpWeights& mlp, const ResidualState& state, Precision p) {
  ResidualState seen = mlp.pre_norm ? apply(*mlp.pre_norm, state, p) : state;
  const Integer exponent = seen.residual.exponent;
  BallVector y = std::move(seen.reference);
  BallMatrix S = std::move(seen.residual.mantissa);
  for (std::size_t layer = 0; layer < mlp.layers.size(); ++layer) {
    y = affine(mlp.layers[layer], y, p);
    S = product(S, mlp.layers[layer].W, p);
    if (layer + 1 == mlp.layers.size()) break;
    for (Index k = 0; k < y.size(); ++k) {
      for (Index i = 0; i < S.rows(); ++i) S(i, k) = difference(mlp.activation, y(k), S(i, k), exponent, p);
      y(k) = value(mlp.activation, y(k), p);
    }
  }
  if (!is_zero(mlp.skip)) {
    const Integer shift = state.residual.exponent - exponent;
    for (Index k = 0; k < y.size(); ++k)
      arb_addmul(y(k).raw(), mlp.skip.raw(), state.reference(k).raw(), p.bits);
    for (Index i = 0; i < S.size(); ++i) {
      const Ball kept = scale(state.residual.mantissa.data()[i], shift);
      arb_addmul(S.data()[i].raw(), mlp.skip.raw(), kept.raw(), p.bits);
    }
  }
  ResidualState result{std::move(y), {std::move(S), exponent}};
  normalise(result.residual);
  return result;
}

BallMatrix lipschitz(const MlpWeights& mlp, const ResidualState& state, Precision p) {
  if (mlp.pre_norm) throw DomainError("the slopes of a block with pre_norm are not bounded");
  BallVector z = affine(mlp.layers.front(), box(state, p), p);
  BallMatrix jacobian = mlp.layers.front().W;
  const Slope slopes(mlp.activation, p);  // tight where the box is wide, and finite
  for (std::size_t layer = 1; layer < mlp.layers.size(); ++layer) {
    for (Index k = 0; k < z.size(); ++k) {
      const Ball slope = slopes.range(z(k));
      for (Index l = 0; l < jacobian.rows(); ++l) jacobian(l, k) = mul(jacobian(l, k), slope, p);
      z(k) = value(mlp.activation, z(k), p);
    }
    jacobian = product(jacobian, mlp.layers[layer].W, p);
    z = affine(mlp.layers[layer], z, p);
  }
  for (Index i = 0; i < jacobian.size(); ++i) jacobian.data()[i] = upper(abs(jacobian.data()[i]), p);
  if (!is_zero(mlp.skip))
    for (Index i = 0; i < jacobian.rows(); ++i)
      jacobian(i, i) = upper(add(jacobian(i, i), abs(mlp.skip), p), p);
  return jacobian;
}

Ball global_lipschitz(const MlpWeights& mlp, Precision p) {
  const Ball slope = Slope(mlp.activation, p).lipschitz();
  Ball one(1), inf(1);  // of |M|, in which a skip adds to the norms but not to their composite
  for (std::size_t layer = 0; layer < mlp.layers.size(); ++layer) {
    if (layer > 0) {
      one = mul(one, slope, p);
      inf = mul(inf, slope, p);
    }
    one = mul(one, norm_1(mlp.layers[layer].W, p), p);
    inf = mul(inf, norm_inf(mlp.layers[layer].W, p), p);
  }
  const Ball skip = abs(mlp.skip);
  return sqrt(mul(add(skip, one, p), add(skip, inf, p), p), p);
}

}  // namespace rankfall
