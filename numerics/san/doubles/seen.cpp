// What one head makes of a state, for `advance`; letters as there.
#include "numerics/san/doubles/seen.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/san/doubles/softmax.hpp"
#include "numerics/san/doubles/spectral.hpp"

namespace rankfall::doubles {
namespace {

constexpr double any = HUGE_VAL;

/// Y about its mean under q.
Matrix<double> about_mean(const Matrix<double>& Y, const Vector<double>& q) {
  const Vector<double> mean = transposed(Y, q);
  Matrix<double> result = Y;
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < Y.cols(); ++j) result(i, j) -= mean(j);
  return result;
}

/// C(q) Y from Y about its mean.
Matrix<double> weighted(Matrix<double> centred, const Vector<double>& q) {
  for (Index i = 0; i < centred.rows(); ++i) centred.row(i) *= q(i);
  return centred;
}

/// The rows C(P_i) Y - C(q) Y on the scale of D are at most w_i = |d_i|_inf |Y|_2 + |P_i| |d_i Y|, Y about
/// its mean under q: bounds of all of them, of all B_i w_i, and of the largest.
void measure_changes(Seen& seen, double of_D) {
  double total = 0, with_B = 0, most = 0, largest = 0, longest = 0;
  for (Index i = 0; i < seen.D.rows(); ++i) {
    const auto row_D = seen.D.row(i).cwiseAbs();
    const double w = row_D.maxCoeff() * seen.centred + seen.product.high.row(i).norm();
    total += w * w;
    with_B += w * w * seen.B.row(i).squaredNorm();
    most = std::max(most, w);
    longest = std::max(longest, seen.D.row(i).squaredNorm());
    largest = std::max(largest, (seen.weights.transpose() + of_D * row_D).maxCoeff());
  }
  const double error = 3 * (seen.error_D * seen.size_Y + (seen.size_D + seen.error_D) * seen.error_Y) +
                       0x1p-40 * seen.size_D * seen.size_Y;
  seen.most_D = std::sqrt(longest) * up + seen.error_D;
  seen.change_total = (std::sqrt(total) + error) * up;
  seen.change_of_B = (std::sqrt(with_B) + error * seen.size_B) * up;
  seen.change_most = (most + error) * up;
  seen.most_P = std::min(0.5, largest * up + 2 * seen.error_r + of_D * seen.error_D);
}

}  // namespace

std::optional<Scales> scales(const Integer& exponent) {
  constexpr long least = -400;
  if (exponent > 40) return std::nullopt;
  const long e = exponent < least ? least : exponent.convert_to<long>();
  const double rho = std::ldexp(1.0, static_cast<int>(e));
  if (e >= 0) return Scales{rho, rho * rho, 1, 0};
  return Scales{rho, 1, rho * rho, exponent < least ? 1.0 : 0.0};
}

Input::Input(const Layer& layer, const State& seen, const Scales& at)
    : state(seen),
      scale(at),
      wide(layer.wide),
      thin(at.of_D < 0x1p-24 && layer.heads.size() == 1),
      keys(transposed(seen.M)),
      size(frobenius(seen.M.high)),
      norm_M(thin ? size : spectral_bound(seen.M.high) + 0x1p-50 * size),
      x_size(frobenius(seen.reference.high)) {}

