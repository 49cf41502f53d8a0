// The step of the double tier; every bound is derived in docs/engine. Letters as there: a state has midpoints
// M and an error of norm eps on the scale rho = 2^exponent, a head maps it to D Y with Y = M V; B = M A, B~ =
// M A^T, G = C(q) Y and C(q) = diag q - q q^T.
#include <algorithm>
#include <cmath>

#include "numerics/parallel.hpp"
#include "numerics/san/doubles/seen.hpp"
#include "numerics/san/doubles/spectral.hpp"

namespace rankfall::doubles {
namespace {

constexpr double any = HUGE_VAL;

/// The table of C(q) = diag q - q q^T.
Blocks table_of_softmax(const Vector<double>& q, const Vector<double>& direction, double size) {
  const Vector<double> image = q.cwiseProduct(direction) - dot(q, direction) * q;
  return table(image, image, direction, direction, size, of_factor);
}

/// One block applied to one state.
class Step {
 public:
  Step(const Layer& layer, const State& state, const Scales& scale)
      : layer_(layer), state_(state), scale_(scale), in_(layer, state, scale) {}

  std::optional<State> advance(bool to_mean);

 private:
  bool wide() const { return layer_.wide; }
  std::optional<double> beyond_tables(const Head& head, const Seen& seen, double& of_q) const;
  void add_reference(const Head& head, const Seen& seen, double of_q);
  double error_of_D() const;
  double of_queries() const;
  double first_order(double factor) const;
  Blocks through_tables(const Frame& to, double factor) const;

