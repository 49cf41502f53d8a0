#include "numerics/san/attention.hpp"

#include <algorithm>
#include <utility>

#include "numerics/parallel.hpp"
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

BallMatrix rows_of(const BallMatrix& a, const std::vector<Index>& rows) {
  BallMatrix result(static_cast<Index>(rows.size()), a.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) result.row(static_cast<Index>(i)) = a.row(rows[i]);
  return result;
}

/// The softmax of each query's scores over the keys that it sees; unseen keys weigh exactly zero.
BallMatrix masked_attention(const Mask& mask, const BallVector& r, const ScaledMatrix& E, Precision p) {
  const Index n = E.mantissa.rows();
  BallMatrix P(n, n);
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> keys;
    for (Index j = 0; j < n; ++j)
      if (mask.allows(i, j)) keys.push_back(j);
    BallVector scores(static_cast<Index>(keys.size()));
    for (std::size_t k = 0; k < keys.size(); ++k)
      scores(static_cast<Index>(k)) = add(r(keys[k]), scaled_value(E.mantissa(i, keys[k]), E.exponent, p), p);
    const BallVector weights = softmax(scores, p);
    for (std::size_t k = 0; k < keys.size(); ++k) P(i, keys[k]) = weights(static_cast<Index>(k));
  }
  return P;
}

/// What a head sees: the state, and the keys of it when they are the same for every query.
struct View {
  const ResidualState& state;
  const Mask& mask;
  std::optional<std::vector<Index>> shared;  ///< fewer than all
  BallMatrix keys;                           ///< R of the shared keys

  View(const ResidualState& seen, const Mask& seen_through) : state(seen), mask(seen_through) {
    const Index n = seen.residual.mantissa.rows();
    shared = mask.shared_keys(n);
    if (shared && static_cast<Index>(shared->size()) < n) keys = rows_of(seen.residual.mantissa, *shared);
  }
  bool differs_between_queries() const { return !shared; }
  const BallMatrix& R() const { return keys.rows() > 0 ? keys : state.residual.mantissa; }
};

HeadTrace trace(const HeadWeights& head, const View& view, Precision p) {
  const Integer& exponent = view.state.residual.exponent;
  const BallVector r = reference_scores(head, view.state, p);
  const BallMatrix transposed = view.R().transpose();
  HeadTrace result;
  result.E = {head.scores.between(view.state.residual.mantissa, transposed, p), 2 * exponent};
  if (head.has_row_biases()) {
    const BallMatrix biases = row_biases(head, view.state, p);
    for (Index i = 0; i < result.E.mantissa.rows(); ++i)
      for (Index k = 0; k < transposed.cols(); ++k) {
        const Index j = view.shared ? (*view.shared)[static_cast<std::size_t>(k)] : k;
        Ball& entry = result.E.mantissa(i, k);
        entry = add(scale(entry, result.E.exponent), biases(i, j), p);
      }
    result.E.exponent = 0;
  }
  if (view.differs_between_queries()) {
    result.P = masked_attention(view.mask, r, result.E, p);
    return result;
  }
  BallVector shared_scores(transposed.cols());
  for (Index k = 0; k < shared_scores.size(); ++k)
    shared_scores(k) = r((*view.shared)[static_cast<std::size_t>(k)]);
  result.q = softmax(shared_scores, p);
  return result;
}

/// A sum of matrices on exponents of their own.
struct Change {
  BallMatrix sum;
  std::optional<Integer> exponent;

  void add(const BallMatrix& term, const Integer& on, Precision p) {
    if (!exponent) exponent = on;
    accumulate(sum, term, on - *exponent, p);
  }
};

}  // namespace

HeadWeights weights(const Head& head, Precision p) {
  HeadWeights result;
  const Ball root = sqrt(Ball(static_cast<long>(head.d_qk)), p), one(1);
  if (head.fused) {
    result.scores = WeightProduct(head.W_QK.balls(p), root, p);
    result.values = WeightProduct(head.W.balls(p), one, p);
    result.key_bias = BallVector(head.input_width());
  } else {
    const BallMatrix keys = head.W_K.balls(p);
    result.scores = WeightProduct(head.W_Q.balls(p), keys.transpose(), root, p);
    result.key_bias = head.b_Q.empty() ? BallVector(keys.rows()) : product(keys, row_vector(head.b_Q, p), p);
    result.values = head.W_O.empty() ? WeightProduct(head.W_V.balls(p), one, p)
                                     : WeightProduct(head.W_V.balls(p), head.W_O.balls(p), one, p);
  }
  for (Index i = 0; i < result.key_bias.size(); ++i)
    arb_div(result.key_bias(i).raw(), result.key_bias(i).raw(), root.raw(), p.bits);
  if (!head.score_bias.empty()) result.score_bias = head.score_bias.balls(p);
  if (!head.relative_keys.empty()) {
    result.queries = head.W_Q.balls(p);
    result.relative_keys = head.relative_keys.balls(p);
    for (Index i = 0; i < result.relative_keys.size(); ++i)
      arb_div(result.relative_keys.data()[i].raw(), result.relative_keys.data()[i].raw(), root.raw(), p.bits);
    result.relative_bias = head.b_R.empty() ? BallVector(head.d_qk) : row_vector(head.b_R, p);
  }
  return result;
}

