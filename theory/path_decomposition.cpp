#include "theory/path_decomposition.hpp"

#include <optional>

#include "numerics/errors.hpp"
#include "numerics/product.hpp"
#include "numerics/softmax.hpp"

namespace rankfall::theory {
namespace {

/// One way through a layer: attention map P = 1 q^T + D, values W.
struct Way {
  BallMatrix P, D, W;
};

struct Layer {
  std::optional<Ball> skip;  ///< none when it is 0: no path takes it
  std::vector<Way> heads;
  BallVector bias;
};

BallMatrix unscaled(const ScaledMatrix& matrix) {
  BallMatrix result = matrix.mantissa;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = scale(result.data()[i], matrix.exponent);
  return result;
}

BallMatrix identity(Index size) {
  BallMatrix result(size, size);
  for (Index i = 0; i < size; ++i) result(i, i) = Ball(1);
  return result;
}

/// sum + term; an empty sum is zero.
void accumulate(BallMatrix& sum, const BallMatrix& term, Precision p) {
  if (sum.size() == 0) sum = BallMatrix(term.rows(), term.cols());
  for (Index i = 0; i < sum.size(); ++i) sum.data()[i] = add(sum.data()[i], term.data()[i], p);
}

BallMatrix times(const Ball& factor, BallMatrix matrix, Precision p) {
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = mul(factor, matrix.data()[i], p);
  return matrix;
}

/// 1 row^T + matrix.
BallMatrix shifted(const BallVector& row, BallMatrix matrix, Precision p) {
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = add(row(j), matrix(i, j), p);
  return matrix;
}

/// The columns of `keys` in a matrix of n columns, zero elsewhere.
BallMatrix widened(const BallMatrix& columns, const std::vector<Index>& keys, Index n) {
  BallMatrix result(columns.rows(), n);
  for (std::size_t k = 0; k < keys.size(); ++k) result.col(keys[k]) = columns.col(static_cast<Index>(k));
  return result;
}

/// P and D of a head; where the queries see different keys the residual moves with P itself.
Way way_of(const HeadTrace& head, const Mask& mask, const BallMatrix& values, Precision p) {
  if (head.P.rows() > 0) return {head.P, head.P, values};
  const Index n = head.E.mantissa.rows();
  const BallMatrix D = unscaled(softmax_deviation(head.q, head.E, p)), P = shifted(head.q, D, p);
  const std::vector<Index> keys = *mask.shared_keys(n);
  return {widened(P, keys, n), widened(D, keys, n), values};
}

Layer layer_of(const AttentionWeights& weights, const BlockTrace& trace, Precision p) {
  Layer layer{std::nullopt, {}, weights.bias};
  if (!is_zero(weights.skip)) layer.skip = weights.skip;
  for (std::size_t h = 0; h < weights.heads.size(); ++h)
    layer.heads.push_back(way_of(trace.heads[h], weights.mask, weights.heads[h].values.composed(p), p));
  return layer;
}

/// The sums of one kind of matrix, by length.
struct Sums {
  std::vector<BallMatrix> output, residual;
};

/// Goes through all paths, depth first.
class Enumeration {
 public:
  Enumeration(const std::vector<Layer>& layers, const BallMatrix& X, const BallMatrix& R, Precision p)
      : layers_(layers),
        X_(X),
        R_(R),
        p_(p),
        sums_{Sums{std::vector<BallMatrix>(layers.size() + 1), std::vector<BallMatrix>(layers.size() + 1)}} {
    visit(0, 0, {identity(X.rows()), identity(X.rows()), identity(X.cols())});
  }
  const Sums& sums() const { return sums_; }

 private:
  void visit(std::size_t l, std::size_t length, const Way& path) {
    if (l == layers_.size()) {
      accumulate(sums_.output[length], product(product(path.P, X_, p_), path.W, p_), p_);
      accumulate(sums_.residual[length], product(product(path.D, R_, p_), path.W, p_), p_);
      return;
    }
    const Layer& layer = layers_[l];
    if (layer.skip) visit(l + 1, length, {path.P, path.D, times(*layer.skip, path.W, p_)});
    for (const Way& head : layer.heads)
      visit(l + 1, length + 1,
            {product(head.P, path.P, p_), product(head.D, path.D, p_), product(path.W, head.W, p_)});
  }

