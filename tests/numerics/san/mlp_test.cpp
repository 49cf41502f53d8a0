#include "numerics/san/mlp.hpp"

#include <doctest/doctest.h>

#include "numerics/activation.hpp"
#include "numerics/norms.hpp"
#include "numerics/slope.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

constexpr Precision p(128);
constexpr Activation all[] = {Activation::identity,  Activation::relu, Activation::gelu,
                              Activation::gelu_tanh, Activation::tanh, Activation::silu};

MlpBlock random_mlp(Index d, Activation activation, const Rational& skip, Draws& draws) {
  MlpBlock block{skip, activation, {}};
  block.layers.push_back({test::random_exact(d, 4, draws), test::random_exact(1, 4, draws)});
  block.layers.push_back({test::random_exact(4, 3, draws), test::random_exact(1, 3, draws)});
  block.layers.push_back({test::random_exact(3, d, draws), {}});
  return block;
}

ResidualState random_state(Index n, Index d, Draws& draws) {
  const BallMatrix X = test::random_exact(n, d, draws).balls(p);
  const BallVector y = reference_row(X, Reference::mean, p);
  return {y, {about(X, y, p), 0}};
}

}  // namespace

TEST_CASE("the global lambda of two layers is the product of their composite norms and the slope") {
  const ExactMatrix first = test::matrix(1, 2, {3, -4}), second = test::matrix(2, 1, {1, Rational(1, 2)});
  // |first|_1 = 4, |first|_inf = 7, |second|_1 = 3/2, |second|_inf = 1: sqrt(28) sqrt(3/2) = sqrt(42).
  for (const Activation activation : all) {
    const MlpWeights mlp = weights(MlpBlock{0, activation, {{first, {}}, {second, {}}}}, p);
    const Ball expected = mul(sqrt(Ball(42), p), Slope(activation, p).lipschitz(), p);
    CHECK(overlap(global_lipschitz(mlp, p), expected));
    CHECK(relative_accuracy_bits(global_lipschitz(mlp, p)) >= 110);
  }
  // With a skip of -1: sqrt((1 + 6)(1 + 7)).
  const MlpWeights skipping = weights(MlpBlock{-1, Activation::relu, {{first, {}}, {second, {}}}}, p);
  CHECK(overlap(global_lipschitz(skipping, p), sqrt(Ball(56), p)));
}

TEST_CASE("the local lambda never exceeds the global one, and is smaller where slopes are") {
  Draws draws(171);
  int smaller = 0, rounds = 0;
  for (int round = 0; round < 10 * test::multiplier(); ++round)
    for (const Activation activation : all) {
      const MlpWeights mlp = weights(random_mlp(3, activation, Rational(round % 3 - 1, 2), draws), p);
      const Ball global = global_lipschitz(mlp, p);
      const Ball local = composite_norm(lipschitz(mlp, random_state(4, 3, draws), p), p);
      CHECK_FALSE(certainly_less(global, local));
      smaller += certainly_less(scale(local, 1L), global);
      ++rounds;
    }
  CHECK(smaller > rounds / 10);
}

TEST_CASE("no block stretches the residual beyond its lambdas") {
  Draws draws(173);
  for (int round = 0; round < 10 * test::multiplier(); ++round)
    for (const Activation activation : all) {
      const MlpWeights mlp = weights(random_mlp(3, activation, Rational(round % 2, 3), draws), p);
      const ResidualState before = random_state(4, 3, draws), after = apply(mlp, before, p);
      const Ball local = composite_norm(lipschitz(mlp, before, p), p);
      const Ball stretched = scale(composite_norm(after.residual.mantissa, p), after.residual.exponent);
      const Ball start = composite_norm(before.residual.mantissa, p);
      CHECK_FALSE(certainly_less(mul(local, start, p), stretched));
      CHECK_FALSE(certainly_less(mul(global_lipschitz(mlp, p), start, p), stretched));
    }
}
