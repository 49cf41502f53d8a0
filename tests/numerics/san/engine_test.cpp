#include "numerics/san/engine.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "numerics/san/generate.hpp"
#include "numerics/san/measures.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using test::Interval;
using test::scalar_network;

namespace {

/// The first token of the scalar network after every layer, by the rational oracle.
std::vector<Rational> scalar_orbit(Rational a, const Rational& w, const Rational& v, std::size_t depth) {
  std::vector<Rational> orbit{a};
  for (std::size_t layer = 0; layer < depth; ++layer) {
    a = v * a * test::middle(test::tanh_of(Rational(w * a * a)));
    orbit.push_back(a);
  }
  return orbit;
}

Ball first_token(const ResidualState& state) {
  return scale(state.residual.mantissa(0, 0), state.residual.exponent);
}

ResidualEngine engine_of(const Network& network, long bits) {
  return ResidualEngine(network, Precision(bits));
}

Rational decimal(const char* text) {
  return parse_number(text);
}

void check_near(const Ball& a, const char* printed, const char* unit) {
  const Rational value = decimal(printed), slack = decimal(unit);
  CHECK(test::holds(a, Interval{Rational(value - slack), Rational(value + slack)}));
  CHECK(relative_accuracy_bits(a) >= 40);
}

}  // namespace

TEST_CASE("the scalar model, step by step, to 30 digits") {
  struct Case {
    Rational a, w, v;
    std::size_t depth;
  };
  for (const Case& c :
       {Case{1, Rational(1, 10), 1, 3}, Case{3, Rational(1, 100), 10, 6}, Case{4, Rational(1, 100), 10, 6},
        Case{Rational(7, 3), Rational(-1, 5), Rational(-3, 2), 5}}) {
    const auto states = mean_states(engine_of(scalar_network(c.a, c.w, c.v, c.depth), 192));
    const std::vector<Rational> orbit = scalar_orbit(c.a, c.w, c.v, c.depth);
    REQUIRE(states.size() == c.depth + 1);
    for (std::size_t l = 0; l <= c.depth; ++l) {
      CAPTURE(l);
      const Rational slack = abs(orbit[l]) * test::two_to(-200);
      CHECK(test::holds(first_token(states[l]),
                        Interval{Rational(orbit[l] - slack), Rational(orbit[l] + slack)}));
      CHECK(relative_accuracy_bits(first_token(states[l])) >= 100);
      CHECK(test::holds(neg(scale(states[l].residual.mantissa(1, 0), states[l].residual.exponent)),
                        Interval{Rational(orbit[l] - slack), Rational(orbit[l] + slack)}));
      CHECK(contains(states[l].reference(0), Rational(0)));
    }
  }
}

TEST_CASE("the printed numbers of the worked example") {
  const auto first = mean_states(engine_of(scalar_network(1, Rational(1, 10), 1, 2), 128));
  check_near(first_token(first[1]), "0.0996680", "5e-8");
  check_near(first_token(first[2]), "0.0000990", "5e-8");
  check_near(residual_norm(first[1], Precision(128)).to_ball(Precision(128)), "0.140952", "5e-7");
  const auto down = mean_states(engine_of(scalar_network(3, Rational(1, 100), 10, 6), 128));
  const auto up = mean_states(engine_of(scalar_network(4, Rational(1, 100), 10, 6), 128));
  check_near(first_token(down[6]), "2.949e-17", "5e-21");
  check_near(first_token(up[6]), "2.426e5", "50");
}

TEST_CASE("the threshold sqrt(atanh(1/v)/w) separates collapse from growth") {
  const Precision p(128);
  // atanh(1/10) = log(11/9) / 2
  const Ball threshold =
      sqrt(div(scale(log(Ball(Rational(11, 9), p), p), -1L), Ball(Rational(1, 100), p), p), p);
  const Rational below = decimal("3.1675755"), above = decimal("3.1675756");
  CHECK(certainly_less(Ball(below, p), threshold));
  CHECK(certainly_less(threshold, Ball(above, p)));
  constexpr std::size_t depth = 26;
  const auto down = mean_states(engine_of(scalar_network(below, Rational(1, 100), 10, depth), 1024));
  const auto up = mean_states(engine_of(scalar_network(above, Rational(1, 100), 10, depth), 1024));
  CHECK(certainly_less(first_token(down.back()), Ball(1e-6)));
  CHECK(certainly_positive(first_token(down.back())));
  CHECK(certainly_less(Ball(1e6), first_token(up.back())));
  for (std::size_t l = 0; l < depth; ++l) {
    CHECK(certainly_less(first_token(down[l + 1]), first_token(down[l])));
    CHECK(certainly_less(first_token(up[l]), first_token(up[l + 1])));
  }
}