  const Layer& layer_;
  const State& state_;
  Scales scale_;
  Input in_;
  double eps_ = state_.errors.total();
  std::vector<Seen> heads_;
  Mid reference_;
  double reference_error_ = 0, moved_ = 0;
};

/// What the tables leave out, by norm: how C(P_i) differs from C(q) and moves, and what the computed factors
/// in the tables miss. `of_q` becomes a bound of |q* - q| for the exact q*. Nothing where the segment is too
/// long.
std::optional<double> Step::beyond_tables(const Head& head, const Seen& seen, double& of_q) const {
  const double A = head.scores.spectral, V = head.values.spectral, x_error = state_.reference_error;
  const double b = seen.norm_B + A * eps_, bt = seen.norm_Bt + A * eps_, c = seen.direction + A * x_error;
  const double tau = scale_.rho * (eps_ * c + bt * x_error);
  if (!(3 * tau < 0.25)) return std::nullopt;
  const double size_D = seen.size_D + seen.error_D, y = seen.centred + eps_ * V;
  of_q = 0.5 * (tau + seen.error_r * 1.01);
  const double moved = scale_.scores * eps_ * (b + bt);
  double of_D = (0.5 * moved + 3 * size_D * tau) / (1 - 3 * tau);
  const double most_P = std::min(0.5, seen.most_P + of_q + scale_.of_D * of_D);
  of_D = (most_P * moved + 3 * size_D * tau) / (1 - 3 * tau);
  const double of_P = of_q + scale_.of_D * of_D, apart = scale_.of_D * 3 * seen.most_D + 3 * seen.error_r;

  const double first = scale_.scores * scale_.of_D * eps_ * (seen.change_of_B + bt * seen.change_most) +
                       tau * seen.change_total;
  const double moved_change = 3 * of_P * y + apart * V * eps_;
  const double of_scores =
      2 * A * eps_ * eps_ * (scale_.of_D * seen.change_most + moved_change) + eps_ * (b + bt) * moved_change;
  const double of_reference =
      tau * ((3 * of_D + size_D * (of_q + of_P)) * y + 3 * (size_D + of_D) * eps_ * V) +
      2 * scale_.rho * A * eps_ * x_error * seen.change_total;
  const double of_values = (moved * (apart + 3 * of_P) + 3 * (size_D + of_D) * tau) * eps_ * V;
  const double computed =
      eps_ *
      (scale_.scores * (seen.error_B * seen.centred + (b + bt) * (seen.error_Y + 3 * seen.error_r * y)) +
       seen.error_D * V +
       4 * of_factor * (size_D + scale_.scores * (b + bt)) * (head.values.frobenius + seen.size_Y));
  return (first + scale_.scores * of_scores + of_reference + of_values + computed) * up;
}

/// x' += V^T (x + R^T q).
void Step::add_reference(const Head& head, const Seen& seen, double of_q) {
  const Index n = state_.M.rows();
  const Weight& V = head.values;
  Mid attended = state_.reference;
  add(attended, 1, scaled(product(seen.q, state_.M), scale_.rho));
  const double size = frobenius(attended.high);
  Mid mapped = product(attended, V.left);
  if (V.factored()) mapped = product(mapped, V.right);
  add(reference_, 1, mapped);
  moved_ += frobenius(mapped.high);
  const double roundings = product_error(V.rows(), wide()) +
                           (V.factored() ? product_error(V.right.rows(), wide()) : 0) + 2 * unit(wide());
  reference_error_ +=
      V.frobenius * roundings * (size + in_.x_size) + V.error * size +
      V.spectral * scale_.rho *
          (eps_ + in_.size * (of_q + product_error(n, wide()) + gamma(n + 4, wide()) + scale_.beyond));
}

/// Bound of what the rounding of the D_h does to the sum of D_h M W_h.
double Step::error_of_D() const {
  double sum = 0, squares = 0;
  for (const Seen& seen : heads_) {
    sum += seen.error_D * seen.norm_Y;
    squares += seen.error_D * seen.error_D;
  }
  if (heads_.size() == 1) return sum;
  return std::min(sum, std::sqrt(squares) * layer_.together.values_above * in_.norm_M * up);
}

/// Bound of the norm of sum A_h M^T G_h, which takes in what queries are off by.
double Step::of_queries() const {
  if (layer_.together.outer) {  // [L_1 ... L_H] diag(K_h M^T C(q) M V_h) [R_1; ...; R_H]
    double most = 0, sizes = 0;
    for (const Seen& seen : heads_) {
      most = std::max(most, spectral_bound(multiply(seen.keys, seen.weighted_values)));
      sizes = std::max(sizes, frobenius(seen.keys) * frobenius(seen.weighted_values));
    }
    return *layer_.together.outer * (most + 0x1p-38 * sizes) * up;
  }
  Matrix<double> sum = Matrix<double>::Zero(state_.M.cols(), reference_.cols());
  double sizes = 0;
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    const Seen& seen = heads_[h];
    const Weight &A = layer_.heads[h].scores, &V = layer_.heads[h].values;
    const Matrix<double> left = A.factored() ? seen.keys : Matrix<double>(seen.B_transposed.transpose());
    const Matrix<double>& right = V.factored() ? seen.weighted_values : seen.G;
    Matrix<double> product = multiply(left, right);
    if (A.factored()) product = multiply(A.left.high, product);
    if (V.factored()) product = multiply(product, V.right.high);
    sum += product;
    sizes += frobenius(left) * frobenius(right) * (A.factored() ? A.frobenius_left : 1) *
             (V.factored() ? V.frobenius_right : 1);
  }
  return spectral_bound(sum) + 0x1p-38 * sizes;
}

/// Bound of what the heads together make of an error of norm eps, to the first order: sum of D_h delta W_h +
/// B_h delta^T G_h + delta A_h M^T G_h.
double Step::first_order(double factor) const {
  const Index n = state_.M.rows();
  SideBySide D(n), B(n), G(n);
  for (const Seen& seen : heads_) {
    D.add(seen.D);
    const Head& head = layer_.heads[static_cast<std::size_t>(&seen - heads_.data())];
    if (head.scores.factored())
      B.add(seen.queries, head.scores.right_gram);
    else
      B.add(seen.B);
    if (head.values.factored())
      G.add(seen.weighted_values, head.values.right_gram);
    else
      G.add(seen.G);
  }
  const double skip = std::fabs(layer_.skip.high(0, 0));
  return (factor *
              (D.bound() * layer_.together.values + scale_.scores * (B.bound() * G.bound() + of_queries())) +
          skip) *
         eps_ * up;
}

/// The error along u v^T goes through the sum of the heads, the rest through each by its blocks; R A R^T C(q)
/// R V is expanded to the third order.
Blocks Step::through_tables(const Frame& to, double factor) const {
  const Frame& from = state_.frame;
  const Blocks &errors = state_.errors, turned = table(to.u, from.u), errors_transposed = transposed(errors);
  Blocks rest = errors, result;
  rest.at[0][0] = 0;
  Blocks beyond;  // the first order
  const Index n = state_.M.rows(), width = reference_.cols();
  Matrix<double> along = Matrix<double>::Zero(n, width);
  Vector<double> K_from = Vector<double>::Zero(width), K_to = Vector<double>::Zero(state_.M.cols());
  double along_error = 0, K_error = 0;
  Blocks K;
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    const Seen& seen = heads_[h];
    const Weight &W_A = layer_.heads[h].scores, &W_V = layer_.heads[h].values;
    const auto image = [](const Weight& W, const Vector<double>& v) {  // v W
      const Vector<double> between = transposed(W.left.high, v);
      return W.factored() ? transposed(W.right.high, between) : between;
    };
    const auto preimage = [](const Weight& W, const Vector<double>& v) {  // W v
      return W.factored() ? multiply(W.left.high, multiply(W.right.high, v)) : multiply(W.left.high, v);
    };
    const Blocks A = W_A.factored() ? table(image(W_A, from.v), preimage(W_A, from.v), from.v, from.v,
                                            W_A.spectral, of_factor * W_A.frobenius)
                                    : table(W_A.left.high, from.v, from.v, W_A.spectral, W_A.frobenius),
                 V = W_V.factored() ? table(image(W_V, from.v), preimage(W_V, to.v), from.v, to.v,
                                            W_V.spectral, of_factor * W_V.frobenius)
                                    : table(W_V.left.high, from.v, to.v, W_V.spectral, W_V.frobenius),
                 B = table(seen.B, to.u, from.v, seen.norm_B, seen.size_B),
                 Bt = table(seen.B_transposed, from.u, from.v, seen.norm_Bt, seen.size_Bt),
                 C = table_of_softmax(seen.weights, from.u, seen.most_P),
                 G = table(seen.G, from.u, to.v, seen.norm_G, frobenius(seen.G)),
                 D = table(seen.D, to.u, from.u, seen.norm_D, seen.size_D);
    const Blocks V_error = C * errors * V, squared = turned * errors * A * errors_transposed;
    result = result + factor * (D * rest * V + scale_.scores * (B * transposed(rest) * G));
    beyond = beyond + factor * scale_.scores *
                          (squared * G + turned * errors * transposed(Bt) * V_error +
                           B * errors_transposed * V_error + squared * V_error);

    const Vector<double> of_v = multiply(seen.B_transposed, from.v);
    K_from += transposed(seen.G, of_v);
    K_to += transposed(seen.B_transposed, multiply(seen.G, to.v));
    K = K + transposed(Bt) * G;
    K_error += seen.size_Bt * seen.size_Y;
    along += multiply(seen.D, from.u) * (factor * image(W_V, from.v)).transpose() +
             multiply(seen.B, from.v) * (factor * scale_.scores * transposed(seen.G, from.u)).transpose();
    along_error +=
        factor * (seen.size_D * W_V.frobenius + scale_.scores * (seen.size_B + seen.size_Bt) * seen.size_Y);
  }
  result = result + factor * scale_.scores *
                        (turned * rest * table(K_from, K_to, from.v, to.v, K.at[1][1], of_factor * K_error));
  along += from.u * (factor * scale_.scores * K_from).transpose();
  if (const double skip = layer_.skip.high(0, 0); skip != 0) {
    result = result + std::fabs(skip) * (turned * rest * table(from.v, to.v));
    along += skip * from.u * from.v.transpose();
    along_error += std::fabs(skip);
  }
  result = result + errors.at[0][0] * table(along, to.u, to.v, any, frobenius(along));
  result.add(of_factor * along_error * eps_);
  if (heads_.size() > 1) result.at_most(first_order(factor));
  return result + beyond;
}

