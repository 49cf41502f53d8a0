#include "theory/families.hpp"

#include "numerics/errors.hpp"
#include "numerics/product.hpp"
#include "numerics/softmax.hpp"

namespace rankfall::theory {
namespace {

/// One head with what the families need of it. D and E stand on their own exponents.
struct Seen {
  const HeadTrace& trace;
  ScaledMatrix D;  ///< n x K, K the keys that every query sees
  BallVector rho;  ///< oscillation of each row of E, on the exponent of E
};

Seen look(const HeadTrace& trace, Precision p) {
  const BallMatrix& E = trace.E.mantissa;
  Seen seen{trace, softmax_deviation(trace.q, trace.E, p), BallVector(E.rows())};
  for (Index i = 0; i < E.rows(); ++i) {
    Ball high = E(i, 0), low = E(i, 0);
    for (Index j = 1; j < E.cols(); ++j) {
      high = max(high, E(i, j), p);
      low = min(low, E(i, j), p);
    }
    seen.rho(i) = sub(high, low, p);
  }
  return seen;
}

/// (1 - rho_i) P_ij <= q_j <= (1 + 2 rho_i) P_ij, which is D_ij <= rho_i P_ij and -D_ij <= 2 rho_i P_ij.
void add_perturbation(const Seen& seen, Precision p, std::vector<Inequality>& out) {
  const ScaledMatrix& D = seen.D;
  for (Index i = 0; i < D.mantissa.rows(); ++i)
    for (Index j = 0; j < D.mantissa.cols(); ++j) {
      const Ball P = add(seen.trace.q(j), scaled_value(D.mantissa(i, j), D.exponent, p), p);
      const Magnitude bound(mul(seen.rho(i), P, p), seen.trace.E.exponent, p);
      const Magnitude deviation(D.mantissa(i, j), D.exponent, p);
      out.push_back({deviation, bound});
      out.push_back({neg(deviation), mul(Magnitude(Rational(2), p), bound, p)});
    }
}

/// sum_k q_k Y_kj for Y = R W, or with |Y_kj| inside, as one row.
ScaledMatrix attended(const HeadTrace& trace, bool absolute_inside, Precision p) {
  BallMatrix inner = trace.values.mantissa;
  for (Index i = 0; absolute_inside && i < inner.size(); ++i) inner.data()[i] = abs(inner.data()[i]);
  return {transposed_product(inner, trace.q, p).transpose(), trace.values.exponent};
}

/// sum_k q_k Y_kj about the token mean, where sum_k Y_kj = 0: q - 1/n stands for q and does not cancel. It is
/// the deviation of the softmax of the reference's scores from the uniform distribution.
ScaledMatrix attended_about_mean(const HeadWeights& head, const ResidualState& state, const HeadTrace& trace,
                                 Precision p) {
  const Index n = state.residual.mantissa.rows();
  BallVector direction = transposed_product(head.scores, state.reference, p);
  for (Index j = 0; j < direction.size(); ++j) direction(j) = add(direction(j), head.key_bias(j), p);
  const ScaledMatrix scores{product(state.residual.mantissa, direction, p).transpose(),
                            state.residual.exponent};
  const BallVector uniform = BallVector::Constant(n, Ball(Rational(1, static_cast<long>(n)), p));
  const ScaledMatrix deviation = softmax_deviation(uniform, scores, p);
  const BallVector weights = deviation.mantissa.row(0).transpose();
  return {transposed_product(trace.values.mantissa, weights, p).transpose(),
          deviation.exponent + trace.values.exponent};
}

/// |R'_ij| <= 2 rho_i |attended_j|.
void add_proof_step(const Seen& seen, const ScaledMatrix& attended, Precision p,
                    std::vector<Inequality>& out) {
  const ScaledMatrix& values = seen.trace.values;
  const BallMatrix change = product(seen.D.mantissa, values.mantissa, p);
  for (Index i = 0; i < change.rows(); ++i)
    for (Index j = 0; j < change.cols(); ++j)
      out.push_back({Magnitude(abs(change(i, j)), seen.D.exponent + values.exponent, p),
                     Magnitude(scale(mul(seen.rho(i), abs(attended.mantissa(0, j)), p), 1L),
                               seen.trace.E.exponent + attended.exponent, p)});
}

Ball oscillation(const BallMatrix& a, Index column, Precision p) {
  Ball high = a(0, column), low = a(0, column);
  for (Index i = 1; i < a.rows(); ++i) {
    high = max(high, a(i, column), p);
    low = min(low, a(i, column), p);
  }
  return sub(high, low, p);
}

/// range_j(E_ij - E_i'j), the largest over pairs of rows.
Ball largest_range(const BallMatrix& E, Precision p) {
  Ball range;
  for (Index i = 0; i < E.rows(); ++i)
    for (Index k = i + 1; k < E.rows(); ++k) {
      Ball high = sub(E(i, 0), E(k, 0), p), low = high;
      for (Index j = 1; j < E.cols(); ++j) {
        const Ball difference = sub(E(i, j), E(k, j), p);
        high = max(high, difference, p);
        low = min(low, difference, p);
      }
      range = max(range, sub(high, low, p), p);
    }
  return range;
}

/// Half of the largest distance of two rows in the 1-norm.
Ball ergodicity(const BallMatrix& rows, Precision p) {
  Ball largest;
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index k = i + 1; k < rows.rows(); ++k) {
      Ball distance;
      for (Index j = 0; j < rows.cols(); ++j)
        distance = add(distance, abs(sub(rows(i, j), rows(k, j), p)), p);
      largest = max(largest, distance, p);
    }
  return scale(largest, -1L);
}

/// The rows of R that every query sees.
BallMatrix keys_of(const BallMatrix& R, const Mask& mask) {
  const auto keys = mask.shared_keys(R.rows());
  if (!keys) return R;
  BallMatrix result(static_cast<Index>(keys->size()), R.cols());
  for (std::size_t k = 0; k < keys->size(); ++k) result.row(static_cast<Index>(k)) = R.row((*keys)[k]);
  return result;
}

/// osc_k(P X) <= factor osc_k(X) for every column k. What the rows of P have in common does not count: P or D
/// serves.
void add_mixing(const ScaledMatrix& rows, const Magnitude& factor, const ResidualState& state,
                const Mask& mask, Precision p, std::vector<Inequality>& out) {
  const ScaledMatrix& R = state.residual;
  const BallMatrix mixed = product(rows.mantissa, keys_of(R.mantissa, mask), p);
  for (Index k = 0; k < mixed.cols(); ++k)
    out.push_back({Magnitude(oscillation(mixed, k, p), rows.exponent + R.exponent, p),
                   mul(factor, Magnitude(oscillation(R.mantissa, k, p), R.exponent, p), p)});
}

/// With tanh(max_{i,i'} range_j(E_ij - E_i'j)/4) as the factor.
void add_dobrushin(const Seen& seen, const ResidualState& state, const Mask& mask, Precision p,
                   std::vector<Inequality>& out) {
  const ScaledMatrix& E = seen.trace.E;
  add_mixing(seen.D, tanh(Magnitude(largest_range(E.mantissa, p), E.exponent - 2, p), p), state, mask, p,
             out);
}

/// With tau(P) as the factor, whatever keys the queries see.
void add_dobrushin_rows(const HeadTrace& head, const ResidualState& state, const Mask& mask, Precision p,
                        std::vector<Inequality>& out) {
  const ScaledMatrix rows =
      head.P.rows() > 0 ? ScaledMatrix{head.P, 0} : softmax_deviation(head.q, head.E, p);
  add_mixing(rows, Magnitude(ergodicity(rows.mantissa, p), rows.exponent, p), state, mask, p, out);
}

/// D minus its linear part q_j (E_ij - sum q E_i), on twice the exponent of D.
BallMatrix second_order_deviation(const Seen& seen, Precision p) {
  const BallVector& q = seen.trace.q;
  const Integer shift = seen.D.exponent;
  const Index n = seen.trace.E.mantissa.rows(), keys = q.size();
  Index hot = 0;  // measured from the largest weight, 1 + m stays above it
  for (Index j = 1; j < keys; ++j)
    if (midpoint_less(q(hot), q(j))) hot = j;
  BallMatrix result(n, keys);
  for (Index i = 0; i < n; ++i) {
    BallVector t(keys), second(keys);
    Ball mean, mean_second;
    for (Index j = 0; j < keys; ++j) {
      if (j != hot) t(j) = sub(seen.trace.E.mantissa(i, j), seen.trace.E.mantissa(i, hot), p);
      if (seen.trace.E.exponent > 0) t(j) = scale(t(j), seen.trace.E.exponent);
      second(j) = second_order_exponential(t(j), shift, p);
      mean = add(mean, mul(q(j), t(j), p), p);
      mean_second = add(mean_second, mul(q(j), second(j), p), p);
    }
    // with e = t + s, m = mean + mean_s: D - D_lin = q (s_j - mean_s - m (t_j - mean)) / (1 + m)
    const Ball m = add(mean, scaled_value(mean_second, shift, p), p);
    const Ball total = add(Ball(1), scaled_value(m, shift, p), p);
    for (Index j = 0; j < keys; ++j) {
      const Ball bend = sub(sub(second(j), mean_second, p), mul(m, sub(t(j), mean, p), p), p);
      result(i, j) = div(mul(q(j), bend, p), total, p);
    }
  }
  return result;
}

Ball vector_norm(const BallMatrix& a, Index row, VectorNorm norm, Precision p) {
  Ball sum, squares, top;
  for (Index k = 0; k < a.cols(); ++k) {
    const Ball size = abs(a(row, k));
    sum = add(sum, size, p);
    squares = add(squares, mul(size, size, p), p);
    top = max(top, size, p);
  }
  return norm == VectorNorm::one ? sum : norm == VectorNorm::two ? sqrt(squares, p) : top;
}

/// |R'_i - Lead_i|_p <= sum_h rho_i^2/(12 sqrt 3) diam_p(R W_h) for every token i.
std::vector<Inequality> leading_order(const BlockTrace& trace, VectorNorm norm, Precision p) {
  const Index n = trace.heads.front().E.mantissa.rows(), d = trace.heads.front().values.mantissa.cols();
  BallMatrix bend(n, d);
  Integer exponent = 0;
  std::vector<Magnitude> bounds(static_cast<std::size_t>(n));
  const Magnitude constant(div(Ball(1), mul(Ball(12), sqrt(Ball(3), p), p), p), p);
  for (const HeadTrace& head : trace.heads) {
    const Seen seen = look(head, p);
    const BallMatrix change = product(second_order_deviation(seen, p), head.values.mantissa, p);
    exponent = 2 * seen.D.exponent + head.values.exponent;
    for (Index i = 0; i < bend.size(); ++i) bend.data()[i] = add(bend.data()[i], change.data()[i], p);
    const Diameters diameter = diameters(head.values.mantissa, p);
    const Ball& size = norm == VectorNorm::one   ? diameter.one
                       : norm == VectorNorm::two ? diameter.two
                                                 : diameter.inf;
    for (Index i = 0; i < n; ++i) {
      const Magnitude term(mul(mul(seen.rho(i), seen.rho(i), p), size, p),
                           2 * head.E.exponent + head.values.exponent, p);
      auto& bound = bounds[static_cast<std::size_t>(i)];
      bound = add(bound, mul(constant, term, p), p);
    }
  }
  std::vector<Inequality> result;
  for (Index i = 0; i < n; ++i)
    result.push_back(
        {Magnitude(vector_norm(bend, i, norm, p), exponent, p), bounds[static_cast<std::size_t>(i)]});
  return result;
}

}  // namespace