TEST_CASE("logits far beyond 2^127: saturated attention multiplies by v") {
  // A layer loses the bits of its logits: q depends on a reference that is known only to so many.
  constexpr std::size_t depth = 20;
  const auto states = mean_states(engine_of(scalar_network(4, 1, 10, depth), 2048));
  // tanh(16 * 100^l) = 1 to within e^-32 in the first layer, e^-3200 in the second.
  const Ball last = first_token(states[depth]);
  const Ball expected = mul(Ball(power(Integer(10), depth - 1)), first_token(states[1]), Precision(2048));
  CHECK(overlap(last, mul(expected, sub(Ball(1L), between_zero_and(scale(Ball(1L), -4000L)), Precision(2048)),
                          Precision(2048))));
  CHECK(relative_accuracy_bits(last) >= 100);
}

TEST_CASE("growth in which nobody knows who wins keeps finite, true enclosures") {
  Draws draws(141);
  for (int round = 0; round < 3 * test::multiplier(); ++round) {
    Network network = test::random_network(4, 3, 12, 1, 0, draws);
    for (Block& block : network.blocks)
      for (Head& head : std::get<AttentionBlock>(block).heads)
        head.W_V =
            test::multiplied(head.W_V, ExactMatrix::from(2, 2, std::vector<double>{0x1p40, 0, 0, 0x1p41}));
    const auto rough = mean_states(engine_of(network, 53)), fine = mean_states(engine_of(network, 2000));
    for (std::size_t l = 0; l < rough.size(); ++l) {
      CHECK(test::states_overlap(rough[l], fine[l]));
      for (Index i = 0; i < rough[l].residual.mantissa.size(); ++i)
        CHECK(is_finite(rough[l].residual.mantissa.data()[i]));
    }
    CHECK(test::accuracy(fine[12]) > 100);
  }
}

TEST_CASE("two precisions overlap, and a layer of 16 x 16 costs at most 7 bits") {
  for (std::uint64_t seed = 1; seed <= 2 * static_cast<std::uint64_t>(test::multiplier()); ++seed) {
    GenerateSpec spec;
    spec.seed = seed;
    const Network network = generate(spec);
    const auto coarse = mean_states(engine_of(network, 128)), fine = mean_states(engine_of(network, 256));
    for (std::size_t l = 0; l < coarse.size(); ++l) {
      CAPTURE(l);
      CHECK(test::states_overlap(coarse[l], fine[l]));
      CHECK(test::accuracy(coarse[l]) >= 116 - 7 * static_cast<long>(l));
      CHECK(test::accuracy(fine[l]) >= 244 - 7 * static_cast<long>(l));
    }
  }
}

TEST_CASE("heads, biases, skip and other widths: two precisions overlap") {
  Draws draws(143);
  for (int round = 0; round < 5 * test::multiplier(); ++round) {
    for (const Rational& skip : {Rational(0), Rational(1), Rational(-1, 3)}) {
      Network network = test::random_network(5, 4, 3, 1 + round % 3, skip, draws);
      network.blocks.emplace_back(test::random_block(4, 7, 2, 0, draws));
      network.blocks.emplace_back(test::random_block(7, 2, 1, 0, draws));
      const auto coarse = mean_states(engine_of(network, 128)), fine = mean_states(engine_of(network, 400));
      for (std::size_t l = 0; l < coarse.size(); ++l) CHECK(test::states_overlap(coarse[l], fine[l]));
      CHECK(test::accuracy(coarse.back()) >= 60);
    }
  }
}

TEST_CASE("any reference leads to the same state") {
  Draws draws(145);
  const Network network = test::random_network(6, 3, 2, 2, Rational(1, 2), draws);
  const ResidualEngine engine = engine_of(network, 200);
  const Precision p = engine.precision();
  const auto states = mean_states(engine);
  for (const Reference reference : {Reference::mean, Reference::median, Reference::midrange}) {
    ResidualState state = engine.input(reference);
    for (std::size_t l = 0; l < 2; ++l) {
      state = engine.apply(l, state).output;  // about the propagated reference
      CHECK(test::states_overlap(recentred(state, Reference::mean, p), states[l + 1]));
      state = recentred(state, reference, p);
      CHECK(test::states_overlap(recentred(state, Reference::mean, p), states[l + 1]));
      const BallVector y = reference_row(state.residual.mantissa, reference, p);
      for (Index j = 0; j < y.size(); ++j) CHECK(contains_zero(y(j)));
    }
  }
}

