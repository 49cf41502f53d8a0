#include "numerics/san/mask.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

constexpr Precision p(160);

AttentionBlock& block(Network& network, std::size_t l) {
  return std::get<AttentionBlock>(network.blocks[l]);
}

Network masked(Network network, const Mask& mask) {
  for (std::size_t l = 0; l < network.blocks.size(); ++l) block(network, l).mask = mask;
  return network;
}

void check_same(const Network& a, const Network& b) {
  const auto left = mean_states(ResidualEngine(a, p)), right = mean_states(ResidualEngine(b, p));
  for (std::size_t l = 0; l < left.size(); ++l) CHECK(test::states_overlap(left[l], right[l]));
}

/// Every query sees all keys but `hidden`.
Mask padding(Index tokens, Index hidden) {
  std::vector<bool> allowed;
  for (Index i = 0; i < tokens; ++i)
    for (Index j = 0; j < tokens; ++j) allowed.push_back(j != hidden);
  return Mask::listed(tokens, allowed);
}

Mask lower_triangle(Index tokens) {
  std::vector<bool> allowed;
  for (Index i = 0; i < tokens; ++i)
    for (Index j = 0; j < tokens; ++j) allowed.push_back(j <= i);
  return Mask::listed(tokens, allowed);
}

}  // namespace

TEST_CASE("what a mask allows") {
  CHECK(Mask().none());
  CHECK(Mask::causal().allows(2, 2));
  CHECK_FALSE(Mask::causal().allows(1, 2));
  CHECK(Mask().shared_keys(3) == std::vector<Index>{0, 1, 2});
  CHECK(padding(3, 1).shared_keys(3) == std::vector<Index>{0, 2});
  CHECK_FALSE(Mask::causal().shared_keys(3).has_value());
  CHECK(Mask::causal().shared_keys(1) == std::vector<Index>{0});
  CHECK(Mask::causal().acts_causally(4));
  CHECK(lower_triangle(4).acts_causally(4));
  CHECK(Mask().acts_causally(1));
  CHECK_FALSE(Mask().acts_causally(2));
  CHECK_FALSE(padding(3, 2).acts_causally(3));
  CHECK_THROWS_WITH_AS(Mask::listed(2, {true}), "a mask of 1 entries for 2 tokens", DomainError);
}

TEST_CASE("a mask that hides nothing, and the causal mask as it is listed") {
  Draws draws(321);
  const Network network = test::random_network(4, 3, 3, 2, 0, draws);
  check_same(network, masked(network, Mask::listed(4, std::vector<bool>(16, true))));
  check_same(masked(network, Mask::causal()), masked(network, lower_triangle(4)));
}

TEST_CASE("a token that no query may see leaves no trace in the others") {
  Draws draws(323);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    const Index hidden = round % 4;
    const Network whole =
        masked(test::random_network(4, 3, 3, 2, Rational(round % 2, 2), draws), padding(4, hidden));
    Network without = masked(whole, Mask());
    Matrix<Rational> rest(3, 3);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) rest(i, j) = whole.input(i < hidden ? i : i + 1, j);
    without.input = test::exact_matrix(rest);
    const auto left = mean_states(ResidualEngine(whole, p)), right = mean_states(ResidualEngine(without, p));
    for (std::size_t l = 0; l < left.size(); ++l)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j) {
          const auto token = [&](const ResidualState& state, Index row) {
            return add(state.reference(j), scale(state.residual.mantissa(row, j), state.residual.exponent),
                       p);
          };
          CHECK(overlap(token(left[l], i < hidden ? i : i + 1), token(right[l], i)));
        }
  }
}

TEST_CASE("a shared key set keeps the cubic collapse, a causal mask does not") {
  Draws draws(325);
  Network network = test::random_network(4, 3, 5, 1, 0, draws);
  for (std::size_t l = 0; l < 5; ++l)  // small queries
    for (Head& head : block(network, l).heads)
      head.W_Q = head.W_K = test::matrix(3, 1, {Rational(1, 9), 0, Rational(1, 8)});
  const auto exponent = [](const Network& net) {
    return mean_states(ResidualEngine(net, p)).back().residual.exponent;
  };
  CHECK(exponent(masked(network, padding(4, 2))) < -300);
  CHECK(exponent(masked(network, Mask::causal())) > -40);
}

