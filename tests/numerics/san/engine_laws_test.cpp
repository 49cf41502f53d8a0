// Laws of the exact network that the enclosures must respect: what two ways of writing one network compute
// overlaps.
#include <doctest/doctest.h>

#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using Exact = Matrix<Rational>;

namespace {

constexpr Precision p(160);

std::vector<ResidualState> states_of(const Network& network) {
  return mean_states(ResidualEngine(network, p));
}

void check_same(const Network& a, const Network& b) {
  const auto left = states_of(a), right = states_of(b);
  REQUIRE(left.size() == right.size());
  for (std::size_t l = 0; l < left.size(); ++l) {
    CAPTURE(l);
    CHECK(test::states_overlap(left[l], right[l]));
    CHECK(test::accuracy(left[l]) >= 60);
    CHECK(test::accuracy(right[l]) >= 60);
  }
}

AttentionBlock& block(Network& network, std::size_t l) {
  return std::get<AttentionBlock>(network.blocks[l]);
}

/// b - W^T c, as a row.
ExactMatrix shifted_bias(const ExactMatrix& b, const ExactMatrix& W, const Exact& c) {
  Exact result = test::rationals(b);
  const Exact change = test::multiplied(c, test::rationals(W));
  for (Index j = 0; j < result.cols(); ++j) result(0, j) -= change(0, j);
  return test::exact_matrix(result);
}

}  // namespace

TEST_CASE("permuting the tokens permutes the residual") {
  Draws draws(151);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    Network network = test::random_network(5, 3, 3, 2, Rational(round % 2), draws);
    Network permuted = network;
    Exact input = test::rationals(network.input);
    for (Index i = 0; i + 1 < 5; ++i) input.row(i).swap(input.row(draws.integer(i, 4)));
    permuted.input = test::exact_matrix(input);
    const auto left = states_of(network), right = states_of(permuted);
    for (std::size_t l = 0; l < left.size(); ++l) {
      ResidualState moved = left[l];
      for (Index i = 0; i < 5; ++i)
        for (Index k = 0; k < 5; ++k) {
          bool equal = true;
          for (Index j = 0; j < 3; ++j) equal = equal && network.input(i, j) == permuted.input(k, j);
          if (equal) moved.residual.mantissa.row(k) = left[l].residual.mantissa.row(i);
        }
      CHECK(test::states_overlap(moved, right[l]));
    }
  }
}

TEST_CASE("a constant row added to the input, taken back in the biases") {
  Draws draws(153);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    const Network network = test::random_network(5, 3, 3, 2, 0, draws);
    const Exact c = test::rationals(test::random_exact(1, 3, draws));
    Network shifted = network;
    Exact input = test::rationals(network.input);
    for (Index i = 0; i < 5; ++i) input.row(i) += c;
    shifted.input = test::exact_matrix(input);
    for (Head& head : block(shifted, 0).heads) {
      head.b_Q = shifted_bias(head.b_Q, head.W_Q, c);
      head.b_K = shifted_bias(head.b_K, head.W_K, c);
      head.b_V = shifted_bias(head.b_V, head.W_V, c);
    }
    auto left = states_of(network);
    auto right = states_of(shifted);
    for (Index j = 0; j < 3; ++j) left[0].reference(j) = add(left[0].reference(j), Ball(c(0, j), p), p);
    for (std::size_t l = 0; l < left.size(); ++l) CHECK(test::states_overlap(left[l], right[l]));
  }
}

TEST_CASE("key biases have no influence") {
  Draws draws(155);
  const Network network = test::random_network(5, 3, 3, 2, 0, draws);
  Network other = network;
  for (std::size_t l = 0; l < 3; ++l)
    for (Head& head : block(other, l).heads) head.b_K = test::random_exact(1, head.d_qk, draws);
  check_same(network, other);
}

TEST_CASE("a head split in two that attend alike") {
  Draws draws(157);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    const Network network = test::random_network(5, 3, 3, 1, Rational(round % 2, 2), draws);
    Network split = network;
    for (std::size_t l = 0; l < 3; ++l) {
      Head first = block(split, l).heads[0], second = first;
      first.W_O = test::random_exact(first.W_O.rows(), first.W_O.cols(), draws);
      Exact rest = test::rationals(second.W_O);
      const Exact taken = test::rationals(first.W_O);
      for (Index i = 0; i < rest.size(); ++i) rest.data()[i] -= taken.data()[i];
      second.W_O = test::exact_matrix(rest);
      block(split, l).heads = {first, second};
    }
    check_same(network, split);
  }
}

