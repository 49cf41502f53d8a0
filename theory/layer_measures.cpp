#include "theory/layer_measures.hpp"

#include <optional>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/least_singular_value.hpp"

namespace rankfall::theory {
namespace {

/// Least sum and least maximum of two of the numbers.
struct LeastPair {
  Ball sum, maximum;
};

LeastPair least_pair(const BallVector& numbers, Precision p) {
  Ball first = min(numbers(0), numbers(1), p), second = max(numbers(0), numbers(1), p);
  for (Index i = 2; i < numbers.size(); ++i) {
    second = min(second, max(first, numbers(i), p), p);
    first = min(first, numbers(i), p);
  }
  return {add(first, second, p), second};
}

Ball largest_gain(const NormalisationWeights& norm, Precision p) {
  Ball top;
  for (Index k = 0; k < norm.scale.size(); ++k) top = max(top, abs(norm.scale(k)), p);
  return top;
}

Ball norm_of(const BallVector& v, VectorNorm norm, Precision p) {
  Ball sum, squares, top;
  for (Index k = 0; k < v.size(); ++k) {
    const Ball size = abs(v(k));
    sum = add(sum, size, p);
    squares = add(squares, mul(size, size, p), p);
    top = max(top, size, p);
  }
  return norm == VectorNorm::one ? sum : norm == VectorNorm::two ? sqrt(squares, p) : top;
}

BallVector between_tokens(const BallMatrix& a, Index i, Index k, Precision p) {
  BallVector result(a.cols());
  for (Index j = 0; j < a.cols(); ++j) result(j) = sub(a(i, j), a(k, j), p);
  return result;
}

const NormalisationWeights& normalisation_before(Simulation& simulation, std::size_t block) {
  const auto& norm = simulation.engine().attention(block).pre_norm;
  if (!norm) throw DomainError("an attention block without pre_norm");
  return *norm;
}

}  // namespace

std::vector<ScaledValues> scaled_values(Simulation& simulation, std::size_t block, std::size_t to) {
  const Precision p = simulation.precision();
  const auto& heads = simulation.engine().attention(block).heads;
  BallVector factors;
  Integer exponent = 0;
  for (std::size_t k = block + 1; k < to; ++k) {
    const ColumnFactors more =
        column_factors(simulation.engine().normalisation(k), simulation.start(k, Reference::mean), p);
    if (factors.size() == 0) factors = BallVector::Constant(more.mantissa.size(), Ball(1));
    for (Index j = 0; j < factors.size(); ++j) factors(j) = mul(factors(j), more.mantissa(j), p);
    exponent += more.exponent;
  }
  std::vector<ScaledValues> result;
  for (const HeadWeights& head : heads) {
    BallMatrix W = head.values.composed(p);
    for (Index i = 0; factors.size() > 0 && i < W.rows(); ++i)
      for (Index j = 0; j < W.cols(); ++j) W(i, j) = mul(W(i, j), factors(j), p);
    result.push_back({Magnitude(norm_1(W, p), exponent, p), Magnitude(norm_inf(W, p), exponent, p),
                      Magnitude(composite_norm(W, p), exponent, p)});
  }
  return result;
}

Magnitude stretch(const NormalisationWeights& norm, const ResidualState& state, VectorNorm vector_norm,
                  Precision p) {
  const Index n = state.residual.mantissa.rows(), d = state.reference.size();
  if (n == 1) return {};  // no two tokens
  const LeastPair rho = least_pair(token_deviations(norm, state, p), p);
  const Ball gain = largest_gain(norm, p);
  if (vector_norm == VectorNorm::two) return Magnitude(div(scale(gain, 1L), rho.sum, p), p);
  // sqrt(d) (1 + sqrt(d)) over sqrt(d) rho, times the norm 2 - 2/d of the centring
  const Ball lift = add(Ball(1), sqrt(Ball(static_cast<long>(d)), p), p);
  const Ball centring(Rational(2) - Rational(2) / Rational(static_cast<long>(d)), p);
  return Magnitude(div(mul(gain, mul(lift, centring, p), p), rho.maximum, p), p);
}

Magnitude stretch_behind(Simulation& simulation, std::size_t block, std::size_t to, VectorNorm vector_norm) {
  const Precision p = simulation.precision();
  Magnitude result(Rational(1), p);
  for (std::size_t k = block + 1; k < to; ++k)
    result = mul(
        result,
        stretch(simulation.engine().normalisation(k), simulation.start(k, Reference::mean), vector_norm, p),
        p);
  return result;
}

Magnitude stretch_before(Simulation& simulation, std::size_t block, VectorNorm vector_norm) {
  return stretch(normalisation_before(simulation, block), simulation.start(block, Reference::mean),
                 vector_norm, simulation.precision());
}

Magnitude gain_before(Simulation& simulation, std::size_t block) {
  const Precision p = simulation.precision();
  return Magnitude(largest_gain(normalisation_before(simulation, block), p), p);
}

CausalWeights causal_weights(Simulation& simulation, std::size_t block) {
  const Precision p = simulation.precision();
  const BlockTrace trace = simulation.engine().apply(block, simulation.start(block, Reference::mean), p);
  const BallMatrix& P = trace.heads.front().P;
  if (P.rows() < 2) throw DomainError("causal weights of a block whose queries all see the same keys");
  Ball least = P(0, 0);
  for (Index i = 1; i < P.rows(); ++i) least = min(least, P(i, 0), p);
  const Head& head = std::get<AttentionBlock>(simulation.network().blocks[block]).heads.front();
  const bool deficient =
      !head.fused && head.W_V.cols() < head.W_V.rows();  // the rank of W_V W_O is too small
  const WeightProduct& values = simulation.engine().attention(block).heads.front().values;
  const Ball sigma = deficient ? Ball() : least_singular_value(values.composed(p), p);
  return {Magnitude(P(1, 1), p), Magnitude(least, p), Magnitude(sigma, p)};
}

Magnitude first_difference(Simulation& simulation, std::size_t k) {
  const Precision p = simulation.precision();
  const ScaledMatrix R = simulation.start(k, Reference::mean).residual;
  if (R.mantissa.rows() < 2) throw DomainError("there is no second token");
  return Magnitude(norm_of(between_tokens(R.mantissa, 1, 0, p), VectorNorm::two, p), R.exponent, p);
}

Magnitude spread(Simulation& simulation, std::size_t k, VectorNorm vector_norm) {
  const Precision p = simulation.precision();
  const ScaledMatrix R = simulation.start(k, Reference::mean).residual;
  Ball top;
  for (Index i = 1; i < R.mantissa.rows(); ++i)
    top = max(top, norm_of(between_tokens(R.mantissa, i, 0, p), vector_norm, p), p);
  return Magnitude(top, R.exponent, p);
}

Magnitude residual_behind(Simulation& simulation, std::size_t from, std::size_t to, Reference reference) {
  ResidualState state = simulation.start(from, reference);
  for (std::size_t block = from; block < to; ++block) state = simulation.engine().apply(block, state).output;
  return residual_norm(state, simulation.precision());
}

}  // namespace rankfall::theory