std::optional<State> Step::advance(bool to_mean) {
  const Index n = state_.M.rows();
  const double skip = layer_.skip.high(0, 0), factor = skip != 0 ? scale_.of_D : 1;
  Mid N = zeros(n, layer_.bias.cols(), wide());
  reference_ = layer_.bias;
  reference_error_ = layer_.bias_error + layer_.moved * state_.reference_error;
  moved_ = frobenius(layer_.bias.high);
  double by_norm = 0, sizes = 0;
  std::vector<std::optional<Seen>> all(layer_.heads.size());
  in_parallel(all.size(), [&](std::size_t h) { all[h] = look(layer_.heads[h], in_); });
  for (std::size_t h = 0; h < all.size(); ++h) {
    const Head& head = layer_.heads[h];
    auto& seen = all[h];
    if (!seen) return std::nullopt;
    double of_q = 0;
    const auto beyond = beyond_tables(head, *seen, of_q);
    if (!beyond) return std::nullopt;
    add(N, factor, seen->product);
    sizes += factor * frobenius(seen->product.high);
    by_norm += factor * (seen->rounding + *beyond);
    add_reference(head, *seen, of_q);
    heads_.push_back(*std::move(seen));
  }
  by_norm += factor * error_of_D();
  if (skip != 0) {
    const double low = wide() ? layer_.skip.low(0, 0) : 0;
    add(N, skip, state_.M, low);
    sizes += std::fabs(skip) * in_.size;
    by_norm += layer_.skip_error * (in_.size + eps_);
    add(reference_, skip, state_.reference, low);
    moved_ += std::fabs(skip) * in_.x_size;
    reference_error_ += layer_.skip_error * in_.x_size;
  }
  const Index terms = static_cast<Index>(layer_.heads.size()) + 3;
  by_norm += gamma(terms, wide()) * sizes + (scale_.beyond > 0 && skip != 0 ? 0x1p-300 * in_.size : 0);
  reference_error_ += gamma(terms, wide()) * moved_;

  State next{{}, 0, {}, state_.exponent};
  if (skip == 0 && state_.exponent < 0) next.exponent *= 3;
  const double before = frobenius(N.high);
  Mid mean;
  if (to_mean) {
    mean = mean_row(N);
    N = about(N, mean);
    by_norm += (product_error(n, wide()) + 4 * unit(wide())) * before;
  }
  const double size = frobenius(N.high);
  if (!(size > 0x1p-400) || !(size < 0x1p400)) return std::nullopt;
  const int top = std::ilogb(size);
  next.M = scaled(std::move(N), std::ldexp(1.0, -top));
  next.frame = leading_frame(next.M.high);
  next.errors = through_tables(next.frame, factor);
  next.errors.add(by_norm);
  const double total = next.errors.total();
  if (to_mean) {
    next.errors.add(0x1p-44 * total);  // the frame is at right angles to the mean up to rounding
    const bool tiny = next.exponent < -900;
    const double onto = tiny ? 0x1p-900 : std::ldexp(1.0, next.exponent.convert_to<int>());
    add(reference_, onto, mean);
    reference_error_ += onto * (total + (product_error(n, wide()) + unit(wide()) + (tiny ? 2 : 0)) * before) +
                        unit(wide()) * (frobenius(reference_.high) + onto * before);
  }
  next.reference = std::move(reference_);
  next.reference_error = reference_error_ * up;
  next.errors = std::ldexp(1.0, -top) * up * next.errors;
  next.exponent += top;
  if (!(next.errors.total() < 0.25) || !std::isfinite(next.reference_error)) return std::nullopt;
  return next;
}

}  // namespace

std::optional<State> advance(const Layer& layer, const State& state, bool to_mean) {
  const auto scale = scales(state.exponent);
  if (!scale || !std::isfinite(state.reference_error)) return std::nullopt;
  return Step(layer, state, *scale).advance(to_mean);
}

}  // namespace rankfall::doubles