TEST_CASE("the trace holds what the heads saw") {
  Draws draws(147);
  const Network network = test::random_network(4, 3, 1, 2, 0, draws);
  const ResidualEngine engine = engine_of(network, 128);
  const Precision p = engine.precision();
  const ResidualState input = engine.input(Reference::mean);
  const BlockTrace trace = engine.apply(0, input);
  REQUIRE(trace.heads.size() == 2);
  // By rationals: x, R, E = R W_QK R^T / sqrt(d_qk), values = R W_V W_O.
  Matrix<Rational> R = test::rationals(network.input);
  for (Index j = 0; j < R.cols(); ++j) {
    Rational mean = 0;
    for (Index i = 0; i < R.rows(); ++i) mean += R(i, j) / 4;
    for (Index i = 0; i < R.rows(); ++i) R(i, j) -= mean;
  }
  const auto& block = std::get<AttentionBlock>(network.blocks[0]);
  for (std::size_t h = 0; h < 2; ++h) {
    const Head& head = block.heads[h];
    const Matrix<Rational> W_Q = test::rationals(head.W_Q), W_K = test::rationals(head.W_K);
    const Matrix<Rational> scores =
        test::multiplied(test::multiplied(R, W_Q), Matrix<Rational>(test::multiplied(R, W_K).transpose()));
    const Matrix<Rational> values =
        test::multiplied(R, test::multiplied(test::rationals(head.W_V), test::rationals(head.W_O)));
    const Ball root = sqrt(Ball(static_cast<long>(head.d_qk)), p);
    Ball total;
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 4; ++j) {
        const Ball entry = mul(scale(trace.heads[h].E.mantissa(i, j), trace.heads[h].E.exponent), root, p);
        CHECK(test::holds(entry, scores(i, j)));
      }
      for (Index j = 0; j < 3; ++j)
        CHECK(test::holds(scale(trace.heads[h].values.mantissa(i, j), trace.heads[h].values.exponent),
                          values(i, j)));
      total = add(total, trace.heads[h].q(i), p);
    }
    CHECK(test::holds(total, Rational(1)));
  }
}

TEST_CASE("equal tokens, one token and zero values stay exactly zero") {
  Draws draws(149);
  for (const Rational& skip : {Rational(0), Rational(2, 3)}) {
    Network network = test::random_network(5, 3, 3, 2, skip, draws);
    Matrix<Rational> equal = test::rationals(network.input);
    for (Index i = 1; i < 5; ++i) equal.row(i) = equal.row(0);
    network.input = test::exact_matrix(equal);
    for (const Reference reference : {Reference::mean, Reference::median, Reference::midrange})
      CHECK(test::exactly_zero(engine_of(network, 53).input(reference)));
    for (const ResidualState& state : mean_states(engine_of(network, 53))) {
      CHECK(test::exactly_zero(state));
      CHECK(state.residual.exponent == 0);
      CHECK(residual_norm(state, Precision(53)).is_zero());
    }
    network.input = test::exact_matrix(equal.topRows(1));
    for (const ResidualState& state : mean_states(engine_of(network, 53))) CHECK(test::exactly_zero(state));
  }
  Network network = test::random_network(4, 3, 2, 1, 0, draws);
  std::get<AttentionBlock>(network.blocks[0]).heads[0].W_V = ExactMatrix(3, 2);
  const auto no_values = mean_states(engine_of(network, 53));
  CHECK_FALSE(test::exactly_zero(no_values[0]));
  CHECK(test::exactly_zero(no_values[1]));
  CHECK(test::exactly_zero(no_values[2]));
  network = test::random_network(4, 3, 1, 1, 0, draws);
  std::get<AttentionBlock>(network.blocks[0]).heads[0].W_K = ExactMatrix(3, 1);
  CHECK(test::exactly_zero(
      mean_states(engine_of(network, 53))[1]));  // no scores: every token gets the same row
}

TEST_CASE("depth 200 on 16 x 16: a residual near 10^-(1e95), with correct digits") {
  GenerateSpec spec;
  spec.depth = 200;
  const Network network = generate(spec);
  const auto states = mean_states(engine_of(network, 2048));
  const Ball log10 = residual_norm(states[200], Precision(2048)).log10(Precision(400));
  CHECK(certainly_less(log10, neg(Ball(power(Integer(10), 94)))));
  CHECK(certainly_less(neg(Ball(power(Integer(10), 96))), log10));
  CHECK(test::accuracy(states[200]) >= 500);
  CHECK(relative_accuracy_bits(log10) >= 300);
  // Two layers before the end, another precision agrees.
  const auto other = mean_states(engine_of(network, 2304));
  CHECK(test::states_overlap(states[198], other[198]));
  CHECK(overlap(log10, residual_norm(other[200], Precision(2304)).log10(Precision(400))));
}

TEST_CASE("shapes that break are refused") {
  Network network = scalar_network(1, 1, 1, 1);
  std::get<AttentionBlock>(network.blocks[0]).heads[0].W = ExactMatrix(2, 1);
  CHECK_THROWS_AS(engine_of(network, 53), InputError);
}