TEST_CASE("a factored head and its fused form") {
  Draws draws(159);
  Network factored = test::random_network(5, 3, 3, 2, 0, draws);
  for (std::size_t l = 0; l < 3; ++l)
    for (Head& head : block(factored, l).heads) head.b_Q = head.b_V = {};
  Network fused = factored;
  for (std::size_t l = 0; l < 3; ++l)
    for (Head& head : block(fused, l).heads) {
      Head whole;
      whole.fused = true;
      whole.W_QK =
          test::multiplied(head.W_Q, test::exact_matrix(Exact(test::rationals(head.W_K).transpose())));
      whole.W = test::multiplied(head.W_V, head.W_O);
      whole.d_qk = head.d_qk;
      head = whole;
    }
  check_same(factored, fused);
}

TEST_CASE("scaled values scale the residual of the last layer") {
  Draws draws(161);
  for (const Rational& factor : {Rational(3), Rational(-1, 7), test::two_to(-500)}) {
    const Network network = test::random_network(5, 3, 2, 2, 0, draws);
    Network scaled = network;
    for (Head& head : block(scaled, 1).heads) {
      Exact values = test::rationals(head.W_O);
      for (Index i = 0; i < values.size(); ++i) values.data()[i] *= factor;
      head.W_O = test::exact_matrix(values);
    }
    const ScaledMatrix left = states_of(network)[2].residual, right = states_of(scaled)[2].residual;
    for (Index i = 0; i < left.mantissa.size(); ++i)
      CHECK(overlap(mul(scale(left.mantissa.data()[i], left.exponent), Ball(factor, p), p),
                    scale(right.mantissa.data()[i], right.exponent)));
  }
}

TEST_CASE("an exact rotation of the basis rotates every state") {
  Draws draws(163);
  for (int round = 0; round < 4 * test::multiplier(); ++round) {
    const Network network = test::random_network(5, 4, 3, 2, Rational(round % 2), draws);
    const Exact Q = test::rational_rotation(4, draws), back = Q.transpose();
    Network rotated = network;
    rotated.input = test::exact_matrix(test::multiplied(test::rationals(network.input), Q));
    for (std::size_t l = 0; l < 3; ++l) {
      block(rotated, l).b_O = test::exact_matrix(test::multiplied(test::rationals(block(rotated, l).b_O), Q));
      for (Head& head : block(rotated, l).heads) {
        for (ExactMatrix* W : {&head.W_Q, &head.W_K, &head.W_V})
          *W = test::exact_matrix(test::multiplied(back, test::rationals(*W)));
        head.W_O = test::exact_matrix(test::multiplied(test::rationals(head.W_O), Q));
      }
    }
    const auto left = states_of(network), right = states_of(rotated);
    for (std::size_t l = 0; l < left.size(); ++l) {
      ResidualState turned = left[l];
      for (Index j = 0; j < 4; ++j) {
        turned.reference(j) = Ball();
        for (Index i = 0; i < 5; ++i) turned.residual.mantissa(i, j) = Ball();
        for (Index k = 0; k < 4; ++k) {
          const Ball weight(Q(k, j), p);
          turned.reference(j) = add(turned.reference(j), mul(left[l].reference(k), weight, p), p);
          for (Index i = 0; i < 5; ++i)
            turned.residual.mantissa(i, j) =
                add(turned.residual.mantissa(i, j), mul(left[l].residual.mantissa(i, k), weight, p), p);
        }
      }
      CHECK(test::states_overlap(turned, right[l]));
      CHECK(test::accuracy(right[l]) >= 60);
    }
  }
}

TEST_CASE("weights as doubles and as the decimals they are") {
  Draws draws(165);
  Network doubles = test::random_network(4, 3, 2, 1, 0, draws);
  for (std::size_t l = 0; l < 2; ++l)
    for (Head& head : block(doubles, l).heads)
      for (ExactMatrix* W : {&head.W_Q, &head.W_K, &head.W_V, &head.W_O}) {
        std::vector<double> entries;
        for (Index i = 0; i < W->rows(); ++i)
          for (Index j = 0; j < W->cols(); ++j) entries.push_back((*W)(i, j).convert_to<double>());
        *W = ExactMatrix::from(W->rows(), W->cols(), entries);
      }
  Network decimals = doubles;
  for (std::size_t l = 0; l < 2; ++l)
    for (Head& head : block(decimals, l).heads) {
      std::vector<Rational> entries;
      for (Index i = 0; i < head.W_Q.rows(); ++i)
        for (Index j = 0; j < head.W_Q.cols(); ++j) entries.push_back(parse_number(to_text(head.W_Q(i, j))));
      head.W_Q = ExactMatrix::from(head.W_Q.rows(), head.W_Q.cols(), entries);
    }
  CHECK(block(decimals, 0).heads[0].W_Q == block(doubles, 0).heads[0].W_Q);
  check_same(doubles, decimals);
}
