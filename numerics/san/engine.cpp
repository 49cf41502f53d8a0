#include "numerics/san/engine.hpp"

#include <algorithm>

#include "numerics/product.hpp"
#include "numerics/softmax.hpp"

namespace rankfall {
namespace {

BallVector row_vector(const ExactMatrix& row, Precision p) {
  BallVector result(row.cols());
  for (Index j = 0; j < row.cols(); ++j) result(j) = row.ball(0, j, p);
  return result;
}

void accumulate(BallVector& sum, const BallVector& term, Precision p) {
  for (Index j = 0; j < sum.size(); ++j) arb_add(sum(j).raw(), sum(j).raw(), term(j).raw(), p.bits);
}

/// sum += 2^shift * term.
void accumulate(BallMatrix& sum, const BallMatrix& term, const Integer& shift, Precision p) {
  for (Index i = 0; i < sum.size(); ++i) {
    const Ball moved = shift == 0 ? term.data()[i] : scale(term.data()[i], shift);
    arb_add(sum.data()[i].raw(), sum.data()[i].raw(), moved.raw(), p.bits);
  }
}

/// The scores of the reference up to a constant: R (A^T x + W_K b_Q / sqrt(d_qk)).
BallVector reference_scores(const HeadWeights& head, const ResidualState& state, Precision p) {
  BallVector direction = transposed_product(head.scores, state.reference, p);
  accumulate(direction, head.key_bias, p);
  BallVector r = product(state.residual.mantissa, direction, p);
  for (Index j = 0; j < r.size(); ++j) r(j) = scaled_value(r(j), state.residual.exponent, p);
  return r;
}

HeadTrace trace(const HeadWeights& head, const ResidualState& state, Precision p) {
  const BallMatrix& R = state.residual.mantissa;
  const Integer& exponent = state.residual.exponent;
  HeadTrace result;
  result.q = softmax(reference_scores(head, state, p), p);
  const BallMatrix transposed = R.transpose();
  result.E = {product(product(R, head.scores, p), transposed, p), 2 * exponent};
  result.values = {product(R, head.values, p), exponent};
  return result;
}

}  // namespace

HeadWeights weights(const Head& head, Precision p) {
  HeadWeights result;
  const Ball root = sqrt(Ball(static_cast<long>(head.d_qk)), p);
  if (head.fused) {
    result.scores = head.W_QK.balls(p);
    result.values = head.W.balls(p);
    result.key_bias = BallVector(head.input_width());
  } else {
    const BallMatrix keys = head.W_K.balls(p), keys_transposed = keys.transpose();
    result.scores = product(head.W_Q.balls(p), keys_transposed, p);
    result.key_bias = head.b_Q.empty() ? BallVector(keys.rows()) : product(keys, row_vector(head.b_Q, p), p);
    result.values = head.W_O.empty() ? head.W_V.balls(p) : product(head.W_V.balls(p), head.W_O.balls(p), p);
  }
  for (Index i = 0; i < result.scores.size(); ++i)
    arb_div(result.scores.data()[i].raw(), result.scores.data()[i].raw(), root.raw(), p.bits);
  for (Index i = 0; i < result.key_bias.size(); ++i)
    arb_div(result.key_bias(i).raw(), result.key_bias(i).raw(), root.raw(), p.bits);
  return result;
}

AttentionWeights weights(const AttentionBlock& block, Precision p) {
  AttentionWeights result;
  result.skip = Ball(block.skip, p);
  result.bias = block.b_O.empty() ? BallVector(block.heads.front().output_width()) : row_vector(block.b_O, p);
  for (const Head& head : block.heads) {
    result.heads.push_back(weights(head, p));
    if (head.b_V.empty()) continue;
    const BallVector bias = row_vector(head.b_V, p);
    accumulate(result.bias, head.W_O.empty() ? bias : transposed_product(head.W_O.balls(p), bias, p), p);
  }
  return result;
}

ResidualEngine::ResidualEngine(const Network& network, Precision p) : input_(network.input), precision_(p) {
  validate(network);
  for (const Block& block : network.blocks)
    std::visit([&](const auto& kind) { blocks_.emplace_back(weights(kind, p)); }, block);
}

ResidualState ResidualEngine::input(Reference reference) const {
  const Index n = input_.rows(), d = input_.cols();
  ResidualState state{BallVector(d), {BallMatrix(n, d), 0}};
  std::vector<Rational> column(static_cast<std::size_t>(n));
  for (Index j = 0; j < d; ++j) {
    for (Index i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = input_(i, j);
    Rational y = 0;
    if (reference == Reference::mean) {
      for (const Rational& value : column) y += value;
      y /= Rational(static_cast<long>(n));
    } else {
      std::vector<Rational> sorted = column;
      std::sort(sorted.begin(), sorted.end());
      const std::size_t last = sorted.size() - 1;
      y = reference == Reference::median ? Rational(sorted[last / 2] + sorted[(last + 1) / 2])
                                         : Rational(sorted.front() + sorted.back());
      y /= 2;
    }
    state.reference(j) = Ball(y, precision_);
    for (Index i = 0; i < n; ++i)
      state.residual.mantissa(i, j) = Ball(Rational(column[static_cast<std::size_t>(i)] - y), precision_);
  }
  normalise(state.residual);
  return state;
}

BlockTrace apply(const AttentionWeights& attention, const ResidualState& state, Precision p) {
  const Integer& exponent = state.residual.exponent;
  const Index n = state.residual.mantissa.rows(), d_out = attention.bias.size();
  BlockTrace result;
  BallMatrix change(n, d_out);
  BallVector reference = attention.bias;
  Integer deviation_exponent = 0;
  for (const HeadWeights& head : attention.heads) {
    HeadTrace seen = trace(head, state, p);
    const ScaledMatrix D = softmax_deviation(seen.q, seen.E, p);
    deviation_exponent = D.exponent;
    accumulate(change, product(D.mantissa, seen.values.mantissa, p), 0, p);
    BallVector attended = transposed_product(state.residual.mantissa, seen.q, p);
    for (Index j = 0; j < attended.size(); ++j)
      attended(j) = add(state.reference(j), scale(attended(j), exponent), p);
    accumulate(reference, transposed_product(head.values, attended, p), p);
    result.heads.push_back(std::move(seen));
  }
  if (is_zero(attention.skip)) {
    result.output = {std::move(reference), {std::move(change), exponent + deviation_exponent}};
  } else {
    BallMatrix residual(n, d_out);
    for (Index i = 0; i < residual.size(); ++i)
      residual.data()[i] = mul(attention.skip, state.residual.mantissa.data()[i], p);
    accumulate(residual, change, deviation_exponent, p);
    for (Index j = 0; j < d_out; ++j)
      arb_addmul(reference(j).raw(), attention.skip.raw(), state.reference(j).raw(), p.bits);
    result.output = {std::move(reference), {std::move(residual), exponent}};
  }
  normalise(result.output.residual);
  return result;
}

BlockTrace ResidualEngine::apply(std::size_t block, const ResidualState& state) const {
  if (const auto* mlp = std::get_if<MlpWeights>(&blocks_[block]))
    return {{}, rankfall::apply(*mlp, state, precision_)};
  return rankfall::apply(std::get<AttentionWeights>(blocks_[block]), state, precision_);
}

std::vector<ResidualState> mean_states(const ResidualEngine& engine) {
  std::vector<ResidualState> states{engine.input(Reference::mean)};
  for (std::size_t block = 0; block < engine.blocks(); ++block)
    states.push_back(
        recentred(engine.apply(block, states.back()).output, Reference::mean, engine.precision()));
  return states;
}

}  // namespace rankfall