  const std::vector<Layer>& layers_;
  const BallMatrix &X_, &R_;
  Precision p_;
  Sums sums_;
};

/// One layer further: the paths of length k are those of length k that skip and those of length k - 1 that
/// take a head. `map` picks the attention map.
std::vector<BallMatrix> advanced(const std::vector<BallMatrix>& sums, const Layer& layer,
                                 BallMatrix Way::*map, Precision p) {
  std::vector<BallMatrix> result(sums.size() + 1);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (sums[k].size() == 0) continue;
    if (layer.skip) accumulate(result[k], times(*layer.skip, sums[k], p), p);
    for (const Way& head : layer.heads)
      accumulate(result[k + 1], product(product(head.*map, sums[k], p), head.W, p), p);
  }
  return result;
}

Sums summed_by_length(const std::vector<Layer>& layers, const BallMatrix& X, const BallMatrix& R,
                      Precision p) {
  Sums sums{{X}, {R}};
  for (const Layer& layer : layers) {
    sums.output = advanced(sums.output, layer, &Way::P, p);
    sums.residual = advanced(sums.residual, layer, &Way::D, p);
  }
  return sums;
}

/// Number of paths of each length.
std::vector<Integer> counts(const Network& network) {
  std::vector<Integer> of_length{1};
  for (std::size_t block = 0; block < network.blocks.size(); ++block) {
    const auto* attention = std::get_if<AttentionBlock>(&network.blocks[block]);
    if (!attention)
      throw InputError("blocks[" + std::to_string(block) + "] is of kind " + kind(network.blocks[block]) +
                       "; paths are those of attention blocks");
    if (attention->pre_norm)
      throw InputError("blocks[" + std::to_string(block) +
                       "] has a pre_norm; paths are those of attention alone");
    of_length.emplace_back(0);
    for (std::size_t k = of_length.size(); k-- > 0;)
      of_length[k] = (attention->skip.is_zero() ? Integer(0) : of_length[k]) +
                     (k == 0 ? Integer(0) : of_length[k - 1] * static_cast<long>(attention->heads.size()));
  }
  return of_length;
}

/// whole - sum of parts - 1 row^T.
BallMatrix difference(BallMatrix whole, const std::vector<BallMatrix>& parts, const BallVector& row,
                      Precision p) {
  for (const BallMatrix& part : parts)
    for (Index i = 0; i < part.size(); ++i) whole.data()[i] = sub(whole.data()[i], part.data()[i], p);
  for (Index i = 0; i < whole.rows(); ++i)
    for (Index j = 0; j < whole.cols(); ++j) whole(i, j) = sub(whole(i, j), row(j), p);
  return whole;
}

}  // namespace

Integer path_total(const Network& network) {
  Integer total = 0;
  for (const Integer& count : counts(network)) total += count;
  return total;
}

PathDecomposition path_decomposition(const Network& network, PathSums sums, Precision p) {
  const std::vector<Integer> of_length = counts(network);
  PathDecomposition result;
  result.paths = path_total(network);
  if (sums == PathSums::enumerated && result.paths > most_enumerated_paths)
    throw InputError("the network has " + result.paths.str() + " paths; at most " +
                     std::to_string(most_enumerated_paths) + " are enumerated");
  const ResidualEngine engine(network, p);
  ResidualState state = engine.input(Reference::mean);
  const BallMatrix R = unscaled(state.residual), X = network.input.balls(p);
  std::vector<Layer> layers;
  result.constant = BallVector(network.dim());
  for (std::size_t block = 0; block < engine.blocks(); ++block) {
    BlockTrace trace = engine.apply(block, state);
    layers.push_back(layer_of(engine.attention(block), trace, p));
    state = std::move(trace.output);
    BallVector constant = layers.back().bias;
    for (const Way& head : layers.back().heads) {
      const BallVector carried = transposed_product(head.W, result.constant, p);
      for (Index j = 0; j < constant.size(); ++j) constant(j) = add(constant(j), carried(j), p);
    }
    if (layers.back().skip)
      for (Index j = 0; j < constant.size(); ++j)
        constant(j) = add(constant(j), mul(*layers.back().skip, result.constant(j), p), p);
    result.constant = std::move(constant);
  }
  result.residual = unscaled(state.residual);
  result.output = shifted(state.reference, result.residual, p);
  Sums found =
      sums == PathSums::enumerated ? Enumeration(layers, X, R, p).sums() : summed_by_length(layers, X, R, p);
  result.output_difference = difference(result.output, found.output, result.constant, p);
  result.residual_difference =
      difference(result.residual, found.residual, BallVector(result.residual.cols()), p);
  for (std::size_t k = 0; k < of_length.size(); ++k) {
    const auto whole = [&](BallMatrix& sum) {
      return sum.size() == 0 ? BallMatrix(result.output.rows(), result.output.cols()) : std::move(sum);
    };
    result.lengths.push_back({k, of_length[k], whole(found.output[k]), whole(found.residual[k])});
  }
  return result;
}

}  // namespace rankfall::theory