TEST_CASE("under a causal mask no token depends on a later one, and the first keeps to its values") {
  Draws draws(327);
  Network network = masked(test::random_network(4, 3, 3, 2, 0, draws), Mask::causal());
  Network other = network;
  Matrix<Rational> input = test::rationals(network.input);
  for (Index j = 0; j < 3; ++j) input(3, j) = Rational(draws.integer(-9, 9), 7);
  other.input = test::exact_matrix(input);
  const ResidualEngine first(network, p), second(other, p);
  const auto left = mean_states(first), right = mean_states(second);
  for (std::size_t l = 0; l < left.size(); ++l)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) {
        const auto token = [&](const ResidualState& state) {
          return add(state.reference(j), scale(state.residual.mantissa(i, j), state.residual.exponent), p);
        };
        CHECK(overlap(token(left[l]), token(right[l])));
      }
}

TEST_CASE("row biases: one constant along each row changes nothing, one along each column moves b_K's twin") {
  Draws draws(329);
  const Network network = test::random_network(4, 3, 3, 2, 0, draws);
  Network biased = network;
  for (std::size_t l = 0; l < 3; ++l)
    for (Head& head : block(biased, l).heads) {
      Matrix<Rational> bias(4, 4);
      for (Index i = 0; i < 4; ++i) bias.row(i).setConstant(Rational(draws.integer(-9, 9), 4));
      head.score_bias = test::exact_matrix(bias);
    }
  check_same(network, biased);
  check_same(masked(network, Mask::causal()), masked(biased, Mask::causal()));
}

TEST_CASE("relative keys that agree for all distances act as a bias of the query") {
  Draws draws(331);
  const Network network = test::random_network(4, 3, 2, 2, 0, draws);
  Network relative = network;
  for (std::size_t l = 0; l < 2; ++l)
    for (Head& head : block(relative, l).heads) {
      const Matrix<Rational> key = test::rationals(test::random_exact(1, head.d_qk, draws));
      Matrix<Rational> keys(7, head.d_qk);
      for (Index i = 0; i < 7; ++i) keys.row(i) = key.row(0);
      head.relative_keys = test::exact_matrix(keys);
      head.b_R = test::random_exact(1, head.d_qk, draws);
    }
  check_same(network, relative);  // the added score depends on the query only
}

TEST_CASE("row biases keep equal tokens exactly equal") {
  Draws draws(333);
  Network network = test::random_network(3, 3, 2, 1, 0, draws);
  network.input = test::matrix(3, 3, {1, 2, 5, 1, 2, 5, 1, 2, 5});
  for (std::size_t l = 0; l < 2; ++l)
    for (Head& head : block(network, l).heads) head.score_bias = test::random_exact(3, 3, draws);
  for (const ResidualState& state : mean_states(ResidualEngine(network, p))) CHECK(test::exactly_zero(state));
}

TEST_CASE("masks and row biases of the wrong shape are refused by place") {
  Draws draws(335);
  const Network good = test::random_network(3, 2, 1, 1, 0, draws);
  const auto refused = [&](auto change, const char* message) {
    Network network = good;
    change(block(network, 0));
    CHECK_THROWS_WITH_AS(validate(network), message, InputError);
  };
  refused([](AttentionBlock& b) { b.mask = Mask::listed(2, std::vector<bool>(4, true)); },
          "blocks[0].mask: found shape 2 x 2; it must be 3 x 3, tokens x tokens");
  refused(
      [](AttentionBlock& b) {
        b.mask = Mask::listed(3, {1, 0, 0, 0, 0, 0, 1, 1, 1});
      },
      "blocks[0].mask[1]: found a row without a 1; every query must see at least one key");
  refused(
      [](AttentionBlock& b) {
        b.heads[0].score_bias = test::matrix(1, 3, {1, 2, 3});
      },
      "blocks[0].heads[0].score_bias: found shape 1 x 3; it must be 3 x 3, tokens x tokens");
  refused(
      [](AttentionBlock& b) {
        b.heads[0].relative_keys = test::matrix(3, 1, {1, 2, 3});
      },
      "blocks[0].heads[0].relative_keys: found shape 3 x 1; it must be 5 x 1, a row for each distance of two "
      "of "
      "the 3 tokens, and columns like W_Q");
  refused([](AttentionBlock& b) { b.heads[0].b_R = test::matrix(1, 1, {1}); },
          "blocks[0].heads[0].b_R: found b_R without relative_keys, with which it is multiplied");
}