std::optional<Seen> look(const Head& head, const Input& in) {
  const Index n = in.state.M.rows(), d = in.state.M.cols();
  const Weight &A = head.scores, &V = head.values;
  const double of_d = product_error(d, in.wide);
  const auto norm_of = [&](const Matrix<double>& X, double its_size) {
    return in.thin ? its_size : spectral_bound(X);
  };
  Seen seen{};

  // Scores, from X A and M^T, or from M W_Q and W_K^T M^T.
  const Mid queries = product(in.state.M, A.left),
            seen_keys = A.factored() ? product(A.right, in.keys) : in.keys;
  const double size_queries = frobenius(queries.high), size_keys = frobenius(seen_keys.high);
  const double norm_queries = norm_of(queries.high, size_queries),
               norm_keys = A.factored() ? norm_of(seen_keys.high, size_keys) : in.norm_M;
  Mid S = product(queries, seen_keys);
  const double error_queries = of_d * in.size * A.frobenius_left,
               error_keys = A.factored() ? of_d * in.size * A.frobenius_right : 0;
  const double error_S = error_queries * norm_keys + (norm_queries + error_queries) * error_keys +
                         product_error(queries.cols(), in.wide) * size_queries * size_keys +
                         A.error * in.size * in.size;
  seen.B = A.factored() ? multiply(queries.high, A.right.high) : queries.high;
  seen.B_transposed = A.factored()
                          ? multiply(multiply(in.state.M.high, A.right_transposed), A.left_transposed)
                          : multiply(in.state.M.high, A.left_transposed);
  seen.size_B = frobenius(seen.B);
  seen.size_Bt = frobenius(seen.B_transposed);
  seen.error_B = in.size * (0x1p-40 * A.frobenius + A.error);
  seen.norm_B = (A.factored() && !in.thin ? spectral_bound(queries.high, A.right_gram)
                 : A.factored()           ? seen.size_B
                                          : norm_queries) +
                seen.error_B;
  seen.norm_Bt = std::min(seen.size_Bt, in.norm_M * A.spectral * up) + seen.error_B;

  // The reference's own scores, and q.
  Mid c = product(in.state.reference, A.left);
  if (A.factored()) c = product(c, A.right);
  add(c, 1, head.key_bias);
  seen.direction = frobenius(c.high);
  const double error_c =
      (of_d + (A.factored() ? product_error(A.right.rows(), in.wide) : 0) + 2 * unit(in.wide)) *
          (A.frobenius * in.x_size + frobenius(head.key_bias.high)) +
      A.error * in.x_size + head.key_bias_error;
  auto weights = softmax(scaled(product(c, in.keys), in.scale.rho));
  if (!weights) return std::nullopt;
  seen.error_r =
      in.scale.rho * in.size * ((of_d + in.scale.beyond) * seen.direction + error_c) + weights->error;
  seen.direction += error_c;
  if (!(seen.error_r < 0x1p-12)) return std::nullopt;
  seen.q = std::move(weights->q);
  seen.weights = seen.q.high.row(0).transpose();

  const double largest = S.high.cwiseAbs().maxCoeff();
  if (!(largest < 0x1p400)) return std::nullopt;
  const bool leading = in.scale.scores == 1 && in.scale.of_D * 2 * largest < 0x1p-8 * unit(in.wide);
  if (in.scale.scores != 1) S = scaled(std::move(S), in.scale.scores);
  auto deviation = doubles::deviation(seen.q, S, in.scale.of_D, leading);
  if (!deviation) return std::nullopt;
  seen.D = deviation->D.high;
  seen.size_D = frobenius(seen.D);

  const Mid values = product(in.state.M, V.left);
  const double size_values = frobenius(values.high), error_values = of_d * in.size * V.frobenius_left;
  seen.Y = V.factored() ? multiply(values.high, V.right.high) : values.high;
  seen.size_Y = frobenius(seen.Y);
  seen.error_Y = in.size * (0x1p-40 * V.frobenius + V.error);
  seen.norm_Y = std::min(seen.size_Y, in.norm_M * V.spectral * up) + seen.error_Y;
  seen.G = about_mean(seen.Y, seen.weights);
  // Of what is in factors the norm is that of their exact product, which rounding is added to.
  const bool by_factors = V.factored() && !in.thin;
  const double error_G = (1 + std::sqrt(static_cast<double>(n))) *
                         (seen.error_Y + gamma(n + 1) * (seen.size_Y + in.size * V.frobenius));
  const Matrix<double> centred_values =
      V.factored() ? about_mean(values.high, seen.weights) : Matrix<double>();
  const auto of_G_and_D = [&](const Matrix<double>& X) { return in.thin ? any : spectral_bound(X); };
  seen.norm_D = of_G_and_D(seen.D);
  seen.centred =
      (by_factors ? spectral_bound(centred_values, V.right_gram) : norm_of(seen.G, frobenius(seen.G))) +
      error_G;
  seen.G = weighted(std::move(seen.G), seen.weights);
  if (A.factored()) {
    seen.queries = queries.high;
    seen.keys = seen_keys.high;
  }
  if (V.factored()) seen.weighted_values = weighted(centred_values, seen.weights);
  seen.norm_G =
      by_factors ? spectral_bound(seen.weighted_values, V.right_gram) + error_G : of_G_and_D(seen.G);

  // Of D, from its own rounding, the scores and q; C(P) has norm at most the largest entry of P.
  const auto error_of_D = [&](double most_P) {
    return (deviation->error + most_P * in.scale.scores * error_S + 3.3 * seen.size_D * seen.error_r) * up;
  };
  seen.error_D = error_of_D(0.5);
  seen.product = product(deviation->D, values);
  const double size_mixed = frobenius(seen.product.high), of_n = product_error(n, in.wide);
  if (V.factored()) seen.product = product(seen.product, V.right);
  measure_changes(seen, in.scale.of_D);
  seen.error_D = error_of_D(seen.most_P);
  seen.rounding =
      ((seen.size_D * error_values + of_n * seen.size_D * size_values) * V.frobenius_right +
       (V.factored() ? product_error(V.right.rows(), in.wide) * size_mixed * V.frobenius_right : 0) +
       seen.size_D * in.size * V.error) *
      up;
  return seen;
}

}  // namespace rankfall::doubles
