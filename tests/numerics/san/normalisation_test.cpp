#include "numerics/san/normalisation.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "numerics/san/direct_normalisation.hpp"
#include "numerics/san/engine.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

constexpr Precision p(128);
using Of = Normalisation::Of;

/// One normalisation of these tokens.
Network normalised_tokens(const ExactMatrix& input, const Normalisation& norm) {
  Network network;
  network.input = input;
  network.blocks = {norm};
  return network;
}

ResidualState state_of(const Network& network) {
  return ResidualEngine(network, p).apply(0, ResidualEngine(network, p).input(Reference::mean)).output;
}

Ball token(const ResidualState& state, Index i, Index j) {
  return add(state.reference(j), scale(state.residual.mantissa(i, j), state.residual.exponent), p);
}

/// Direct evaluation with many bits lies in the enclosure, and the residual is known to `bits`.
void check_against_direct(const Network& network, long bits) {
  const ResidualState state = state_of(network);
  const PrecisionScope scope{Precision(2000)};
  const Matrix<Real> expected =
      normalised<Real>(std::get<Normalisation>(network.blocks[0]), rounded<Real>(network.input));
  for (Index i = 0; i < expected.rows(); ++i)
    for (Index j = 0; j < expected.cols(); ++j) {
      Ball value = to_ball(expected(i, j));
      arb_add_error_2exp_si(value.raw(), -1800);
      CHECK(overlap(token(state, i, j), value));
      const Ball difference = to_ball(Real(expected(i, j) - expected(0, j)));
      const Ball found = scale(sub(state.residual.mantissa(i, j), state.residual.mantissa(0, j), p),
                               state.residual.exponent);
      Ball widened = difference;
      arb_add_error_2exp_si(widened.raw(), -1800);
      CHECK(overlap(found, widened));
    }
  CHECK(test::accuracy(state) >= bits);
}

/// Tokens that differ by about 2^-closeness.
ExactMatrix close_tokens(Index n, Index d, long closeness, Draws& draws) {
  const Matrix<Rational> common = test::rationals(test::random_exact(1, d, draws));
  Matrix<Rational> tokens = test::rationals(test::random_exact(n, d, draws));
  for (Index i = 0; i < tokens.rows(); ++i)
    for (Index j = 0; j < d; ++j) tokens(i, j) = common(0, j) + tokens(i, j) * test::two_to(-closeness);
  return test::exact_matrix(tokens);
}

