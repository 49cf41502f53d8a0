// Whole layers: the certified engine against textbook evaluation at twice the digits, deep enough that the
// residual has hundreds of zeros where it collapses.
#include <doctest/doctest.h>

#include "numerics/san/direct_evaluation.hpp"
#include "numerics/san/measures.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using Of = Normalisation::Of;

namespace {

constexpr Precision p(320);
constexpr int digits = 30;

void check_one(const Magnitude& found, const Real& log10) {
  if (isinf(log10)) {
    CHECK(!found.certainly_positive());
    return;
  }
  REQUIRE(found.certainly_positive());
  const Ball enclosure = found.log10(Precision(200));
  CHECK(overlap(enclosure, agreed(log10, 2 * digits)));
  CHECK(relative_accuracy_bits(enclosure) >= 40);
}

/// Smallest log10 of a mean residual that was compared.
double check_against_direct(const Network& network) {
  const DirectEvaluation direct = direct_evaluation(network, 2 * digits);
  const auto states = mean_states(ResidualEngine(network, p));
  REQUIRE(states.size() == direct.states.size());
  double smallest = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    CAPTURE(k);
    const StateMeasures measures = measure(states[k], p);
    const DirectMeasures<Real>& expected = direct.states[k];
    check_one(measures.norm, expected.norm);
    check_one(measures.residual[0], expected.mean);
    check_one(measures.residual[1], expected.median);
    check_one(measures.residual[2], expected.midrange);
    check_one(measures.diameter[0], expected.diam_1);
    check_one(measures.diameter[1], expected.diam_2);
    check_one(measures.diameter[2], expected.diam_inf);
    smallest = std::min(smallest, expected.mean.convert_to<double>());
  }
  return smallest;
}

constexpr Index n = 4, d = 3;

Normalisation random_norm(Of of, const Rational& epsilon, Draws& draws) {
  return {of, epsilon, test::random_exact(1, d, draws), test::random_exact(1, d, draws)};
}

MlpBlock random_mlp(Draws& draws, Activation activation) {
  return {0,
          activation,
          {{test::random_exact(d, 4, draws), test::random_exact(1, 4, draws)},
           {test::random_exact(4, d, draws), test::random_exact(1, d, draws)}}};
}

ExactMatrix scaled(const ExactMatrix& a, const Rational& factor) {
  Matrix<Rational> result = test::rationals(a);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] *= factor;
  return test::exact_matrix(result);
}

/// `depth` attention blocks that `change` may alter, each followed by what `after` says.
template <class Change, class After>
Network layers(std::uint64_t seed, std::size_t depth, const Change& change, const After& after) {
  Draws draws(seed);
  Network network;
  network.input = test::random_exact(n, d, draws);
  for (std::size_t l = 0; l < depth; ++l) {
    AttentionBlock block = test::random_block(d, d, 2, 0, draws);
    for (Head& head : block.heads) head.W_Q = scaled(head.W_Q, Rational(1, 10));
    change(block, draws);
    network.blocks.emplace_back(std::move(block));
    after(network, draws);
  }
  return network;
}

const auto unchanged = [](AttentionBlock&, Draws&) {};
const auto nothing = [](Network&, Draws&) {};

Mask listed(std::vector<bool> allowed) {
  return Mask::listed(n, std::move(allowed));
}

}  // namespace

TEST_CASE("token normalisation after the attention, without skip: hundreds of zeros") {
  for (const Rational& epsilon : {Rational(0), Rational(1, 1000)}) {
    const double smallest =
        check_against_direct(layers(401, 6, unchanged, [&](Network& network, Draws& draws) {
          network.blocks.emplace_back(random_norm(Of::token, epsilon, draws));
        }));
    CHECK(smallest < -200);
  }
}

