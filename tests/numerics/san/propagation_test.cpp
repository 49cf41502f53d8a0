#include "numerics/san/propagation.hpp"

#include <doctest/doctest.h>

#include "numerics/san/generate.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/random_network.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

struct Followed {
  std::vector<ResidualState> states;
  std::size_t at_rank_one = 0;
};

Followed follow(const ResidualEngine& engine, Reference start, bool recentre, Precision least) {
  Propagation run(engine, engine.input(start), recentre, least);
  Followed result{{run.state()}, 0};
  while (run.blocks_done() < engine.blocks()) {
    run.step();
    result.states.push_back(run.state());
    result.at_rank_one += run.at_rank_one();
  }
  return result;
}

/// The same network in entry balls throughout, at many more bits.
void agrees_with_entry_balls(const Network& network, const Followed& followed, long bits) {
  const auto fine = mean_states(ResidualEngine(network, Precision(bits)));
  for (std::size_t k = 0; k < fine.size(); ++k) {
    CAPTURE(k);
    CHECK(test::states_overlap(followed.states[k], fine[k]));
  }
}

Network deep(Network shallow, std::size_t depth) {
  while (shallow.blocks.size() < depth)
    shallow.blocks.emplace_back(shallow.blocks[shallow.blocks.size() % 3]);
  return shallow;
}

}  // namespace

TEST_CASE("one head: the rank-one form and entry balls enclose the same states, also from hostile starts") {
  Draws draws(171);
  std::size_t thin = 0, known = 0, all = 0;
  for (int round = 0; round < 12 * test::multiplier(); ++round) {
    CAPTURE(round);
    Network network = deep(test::random_network(2 + round % 5, 1 + round % 4, 3, 1, 0, draws), 24);
    if (round % 4 == 1) {  // repeated tokens
      Matrix<Rational> X = test::rationals(network.input);
      X.row(1) = X.row(0);
      if (X.rows() > 2) X.row(2) = -X.row(0);
      network.input = test::exact_matrix(X);
    }
    if (round % 4 == 2)  // attention that begins near one-hot
      for (Block& block : network.blocks)
        for (Head& head : std::get<AttentionBlock>(block).heads)
          head.b_Q =
              ExactMatrix::from(1, head.d_qk, std::vector<double>(static_cast<std::size_t>(head.d_qk), 30.0));
    if (round % 4 == 3) {  // a large shift
      Matrix<Rational> X = test::rationals(network.input);
      for (Index i = 0; i < X.size(); ++i) X.data()[i] += 1000;
      network.input = test::exact_matrix(X);
    }
    const Followed followed =
        follow(ResidualEngine(network, Precision(700)), Reference::mean, true, Precision(128));
    agrees_with_entry_balls(network, followed, 2600);
    thin += followed.at_rank_one;
    for (const ResidualState& state : followed.states)
      known += test::exactly_zero(state) || test::accuracy(state) > 60;
    all += followed.states.size();
  }
  CHECK(thin * 3 > all);
  CHECK(known * 10 > all * 9);
}

TEST_CASE("about the propagated reference the rank-one form follows as well") {
  Draws draws(173);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    const Network network = deep(test::random_network(5, 3, 3, 1, 0, draws), 20);
    const ResidualEngine engine(network, Precision(700)), fine(network, Precision(2600));
    const Followed followed = follow(engine, Reference::median, false, Precision(128));
    CHECK(followed.at_rank_one > 0);
    ResidualState state = fine.input(Reference::median);
    for (std::size_t k = 0; k < fine.blocks(); ++k) {
      state = fine.advance(k, state);
      CAPTURE(k);
      CHECK(test::states_overlap(followed.states[k + 1], state));
    }
    CHECK(test::accuracy(followed.states.back()) > 60);
  }
}

