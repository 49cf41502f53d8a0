#include "numerics/san/rank_one.hpp"

#include "numerics/product.hpp"
#include "numerics/softmax.hpp"

namespace rankfall {
namespace {

constexpr Precision coarse(64);  // of bounds

Ball up(const Ball& a) {
  return upper(a, coarse);
}
/// Upper bounds of sums, products, quotients.
Ball plus(const Ball& a, const Ball& b) {
  return up(add(a, b, coarse));
}
Ball times(const Ball& a, const Ball& b) {
  return up(mul(a, b, coarse));
}
template <class... Rest>
Ball times(const Ball& a, const Ball& b, const Rest&... rest) {
  return times(times(a, b), rest...);
}
Ball over(const Ball& a, const Ball& b) {
  return up(div(a, lower(abs(b), coarse), coarse));
}

/// Upper bound of the Euclidean norm of the entries.
template <class Numbers>
Ball size(const Numbers& a) {
  Ball sum;
  for (Index i = 0; i < a.size(); ++i)
    arb_addmul(sum.raw(), a.data()[i].raw(), a.data()[i].raw(), coarse.bits);
  return up(sqrt(sum, coarse));
}

void widen(Ball& a, const Ball& by) {
  arb_add_error(a.raw(), by.raw());
}
void widen(BallVector& a, const Ball& by) {
  for (Index i = 0; i < a.size(); ++i) widen(a(i), by);
}

Index largest(const BallVector& a) {
  Index best = 0;
  for (Index i = 1; i < a.size(); ++i)
    if (midpoint_less(abs(a(best)), abs(a(i)))) best = i;
  return best;
}

/// u^T J u: the sum of squares about the mean.
Ball spread(const BallVector& u, Precision p) {
  Ball sum;
  for (Index i = 0; i < u.size(); ++i) sum = add(sum, u(i), p);
  const Ball mean_square = div(mul(sum, sum, p), Ball(static_cast<long>(u.size())), p);
  return sub(dot(u, u, p), mean_square, p);
}

/// Upper bound of 2^exponent |scale| a; far below any use at p bits, of that.
Ball magnitude(const Ball& a, const RankOneState& state, Precision p) {
  return up(abs(scaled_value(times(a, up(abs(state.scale))), state.exponent, p)));
}

}  // namespace

bool keeps_rank_one(const AttentionWeights& attention, Index tokens) {
  if (attention.heads.size() != 1 || attention.pre_norm || !is_zero(attention.skip)) return false;
  if (attention.heads.front().has_row_biases()) return false;
  const auto keys = attention.mask.shared_keys(tokens);
  return keys && static_cast<Index>(keys->size()) == tokens;
}

std::optional<RankOneState> rank_one(const ResidualState& state, Precision p) {
  const BallMatrix& R = state.residual.mantissa;
  if (state.residual.exponent > -p.bits)
    return std::nullopt;  // what is beyond leading order is not yet small
  Index row = 0, col = 0;
  for (Index i = 0; i < R.rows(); ++i)
    for (Index j = 0; j < R.cols(); ++j)
      if (midpoint_less(abs(R(row, col)), abs(R(i, j)))) row = i, col = j;
  const Ball pivot = midpoint(R(row, col));
  if (is_zero(pivot) || !is_finite(R(row, col))) return std::nullopt;

  RankOneState result{state.reference,      state.residual.exponent, Ball(1),
                      BallVector(R.rows()), BallVector(R.cols()),    Ball()};
  for (Index j = 0; j < R.cols(); ++j)
    result.v(j) = j == col ? Ball(1) : midpoint(div(midpoint(R(row, j)), pivot, p));
  const Ball square = dot(result.v, result.v, p);
  BallMatrix rest(R.rows(), R.cols()), known(R.rows(), R.cols());
  for (Index i = 0; i < R.rows(); ++i) {
    Ball along;
    for (Index j = 0; j < R.cols(); ++j) arb_addmul(along.raw(), R(i, j).raw(), result.v(j).raw(), p.bits);
    result.u(i) = div(along, square, p);
    for (Index j = 0; j < R.cols(); ++j) {
      rest(i, j) = sub(R(i, j), mul(result.u(i), result.v(j), p), p);
      known(i, j) = midpoint(rest(i, j));
    }
  }
  result.rest = size(rest);
  if (!is_finite(result.rest)) return std::nullopt;
  // Near to rank one: what is seen of the rest is no more than what is not known of it.
  const Ball rounding = times(scale(Ball(1), -p.bits + 8), size(R)), seen = size(known);
  const Ball unknown = sub(result.rest, seen, coarse);
  if (!certainly_less(seen, add(rounding, scale(unknown, 4), coarse))) return std::nullopt;
  return result;
}

std::optional<RankOneState> advance(const AttentionWeights& attention, const RankOneState& state,
                                    Precision p) {
  const HeadWeights& head = attention.heads.front();
  const Ball tokens(static_cast<long>(state.u.size()));
  const Ball s = dot(transposed_product(head.scores, state.v, p), state.v, p), omega = spread(state.u, p);
  if (contains_zero(s) || contains_zero(omega)) return std::nullopt;
  const Ball lambda = div(mul(omega, s, p), tokens, p);

  // Bounds: alpha and w of the weights; mu, nu, beta of u, v, B; rho of u v^T + B; all of R itself; t of the
  // scores between tokens, tau of the reference's.
  const Ball alpha = up(head.scores.size_bound(coarse)), w = up(head.values.size_bound(coarse));
  const Ball mu = size(state.u), nu = size(state.v), beta = state.rest, rho = plus(times(mu, nu), beta);
  const Ball all = magnitude(rho, state, p), t = times(alpha, all, all),
             tau = times(all, plus(times(alpha, size(state.reference)), size(head.key_bias)));
  const Ball eighth = scale(Ball(1), -3);
  if (!certainly_less(t, eighth) || !certainly_less(tau, eighth)) return std::nullopt;

  // What B does to u and to y in first order, and what remains (docs/engine, rank one).
  const Ball to_u =
      plus(over(times(beta, alpha, nu), s), over(over(times(alpha, nu, beta, mu, mu), s), omega));
  const Ball to_y = over(times(mu, beta, w), omega);
  const Ball cross = times(up(abs(lambda)), to_u, to_y);
  const Ball higher =
      times(over(times(alpha, w), tokens), times(beta, beta), plus(times(Ball(3), mu, nu), beta));
  const Ball nonlinear = times(times(Ball(10), alpha, w), times(rho, rho, rho), plus(t, tau));

  RankOneState next{
      attention.bias, 3 * state.exponent, {}, state.u, transposed_product(head.values, state.v, p), {}};
  widen(next.u, to_u);
  widen(next.v, to_y);
  const Index pivot = largest(next.v);
  const Ball unit = next.v(pivot), factor = mul(lambda, unit, p);
  if (contains_zero(factor)) return std::nullopt;
  for (Index j = 0; j < next.v.size(); ++j) next.v(j) = j == pivot ? Ball(1) : div(next.v(j), unit, p);
  next.scale = mul(mul(mul(state.scale, state.scale, p), state.scale, p), factor, p);
  next.rest = over(plus(plus(cross, higher), nonlinear), factor);
  const Integer top = binary_exponent(next.scale);
  next.scale = scale(next.scale, -top);
  next.exponent += top;

  const BallVector moved = transposed_product(head.values, state.reference, p);
  for (Index j = 0; j < moved.size(); ++j) next.reference(j) = add(next.reference(j), moved(j), p);
  const Ball after = magnitude(plus(times(size(next.u), size(next.v)), next.rest), next, p);
  const Ball error = plus(times(w, all, plus(Ball(1), times(Ball(3), tau))), after);
  // A reference that is not large beside R is better followed together with it.
  const Ball least = lower(sqrt(dot(next.reference, next.reference, coarse), coarse), coarse);
  if (!certainly_less(scale(error, p.bits), least)) return std::nullopt;
  widen(next.reference, error);
  return next;
}

ResidualState entries(const RankOneState& state, Precision p) {
  ResidualState result{state.reference, {BallMatrix(state.u.size(), state.v.size()), state.exponent}};
  const Precision guarded(p.bits + 16);  // factors may have many more bits
  BallVector u(state.u.size()), v(state.v.size());
  for (Index i = 0; i < u.size(); ++i) u(i) = mul(state.u(i), state.scale, guarded);
  for (Index j = 0; j < v.size(); ++j) arb_set_round(v(j).raw(), state.v(j).raw(), guarded.bits);
  const Ball rest = up(mul(state.rest, abs(state.scale), coarse));
  for (Index i = 0; i < u.size(); ++i)
    for (Index j = 0; j < v.size(); ++j) {
      Ball& entry = result.residual.mantissa(i, j);
      arb_mul(entry.raw(), u(i).raw(), v(j).raw(), p.bits);
      widen(entry, rest);
    }
  normalise(result.residual);
  return result;
}

}  // namespace rankfall