TEST_CASE("token normalisation before the attention, without skip: hundreds of zeros") {
  const double smallest = check_against_direct(layers(
      403, 6,
      [](AttentionBlock& block, Draws& draws) {
        block.pre_norm = random_norm(Of::token, Rational(1, 9), draws);
      },
      nothing));
  CHECK(smallest < -200);
}

TEST_CASE("post-LN and pre-LN layers with skip and MLP stay apart, and are followed as well") {
  check_against_direct(layers(
      405, 4, [](AttentionBlock& block, Draws&) { block.skip = 1; },
      [](Network& network, Draws& draws) {
        network.blocks.emplace_back(random_norm(Of::token, Rational(1, 100000), draws));
        MlpBlock mlp = random_mlp(draws, Activation::gelu);
        mlp.skip = 1;
        network.blocks.emplace_back(mlp);
        network.blocks.emplace_back(random_norm(Of::token, Rational(1, 100000), draws));
      }));
  check_against_direct(layers(
      407, 4,
      [](AttentionBlock& block, Draws& draws) {
        block.skip = 1;
        block.mask = Mask::causal();
        block.pre_norm = random_norm(Of::token, Rational(1, 100000), draws);
      },
      [](Network& network, Draws& draws) {
        MlpBlock mlp = random_mlp(draws, Activation::gelu_tanh);
        mlp.skip = 1;
        mlp.pre_norm = random_norm(Of::token, Rational(1, 100000), draws);
        network.blocks.emplace_back(mlp);
      }));
}

TEST_CASE("an MLP behind its own normalisation, without skip: hundreds of zeros") {
  const double smallest = check_against_direct(layers(409, 6, unchanged, [](Network& network, Draws& draws) {
    MlpBlock mlp = random_mlp(draws, Activation::tanh);
    mlp.pre_norm = random_norm(Of::token, Rational(1, 10), draws);
    network.blocks.emplace_back(mlp);
  }));
  CHECK(smallest < -200);
}

TEST_CASE("column normalisation after the attention, and before it") {
  const double smallest = check_against_direct(layers(411, 6, unchanged, [](Network& network, Draws& draws) {
    network.blocks.emplace_back(random_norm(Of::column, Rational(1, 7), draws));
  }));
  CHECK(smallest < -200);
  // Without epsilon the residual cannot shrink.
  check_against_direct(layers(413, 3, unchanged, [](Network& network, Draws& draws) {
    network.blocks.emplace_back(random_norm(Of::column, 0, draws));
  }));
  check_against_direct(layers(
      415, 3,
      [](AttentionBlock& block, Draws& draws) {
        block.skip = Rational(1, 2);
        block.pre_norm = random_norm(Of::column, 0, draws);
      },
      nothing));
}

TEST_CASE("key padding: hundreds of zeros") {
  const Mask mask = listed({1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1});
  const double smallest = check_against_direct(layers(
      417, 6, [&](AttentionBlock& block, Draws&) { block.mask = mask; }, nothing));
  CHECK(smallest < -200);
}

TEST_CASE("a causal and an arbitrary mask over small values: hundreds of zeros") {
  for (const Mask& mask : {Mask::causal(), listed({1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1})}) {
    const double smallest = check_against_direct(layers(
        419, 45,
        [&](AttentionBlock& block, Draws&) {
          block.mask = mask;
          for (Head& head : block.heads) head.W_O = scaled(head.W_O, test::two_to(-16));
        },
        nothing));
    CHECK(smallest < -200);
  }
}

TEST_CASE("score biases and relative keys, with and without a mask") {
  for (const Mask& mask : {Mask(), Mask::causal(), listed({1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1})})
    check_against_direct(layers(
        421, 5,
        [&](AttentionBlock& block, Draws& draws) {
          block.mask = mask;
          block.heads[0].score_bias = test::random_exact(n, n, draws);
          block.heads[1].relative_keys = test::random_exact(2 * n - 1, block.heads[1].d_qk, draws);
          block.heads[1].b_R = test::random_exact(1, block.heads[1].d_qk, draws);
        },
        nothing));
}