Ball second_order_exponential(const Ball& t, const Integer& shift, Precision p) {
  if (is_zero(t)) return {};
  const Integer size = binary_exponent(t) + shift;  // |2^shift t| <= 2^size
  if (size > -8)
    return scale(sub(expm1(scale(t, shift), Precision(p.bits + 32)), scale(t, shift), p), -2 * shift);
  // t^2 (1/2 + s/6 + s^2/24 + ...), s = 2^shift t: after K terms the rest is below |s|^K / K!
  const Ball s = scaled_value(t, shift, p);
  Ball sum, term = Ball(Rational(1, 2), p);
  for (long k = 3; k < p.bits; ++k) {
    sum = add(sum, term, p);
    term = div(mul(term, s, p), Ball(k), p);
    if (is_zero(term) || binary_exponent(term) < -p.bits - 8) break;
  }
  arb_add_error(sum.raw(), scale(symmetric(term), 1L).raw());
  return mul(mul(t, t, p), sum, p);
}

std::vector<Inequality> inequalities(Simulation& simulation, std::size_t block, Reference reference,
                                     Family family) {
  const Precision p = simulation.precision();
  const ResidualState state = simulation.start(block, reference);
  const BlockTrace trace = simulation.engine().apply(block, state, p);
  const Mask& mask = simulation.engine().attention(block).mask;
  std::vector<Inequality> result;
  switch (family) {
    case Family::leading_order_1:
      return leading_order(trace, VectorNorm::one, p);
    case Family::leading_order_2:
      return leading_order(trace, VectorNorm::two, p);
    case Family::leading_order_inf:
      return leading_order(trace, VectorNorm::inf, p);
    case Family::perturbation:
      for (const HeadTrace& head : trace.heads) add_perturbation(look(head, p), p, result);
      return result;
    case Family::proof_step_printed: {
      const HeadWeights& weights = simulation.engine().attention(block).heads.front();
      const HeadTrace& head = trace.heads.front();
      add_proof_step(look(head, p),
                     reference == Reference::mean ? attended_about_mean(weights, state, head, p)
                                                  : attended(head, false, p),
                     p, result);
      return result;
    }
    case Family::proof_step:
      add_proof_step(look(trace.heads.front(), p), attended(trace.heads.front(), true, p), p, result);
      return result;
    case Family::dobrushin:
      add_dobrushin(look(trace.heads.front(), p), state, mask, p, result);
      return result;
    case Family::dobrushin_rows:
      add_dobrushin_rows(trace.heads.front(), state, mask, p, result);
      return result;
  }
  throw DomainError("unknown family of inequalities");
}

}  // namespace rankfall::theory