std::string message_of(const Network& network) {
  try {
    state_of(network);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("normalised differences keep their accuracy however small they are") {
  Draws draws(301);
  for (int round = 0; round < 4 * test::multiplier(); ++round)
    for (const Of of : {Of::token, Of::column})
      for (const long closeness : {0L, 3L, 60L, 700L})
        for (const Rational& epsilon : {Rational(0), Rational(1, 100000), Rational(7)}) {
          const Index d = 3 + round % 3;
          CAPTURE(closeness);
          CAPTURE(epsilon);
          Normalisation norm{of, epsilon, test::random_exact(1, d, draws), test::random_exact(1, d, draws)};
          check_against_direct(normalised_tokens(close_tokens(5, d, closeness, draws), norm), 90);
        }
}

TEST_CASE("an epsilon far below or above the variance") {
  Draws draws(303);
  for (const Of of : {Of::token, Of::column})
    for (const Rational& epsilon : {test::two_to(-3000), test::two_to(900)})
      check_against_direct(normalised_tokens(close_tokens(4, 4, 200, draws), {of, epsilon}), 90);
}

TEST_CASE("antipodal tokens: the reference has no variance, the tokens have") {
  const ExactMatrix input = test::matrix(2, 3, {1, 2, -4, -1, -2, 4});
  for (const Rational& epsilon : {Rational(0), Rational(1, 3)}) {
    const ResidualState state = state_of(normalised_tokens(input, {Of::token, epsilon}));
    CHECK(test::accuracy(state) >= 100);
    for (Index j = 0; j < 3; ++j) {
      CHECK(overlap(token(state, 0, j), neg(token(state, 1, j))));
      CHECK(relative_accuracy_bits(token(state, 0, j)) >= 100);
    }
  }
}

TEST_CASE("of two entries without epsilon only a sign is left: equal signs give exactly equal tokens") {
  const ResidualState alike =
      state_of(normalised_tokens(test::matrix(3, 2, {1, 0, 5, 2, 7, -1}), {Of::token}));
  CHECK(test::exactly_zero(alike));
  CHECK(contains(alike.reference(0), Rational(1)));
  const ResidualState apart = state_of(normalised_tokens(test::matrix(2, 2, {1, 0, 2, 5}), {Of::token}));
  CHECK(contains(token(apart, 0, 0), Rational(1)));
  CHECK(contains(token(apart, 1, 0), Rational(-1)));
}

TEST_CASE("equal tokens stay exactly equal; one entry with epsilon is shifted only") {
  const ExactMatrix equal = test::matrix(2, 3, {1, 2, 4, 1, 2, 4});
  CHECK(test::exactly_zero(state_of(normalised_tokens(equal, {Of::token, Rational(1, 10)}))));
  CHECK(test::exactly_zero(state_of(normalised_tokens(equal, {Of::column, Rational(1, 10)}))));
  const ResidualState single =
      state_of(normalised_tokens(test::matrix(2, 1, {1, 3}), {Of::token, 1, {}, test::matrix(1, 1, {9})}));
  CHECK(test::exactly_zero(single));
  CHECK(contains(single.reference(0), Rational(9)));
}

TEST_CASE("a column normalisation without epsilon has columns of unit variance") {
  Draws draws(305);
  const ResidualState state = state_of(normalised_tokens(close_tokens(6, 3, 5000, draws), {Of::column}));
  for (Index j = 0; j < 3; ++j) {
    Ball squares;
    for (Index i = 0; i < 6; ++i) squares = add(squares, mul(token(state, i, j), token(state, i, j), p), p);
    CHECK(contains(squares, Rational(6)));
    CHECK(relative_accuracy_bits(squares) >= 100);
  }
}

TEST_CASE("a variance of zero is an error with its place, never a guess") {
  const Network flat = normalised_tokens(test::matrix(2, 2, {1, 3, 4, 4}), {Of::token});
  CHECK_THROWS_AS(state_of(flat), InputError);
  CHECK(message_of(flat) ==
        "blocks[0]: token 1 of its input has variance 0 and epsilon is 0; one of them must be above 0");
  const Network constant = normalised_tokens(test::matrix(2, 2, {1, 3, 4, 3}), {Of::column});
  CHECK_THROWS_AS(state_of(constant), InputError);
  CHECK(message_of(constant).starts_with("blocks[0]: column 1 of its input has variance 0"));

  // A third is no exact ball: the enclosure of the variance reaches zero and does not tell.
  const NormalisationWeights norm = weights(Normalisation{Of::token}, 2, "blocks[7].pre_norm", p);
  ResidualState blurred{BallVector(2), {BallMatrix(1, 2), 0}};
  blurred.reference(0) = Ball(Rational(1, 3), p);
  blurred.reference(1) = Ball(Rational(1, 3), p);
  CHECK_THROWS_WITH_AS(
      apply(norm, blurred, p),
      "blocks[7].pre_norm: the variance of token 0 of its input cannot be told from 0, and epsilon "
      "is 0",
      DomainError);
}

TEST_CASE("wide enclosures widen the result and keep every point") {
  Draws draws(307);
  const Network network = normalised_tokens(close_tokens(4, 4, 2, draws), {Of::token, Rational(1, 50)});
  const ResidualEngine engine(network, p);
  const ResidualState exact = engine.input(Reference::mean);
  ResidualState wide = exact;
  for (Index i = 0; i < wide.residual.mantissa.size(); ++i)
    arb_add_error_2exp_si(wide.residual.mantissa.data()[i].raw(), -12);
  for (Index j = 0; j < wide.reference.size(); ++j) arb_add_error_2exp_si(wide.reference(j).raw(), -14);
  CHECK(test::states_overlap(engine.apply(0, wide).output, engine.apply(0, exact).output));
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j)
      CHECK(contains(token(engine.apply(0, wide).output, i, j),
                     midpoint(token(engine.apply(0, exact).output, i, j))));
}

TEST_CASE("normalisations that no state can satisfy, and broken shapes, are refused before anything runs") {
  const ExactMatrix two = test::matrix(2, 1, {1, 2}), one = test::matrix(1, 2, {1, 2});
  CHECK_THROWS_WITH_AS(
      validate(normalised_tokens(two, {Of::token})),
      "blocks[0].epsilon: found 0, but a token has only one entry, whose variance is zero; epsilon "
      "must be above 0",
      InputError);
  CHECK_THROWS_AS(validate(normalised_tokens(one, {Of::column})), InputError);
  CHECK_NOTHROW(validate(normalised_tokens(two, {Of::token, 1})));
  CHECK_THROWS_WITH_AS(validate(normalised_tokens(one, {Of::token, Rational(-1)})),
                       "blocks[0].epsilon: found a negative number; it must be at least 0", InputError);
  CHECK_THROWS_WITH_AS(
      validate(normalised_tokens(one, {Of::token, 0, test::matrix(1, 3, {1, 1, 1})})),
      "blocks[0].scale: found shape 1 x 3; it must be 1 x 2, because the state it reads is 1 x 2 "
      "(tokens x d)",
      InputError);
}
