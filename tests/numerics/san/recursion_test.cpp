#include "numerics/san/recursion.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numerics/san/arithmetic_real.hpp"
#include "numerics/san/generate.hpp"
#include "numerics/san/measures.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

double log10_composite(const Recursion<double>& recursion, const RecursionState<double>& state) {
  return std::log10(recursion.composite(state)) + state.exponent.convert_to<double>() * std::log10(2.0);
}

double log10_of(const ResidualState& state) {
  return to_double(residual_norm(state, Precision(200)).log10(Precision(64)));
}

/// The recursion's state as the engine writes it.
ResidualState as_engine(const RecursionState<Ball>& state) {
  return {state.reference, {state.residual, state.exponent}};
}

/// The recursion in a point arithmetic, relative to the engine's residual: the largest difference of entries.
template <class Scalar>
double distance(const RecursionState<Scalar>& state, const ResidualState& exact) {
  Ball largest, difference;
  for (Index i = 0; i < state.residual.size(); ++i) {
    const Ball entry = [&] {
      if constexpr (std::is_same_v<Scalar, Real>)
        return to_ball(state.residual.data()[i]);
      else
        return Ball(static_cast<double>(state.residual.data()[i]));
    }();
    const Ball moved = scale(entry, Integer(state.exponent - exact.residual.exponent));
    difference =
        max(difference, abs(sub(moved, exact.residual.mantissa.data()[i], Precision(300))), Precision(300));
    largest = max(largest, abs(exact.residual.mantissa.data()[i]), Precision(300));
  }
  return to_double(div(difference, largest, Precision(64)));
}

}  // namespace

TEST_CASE("in balls it overlaps the engine, layer by layer") {
  Draws draws(171);
  for (int round = 0; round < 4 * test::multiplier(); ++round)
    for (const Rational& skip : {Rational(0), Rational(-3, 4)}) {
      Network network = test::random_network(5, 4, 3, 1 + round % 3, skip, draws);
      network.blocks.emplace_back(test::random_block(4, 6, 2, 0, draws));
      const auto states = recursion_states<Ball>(network, Arithmetic<Ball>(Precision(160)));
      const auto exact = mean_states(ResidualEngine(network, Precision(160)));
      REQUIRE(states.size() == exact.size());
      for (std::size_t l = 0; l < states.size(); ++l) {
        CHECK(test::states_overlap(as_engine(states[l]), exact[l]));
        CHECK(test::accuracy(as_engine(states[l])) >= 60);
      }
    }
  GenerateSpec spec;
  spec.depth = 6;
  const Network network = generate(spec);
  const auto states = recursion_states<Ball>(network, Arithmetic<Ball>(Precision(160)));
  const auto exact = mean_states(ResidualEngine(network, Precision(160)));
  for (std::size_t l = 0; l < states.size(); ++l) CHECK(test::states_overlap(as_engine(states[l]), exact[l]));
  CHECK(test::accuracy(as_engine(states[6])) >= 60);
}

TEST_CASE("in double it agrees with the engine at depth 12 to 1e-10 of the logarithm, and better") {
  for (std::uint64_t seed = 1; seed <= 3 * static_cast<std::uint64_t>(test::multiplier()); ++seed) {
    GenerateSpec spec;
    spec.seed = seed;
    spec.heads = seed == 2 ? 4 : 1;
    const Network network = generate(spec);
    const auto states = recursion_states<double>(network);
    const auto exact = mean_states(ResidualEngine(network, Precision(192)));
    const Recursion<double> recursion;
    for (std::size_t l = 0; l < states.size(); ++l) {
      CAPTURE(l);
      const double expected = log10_of(exact[l]), found = log10_composite(recursion, states[l]);
      CHECK(std::fabs(found - expected) <= 1e-10 * std::max(1.0, std::fabs(expected)));
      CHECK(distance(states[l], exact[l]) < 1e-15 * std::pow(3.3, static_cast<double>(l + 1)));
    }
    CHECK(log10_of(exact[12]) < -80'000);
  }
}

TEST_CASE("float, long double and Real agree to their digits") {
  Draws draws(173);
  for (const Rational& skip : {Rational(0), Rational(1, 2)}) {
    const Network network = test::random_network(5, 4, 4, 2, skip, draws);
    const auto exact = mean_states(ResidualEngine(network, Precision(300)));
    const PrecisionScope scope{Precision(200)};
    const auto single = recursion_states<float>(network);
    const auto extended = recursion_states<long double>(network);
    const auto real = recursion_states<Real>(network);
    for (std::size_t l = 0; l < exact.size(); ++l) {
      CAPTURE(l);
      CHECK(distance(single[l], exact[l]) < 1e-3);
      CHECK(distance(extended[l], exact[l]) < 1e-13);
      CHECK(distance(real[l], exact[l]) < 1e-50);
    }
  }
}

TEST_CASE("saturated attention: rows with large scores are divided by the largest exponential") {
  const Network network = test::scalar_network(4, 1, 10, 20);
  const auto states = recursion_states<double>(network);
  const auto exact = mean_states(ResidualEngine(network, Precision(2048)));
  for (std::size_t l = 0; l < states.size(); ++l) CHECK(distance(states[l], exact[l]) < 1e-13);
  const auto balls = recursion_states<Ball>(network, Arithmetic<Ball>(Precision(2048)));
  CHECK(test::states_overlap(as_engine(balls[20]), exact[20]));
  CHECK(test::accuracy(as_engine(balls[20])) > 100);
}

TEST_CASE("equal tokens stay exactly equal, in every arithmetic") {
  Draws draws(175);
  Network network = test::random_network(4, 3, 2, 2, 0, draws);
  Matrix<Rational> equal = test::rationals(network.input);
  for (Index i = 1; i < 4; ++i) equal.row(i) = equal.row(0);
  network.input = test::exact_matrix(equal);
  for (const auto& state : recursion_states<double>(network)) {
    CHECK(state.residual.isZero(0));
    CHECK(state.exponent == 0);
  }
  for (const auto& state : recursion_states<Ball>(network, Arithmetic<Ball>(Precision(53))))
    CHECK(test::exactly_zero(as_engine(state)));
}

TEST_CASE("other blocks are refused") {
  Network network = test::scalar_network(1, 1, 1, 1);
  network.blocks.emplace_back(MlpBlock{0, Activation::relu, {{ExactMatrix::identity(1), {}}}});
  CHECK_THROWS_WITH_AS(recursion_states<double>(network),
                       "a block of kind mlp has no recursion; only attention blocks have", InputError);
}
