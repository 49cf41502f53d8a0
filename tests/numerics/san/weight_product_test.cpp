// A weight matrix in factors against the exact product, and large heads in factors against the same heads
// composed.
#include "numerics/san/weight_product.hpp"

#include <doctest/doctest.h>

#include "tests/numerics/san/models.hpp"

using namespace rankfall;
using test::Draws;

namespace {

constexpr Precision p(192);
constexpr Index d = 64, k = 5, d_out = 70;

void check_encloses(const BallMatrix& found, const Matrix<Rational>& exact, long least_accuracy) {
  REQUIRE(found.rows() == exact.rows());
  REQUIRE(found.cols() == exact.cols());
  long worst = p.bits;
  for (Index i = 0; i < found.rows(); ++i)
    for (Index j = 0; j < found.cols(); ++j) {
      CHECK(test::holds(found(i, j), exact(i, j)));
      worst = std::min(worst, relative_accuracy_bits(found(i, j)));
    }
  CHECK(worst >= least_accuracy);
}

/// Heads narrow enough to stay factors.
Network narrow_heads(std::uint64_t seed, bool causal) {
  Draws draws(seed);
  Network network;
  network.input = test::random_exact(3, d, draws);
  for (int layer = 0; layer < 2; ++layer) {
    AttentionBlock block{Rational(layer, 2), {}, test::random_exact(1, d, draws)};
    if (causal) block.mask = Mask::causal();
    for (int h = 0; h < 2; ++h) block.heads.push_back(test::random_head(d, 3, 4, d, draws));
    network.blocks.emplace_back(std::move(block));
  }
  return network;
}

/// The same network with W_QK and W composed exactly; the fused form has no biases, so they are taken out
/// first.
std::pair<Network, Network> both_forms(Network network) {
  Network fused = network;
  for (std::size_t b = 0; b < network.blocks.size(); ++b) {
    auto& heads = std::get<AttentionBlock>(network.blocks[b]).heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      Head& head = heads[h];
      head.b_Q = head.b_K = head.b_V = {};
      Head& composed = std::get<AttentionBlock>(fused.blocks[b]).heads[h];
      composed = {};
      composed.fused = true;
      composed.W_QK = test::multiplied(head.W_Q, test::exact_matrix(test::rationals(head.W_K).transpose()));
      composed.W = test::multiplied(head.W_V, head.W_O);
      composed.d_qk = head.d_qk;
    }
  }
  return {network, fused};
}

}  // namespace

TEST_SUITE("san/weight_product") {
  TEST_CASE("only wide matrices of low rank stay in factors") {
    CHECK(stays_factored(768, 64, 768));
    CHECK(stays_factored(64, 31, 64));
    CHECK_FALSE(stays_factored(64, 32, 64));
    CHECK_FALSE(stays_factored(63, 1, 63));
    CHECK_FALSE(stays_factored(768, 768, 768));
  }

  TEST_CASE("products enclose the exact ones, in factors and composed") {
    Draws draws(77);
    const Matrix<Rational> L = test::random_matrix(d, k, draws), M = test::random_matrix(k, d_out, draws),
                           X = test::random_matrix(3, d, draws), Y = test::random_matrix(d_out, 2, draws);
    const Rational divisor(4);
    Matrix<Rational> A = test::multiplied(L, M);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] /= divisor;
    const WeightProduct factored(test::balls(L, p), test::balls(M, p), Ball(divisor, p), p);
    const WeightProduct whole(test::balls(A, p), Ball(1), p);
    CHECK(factored.is_factored());
    CHECK_FALSE(whole.is_factored());
    for (const WeightProduct* a : {&factored, &whole}) {
      CHECK(a->rows() == d);
      CHECK(a->cols() == d_out);
      check_encloses(a->composed(p), A, 150);
      check_encloses(product(test::balls(X, p), *a, p), test::multiplied(X, A), 150);
      check_encloses(a->between(test::balls(X, p), test::balls(Y, p), p),
                     test::multiplied(test::multiplied(X, A), Y), 150);
      const BallMatrix row = test::balls(X, p).topRows(1);
      const BallVector x = row.transpose();
      check_encloses(transposed_product(*a, x, p).transpose(),
                     test::multiplied(Matrix<Rational>(X.topRows(1)), A), 150);
    }
  }

  TEST_CASE("networks in factors and composed have one sequence of states") {
    for (const bool causal : {false, true}) {
      const auto [factored, composed] = both_forms(narrow_heads(causal ? 5 : 4, causal));
      const ResidualEngine in_factors(factored, p), whole(composed, p);
      REQUIRE(in_factors.attention(0).heads.front().scores.is_factored());
      REQUIRE(in_factors.attention(0).heads.front().values.is_factored());
      REQUIRE_FALSE(whole.attention(0).heads.front().scores.is_factored());
      const auto a = mean_states(in_factors), b = mean_states(whole);
      REQUIRE(a.size() == b.size());
      for (std::size_t s = 0; s < a.size(); ++s) {
        CAPTURE(s);
        CHECK(test::states_overlap(a[s], b[s]));
        CHECK(test::accuracy(a[s]) >= 100);
      }
    }
  }

  TEST_CASE("the output alone overlaps the output of a trace, whose values are whole") {
    const Network network = narrow_heads(6, false);
    const ResidualEngine engine(network, p);
    const ResidualState start = engine.input(Reference::median);
    const BlockTrace trace = engine.apply(0, start);
    CHECK(test::states_overlap(trace.output, engine.advance(0, start)));
    CHECK(trace.heads.front().values.mantissa.cols() == d);
  }
}
