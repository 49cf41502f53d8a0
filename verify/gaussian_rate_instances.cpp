#include <fmt/format.h>

#include <boost/multiprecision/eigen.hpp>

#include "numerics/san/generate.hpp"
#include "theory/averages/gaussian_rate.hpp"
#include "theory/expression/evaluate.hpp"
#include "verify/average_instances.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr char gaussian[] = "gaussian-rate";

Network one_layer(long tokens, long dim, long heads, std::uint64_t seed) {
  GenerateSpec spec;
  spec.tokens = tokens;
  spec.dim = dim;
  spec.heads = heads;
  spec.depth = 1;
  spec.seed = seed;
  return generate(spec);
}

/// The formula with the same w for every head.
Ball expected_square(const std::vector<BallMatrix>& deviated, const Rational& w) {
  Environment values;
  values.set("H", Rational(static_cast<long>(deviated.size())));
  for (std::size_t h = 0; h < deviated.size(); ++h) {
    const long head = static_cast<long>(h) + 1;
    values.set("w", {head}, w)
        .set("DR_F", {head},
             Magnitude(sqrt(squared_size({deviated[h]}, average_precision), average_precision),
                       average_precision));
  }
  return evaluate(formula(gaussian, 0), values, average_precision).to_ball(average_precision);
}

Confirmation over_signs(long tokens, long dim, long heads, ValueWidths widths) {
  const auto deviated = deviated_residuals(one_layer(tokens, dim, heads, 1), average_precision);
  return identity(
      gaussian,
      fmt::format("{} tokens, dim {}, {} head{}: all signs of W_V ({} x {}) and W_O ({} x {})", tokens, dim,
                  heads, heads == 1 ? "" : "s", dim, widths.d_v, widths.d_v, widths.output),
      mean_over_signs(deviated, widths, average_precision),
      expected_square(deviated, Rational(static_cast<long>(widths.d_v * widths.output))));
}

Confirmation sampled(const AverageOptions& options) {
  constexpr long tokens = 6, dim = 8, heads = 2;
  const auto deviated = deviated_residuals(one_layer(tokens, dim, heads, 2), average_precision);
  const SampledRate rate = sampled_rate(deviated, dim, options.samples, options.seed, options.confidence);
  Confirmation result{
      gaussian,
      fmt::format("{} tokens, dim {}, {} heads: {} normal draws of W_h ({} x {}), seed {}", tokens, dim,
                  heads, rate.samples, dim, dim, options.seed),
      "in", expected_square(deviated, 1),  // d_v d' var_V var_O = d var with var = 1/d, W_O the identity
      hull(Ball(rate.mean - rate.above), Ball(rate.mean + rate.below), average_precision)};
  result.confidence = options.confidence;
  if (contains(result.right, result.left)) result.verdict = Verdict::proved;
  if (!overlap(result.left, result.right)) result.verdict = Verdict::refuted;
  return result;
}

Confirmation leading_order() {
  const Matrix<Rational> R = rational_matrix(3, 2, {"1", "1/2", "-3", "1", "2", "-3/2"});
  constexpr long d_qk = 2, output = 2;
  const Matrix<Rational> G = R.transpose() * R;
  const auto squares = [](const Matrix<Rational>& matrix) {
    Rational sum = 0;
    for (Index i = 0; i < matrix.size(); ++i) sum += matrix.data()[i] * matrix.data()[i];
    return sum;
  };
  Environment values;
  values.set("H", Rational(1)).set("w", Rational(output)).set("var_Q", Rational(1)).set("var_K", Rational(1));
  values.set("n", Rational(3))
      .set("R_F", Magnitude(sqrt(Ball(squares(R), average_precision), average_precision), average_precision));
  values.set("RR_F",
             Magnitude(sqrt(Ball(squares(G), average_precision), average_precision), average_precision));
  return identity(gaussian, "leading order, 3 tokens, dim 2: all signs of W_Q, W_K and W (2 x 2)",
                  Ball(leading_mean_over_signs(R, d_qk, output), average_precision),
                  evaluate(formula(gaussian, 1), values, average_precision).to_ball(average_precision));
}

}  // namespace

std::vector<Confirmation> gaussian_rate_instances(const AverageOptions& options) {
  return {over_signs(4, 2, 1, {2, 2}), over_signs(3, 2, 2, {1, 2}), over_signs(5, 4, 2, {1, 1}),
          leading_order(), sampled(options)};
}

}  // namespace rankfall::verify
