#include "numerics/san/doubles/state.hpp"

#include <cmath>

namespace rankfall::doubles {
namespace {

Ball ball(double high, double low, double radius) {
  Ball result(high);
  if (low != 0) arb_add(result.raw(), result.raw(), Ball(low).raw(), ARF_PREC_EXACT);
  mag_set_d(arb_radref(result.raw()), radius);
  return result;
}

constexpr Precision coarse(64);

/// The nearest double or pair, and at least what the ball extends around it.
double split(const Ball& a, Mid& into, Index i, Index j) {
  into.high(i, j) = to_double(a);
  Ball rest = sub(a, Ball(into.high(i, j)), Precision(256));
  if (into.wide()) {
    into.low(i, j) = to_double(rest);
    rest = sub(rest, Ball(into.low(i, j)), Precision(256));
  }
  return std::nextafter(to_double(upper(abs(rest), coarse)), HUGE_VAL);
}

/// Scales to |M|_F in [1, 2) and finds the frame; nothing where the error is not far below.
std::optional<State> finished(State state, double error) {
  const double size = frobenius(state.M.high);
  if (!(size > 0x1p-400) || !(size < 0x1p400) || !(error <= size / 4) ||
      !std::isfinite(state.reference_error))
    return std::nullopt;
  const int top = std::ilogb(size);
  state.M = scaled(std::move(state.M), std::ldexp(1.0, -top));
  state.exponent += top;
  state.frame = leading_frame(state.M.high);
  state.errors.add(std::ldexp(error, -top));
  return state;
}

/// Bound of |x_i| for a unit vector that is known up to rounding, and of what is left of 1.
double part(double x) {
  return std::fabs(x) + 0x1p-48;
}
double complement(double x) {
  const double size = std::fabs(x) - 0x1p-48;
  return size <= 0 ? 1 : std::sqrt(1 - size * size) + 0x1p-48;
}

}  // namespace

ResidualState entries(const State& state) {
  const Index n = state.M.rows(), d = state.M.cols();
  const bool wide = state.M.wide();
  ResidualState result{BallVector(d), {BallMatrix(n, d), state.exponent}};
  for (Index j = 0; j < d; ++j)
    result.reference(j) =
        ball(state.reference.high(0, j), wide ? state.reference.low(0, j) : 0, state.reference_error);
  const auto& at = state.errors.at;
  for (Index i = 0; i < n; ++i) {
    const double along = part(state.frame.u(i)), across = complement(state.frame.u(i));
    const double to_v = along * at[0][0] + across * at[1][0], away = along * at[0][1] + across * at[1][1];
    for (Index j = 0; j < d; ++j) {
      const double radius = part(state.frame.v(j)) * to_v + complement(state.frame.v(j)) * away;
      result.residual.mantissa(i, j) =
          ball(state.M.high(i, j), wide ? state.M.low(i, j) : 0, radius * (1 + 0x1p-48));
    }
  }
  return result;
}

std::optional<State> state(const ResidualState& enclosure, bool wide) {
  const BallMatrix& R = enclosure.residual.mantissa;
  State result{zeros(1, R.cols(), wide), 0, zeros(R.rows(), R.cols(), wide), enclosure.residual.exponent};
  double squares = 0;
  for (Index j = 0; j < R.cols(); ++j) {
    const double radius = split(enclosure.reference(j), result.reference, 0, j);
    squares += radius * radius;
  }
  result.reference_error = std::sqrt(squares) * (1 + 0x1p-36);
  squares = 0;
  for (Index i = 0; i < R.rows(); ++i)
    for (Index j = 0; j < R.cols(); ++j) {
      const double radius = split(R(i, j), result.M, i, j);
      squares += radius * radius;
    }
  return finished(std::move(result), std::sqrt(squares) * (1 + 0x1p-36));
}

std::optional<State> mean_state(const ExactMatrix& input, bool wide) {
  Rounded X = rounded(input, wide);
  widen(X.mid, wide);
  const Index n = input.rows();
  const Mid mean = mean_row(X.mid);
  // The mean is off by at most this, and so is every row about it; rounding of the difference comes on top.
  const double size = frobenius(X.mid.high), root = std::sqrt(static_cast<double>(n));
  const double of_mean = (product_error(n, wide) + 2 * unit(wide)) * size / root + X.error / root;
  State result{mean, of_mean, about(X.mid, mean)};
  const double error = X.error + of_mean * root + unit(wide) * frobenius(result.M.high);
  return finished(std::move(result), error * (1 + 0x1p-30));
}

Rounded rounded(const ExactMatrix& exact, bool wide) {
  Rounded result{{exact.nearest(), {}}, 0};
  if (exact.is_doubles()) return result;
  const Matrix<double>& high = result.mid.high;
  if (wide) result.mid.low = Matrix<double>(high.rows(), high.cols());
  result.error = 2 * (wide ? u * u : u) * frobenius(high);
  if (wide)
    for (Index i = 0; i < high.rows(); ++i)
      for (Index j = 0; j < high.cols(); ++j)
        result.mid.low(i, j) =
            to_double(sub(exact.ball(i, j, Precision(192)), Ball(high(i, j)), Precision(192)));
  return result;
}

}  // namespace rankfall::doubles