TEST_CASE("whatever the rest is within its bound, the next state is within the next bounds") {
  Draws draws(177);
  const Precision p(300);
  int told = 0;
  for (int round = 0; round < 60 * test::multiplier(); ++round) {
    CAPTURE(round);
    const Index n = 2 + round % 4, d = 1 + round % 3;
    const AttentionWeights block = weights(test::random_block(d, d, 1, 0, draws), p);
    const auto vector = [&](Index size) {
      BallVector result(size);
      for (Index i = 0; i < size; ++i) result(i) = Ball(Rational(draws.integer(-64, 64), 64), p);
      return result;
    };
    // Deep down the rest decides alone, higher up what is beyond leading order counts too.
    const bool deep_down = round % 2 == 0;
    RankOneState state{vector(d), deep_down ? -60 : -8 - round % 7,      Ball(1), vector(n),
                       vector(d), scale(Ball(1), -6L - 2L * (round % 5))};
    state.v(0) = Ball(1);
    state.reference(0) = Ball(100);
    const auto next = advance(block, state, Precision(deep_down ? 50 : 8));
    if (!next) continue;
    ++told;
    // B of rank one, along u and v or across, as large as its bound allows
    const BallVector left = round % 4 < 2 ? state.u : vector(n), right = round % 3 ? vector(d) : state.v;
    Ball square;
    BallMatrix B(n, d);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < d; ++j) {
        B(i, j) = mul(left(i), right(j), p);
        square = add(square, mul(B(i, j), B(i, j), p), p);
      }
    if (!certainly_positive(square)) continue;
    const Ball factor = lower(div(state.rest, sqrt(square, p), p), Precision(60));
    ResidualState whole{state.reference, {BallMatrix(n, d), state.exponent}};
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < d; ++j)
        whole.residual.mantissa(i, j) = add(mul(state.u(i), state.v(j), p), mul(factor, B(i, j), p), p);
    CHECK(test::states_overlap(entries(*next, p), advance(block, whole, p)));
  }
  CHECK(told > 20);
}

TEST_CASE("blocks for which rank one is not kept are followed in entry balls again") {
  Draws draws(175);
  Network network = deep(test::random_network(4, 3, 3, 1, 0, draws), 14);
  network.blocks.emplace_back(test::random_block(3, 3, 2, 0, draws));
  network.blocks.emplace_back(test::random_block(3, 3, 1, Rational(1, 2), draws));
  network.blocks.emplace_back(MlpBlock{0, Activation::relu, {{test::random_exact(3, 3, draws), {}}}});
  network.blocks.emplace_back(test::random_block(3, 2, 1, 0, draws));
  network.blocks.emplace_back(test::random_block(2, 2, 1, 0, draws));
  const Followed followed =
      follow(ResidualEngine(network, Precision(900)), Reference::mean, true, Precision(200));
  CHECK(followed.at_rank_one > 0);
  agrees_with_entry_balls(network, followed, 2600);
  CHECK(test::accuracy(followed.states.back()) > 100);
}

TEST_CASE("a layer of 16 x 16 costs at most 2.7 bits at depth 300") {
  GenerateSpec spec;
  spec.depth = 300;
  const Network network = generate(spec);
  const Followed followed =
      follow(ResidualEngine(network, Precision(256 + 2 * 300 + 210)), Reference::mean, true, Precision(256));
  CHECK(followed.at_rank_one > 280);
  CHECK(test::accuracy(followed.states.back()) > 240);
}

TEST_CASE("what is exactly zero stays so, and one dimension has rank one from the start") {
  Network still = deep(test::scalar_network(1, 1, Rational(1, 2), 3), 30);
  still.input = test::matrix(2, 1, {5, 5});
  for (const ResidualState& state :
       follow(ResidualEngine(still, Precision(256)), Reference::mean, true, Precision(128)).states)
    CHECK(test::exactly_zero(state));

  // The mean of the two tokens is zero: there is no reference beside which the residual is small.
  const Network scalar = test::scalar_network(1, 1, Rational(1, 2), 30);
  const Followed followed =
      follow(ResidualEngine(scalar, Precision(256)), Reference::mean, true, Precision(128));
  agrees_with_entry_balls(scalar, followed, 600);
  CHECK(test::accuracy(followed.states.back()) > 60);
}