AttentionWeights weights(const AttentionBlock& block, Precision p, const std::string& place) {
  AttentionWeights result;
  result.mask = block.mask;
  if (block.pre_norm)
    result.pre_norm = weights(*block.pre_norm, block.heads.front().input_width(), place + ".pre_norm", p);
  result.skip = Ball(block.skip, p);
  result.bias = block.b_O.empty() ? BallVector(block.heads.front().output_width()) : row_vector(block.b_O, p);
  result.heads.resize(block.heads.size());
  in_parallel(block.heads.size(), [&](std::size_t h) { result.heads[h] = weights(block.heads[h], p); });
  for (const Head& head : block.heads) {
    if (head.b_V.empty()) continue;
    const BallVector bias = row_vector(head.b_V, p);
    accumulate(result.bias, head.W_O.empty() ? bias : transposed_product(head.W_O.balls(p), bias, p), p);
  }
  return result;
}

BallMatrix row_biases(const HeadWeights& head, const ResidualState& state, Precision p) {
  const Index n = state.residual.mantissa.rows();
  BallMatrix result = head.score_bias.size() > 0 ? head.score_bias : BallMatrix(n, n);
  if (head.relative_keys.size() == 0) return result;
  BallVector common = transposed_product(head.queries, state.reference, p);
  accumulate(common, head.relative_bias, p);
  const BallMatrix moved = product(state.residual.mantissa, head.queries, p);
  for (Index i = 0; i < n; ++i) {
    BallVector query(common.size());
    for (Index c = 0; c < query.size(); ++c)
      query(c) = add(common(c), scaled_value(moved(i, c), state.residual.exponent, p), p);
    for (Index j = 0; j < n; ++j)
      for (Index c = 0; c < query.size(); ++c)
        arb_addmul(result(i, j).raw(), query(c).raw(), head.relative_keys(i - j + n - 1, c).raw(), p.bits);
  }
  return result;
}

namespace {

/// What a head adds to the residual and to the reference.
struct Contribution {
  HeadTrace seen;
  BallMatrix change;
  Integer exponent;
  BallVector reference;
};

Contribution contribution(const HeadWeights& head, const View& view, bool traced, Precision p) {
  Contribution result;
  HeadTrace& seen = result.seen = trace(head, view, p);
  seen.values = {head.values.before(view.R(), p), view.state.residual.exponent};
  if (traced) seen.values.mantissa = head.values.towards(std::move(seen.values.mantissa), p);
  const auto mixed = [&](const BallMatrix& weights) {
    BallMatrix sum = product(weights, seen.values.mantissa, p);
    return traced ? sum : head.values.towards(std::move(sum), p);
  };
  BallVector attended = view.state.reference;
  if (view.differs_between_queries()) {
    result.change = mixed(seen.P);
    result.exponent = seen.values.exponent;
  } else {
    const ScaledMatrix D = softmax_deviation(seen.q, seen.E, p);
    result.change = mixed(D.mantissa);
    result.exponent = D.exponent + seen.values.exponent;
    const BallVector moved = transposed_product(view.R(), seen.q, p);
    for (Index j = 0; j < attended.size(); ++j)
      attended(j) = add(attended(j), scale(moved(j), view.state.residual.exponent), p);
  }
  result.reference = transposed_product(head.values, attended, p);
  return result;
}

/// Applies the block; what the heads did goes into `traces` if there is such a list. As many heads at a time
/// as there are threads for, so that no more of them are kept.
ResidualState applied(const AttentionWeights& attention, const ResidualState& state, Precision p,
                      std::vector<HeadTrace>* traces) {
  const ResidualState normed = attention.pre_norm ? apply(*attention.pre_norm, state, p) : ResidualState{};
  const View view(attention.pre_norm ? normed : state, attention.mask);
  const Index n = state.residual.mantissa.rows(), d_out = attention.bias.size();
  Change change{BallMatrix(n, d_out), std::nullopt};
  BallVector reference = attention.bias;
  const std::size_t at_a_time = thread_allowance();
  for (std::size_t first = 0; first < attention.heads.size(); first += at_a_time) {
    std::vector<Contribution> heads(std::min(at_a_time, attention.heads.size() - first));
    in_parallel(heads.size(),
                [&](std::size_t h) { heads[h] = contribution(attention.heads[first + h], view, traces, p); });
    for (Contribution& head : heads) {
      change.add(head.change, head.exponent, p);
      accumulate(reference, head.reference, p);
      if (traces) traces->push_back(std::move(head.seen));
    }
  }
  ResidualState output;
  if (is_zero(attention.skip)) {
    output = {std::move(reference), {std::move(change.sum), *change.exponent}};
  } else {
    const Integer& exponent = state.residual.exponent;
    BallMatrix residual(n, d_out);
    for (Index i = 0; i < residual.size(); ++i)
      residual.data()[i] = mul(attention.skip, state.residual.mantissa.data()[i], p);
    accumulate(residual, change.sum, *change.exponent - exponent, p);
    for (Index j = 0; j < d_out; ++j)
      arb_addmul(reference(j).raw(), attention.skip.raw(), state.reference(j).raw(), p.bits);
    output = {std::move(reference), {std::move(residual), exponent}};
  }
  normalise(output.residual);
  return output;
}

}  // namespace

BlockTrace apply(const AttentionWeights& attention, const ResidualState& state, Precision p) {
  BlockTrace result;
  result.output = applied(attention, state, p, &result.heads);
  return result;
}

ResidualState advance(const AttentionWeights& attention, const ResidualState& state, Precision p) {
  return applied(attention, state, p, nullptr);
}

}  // namespace rankfall
