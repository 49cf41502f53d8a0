#include "numerics/san/measures.hpp"

#include <doctest/doctest.h>

#include "numerics/minimal_residual.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

constexpr Precision p(128);

/// A state of those tokens, the residual about some reference and on some exponent.
ResidualState state_of(const Matrix<Rational>& tokens, const Matrix<Rational>& reference, long exponent) {
  ResidualState state{BallVector(tokens.cols()), {BallMatrix(tokens.rows(), tokens.cols()), exponent}};
  for (Index j = 0; j < tokens.cols(); ++j) {
    state.reference(j) = Ball(reference(0, j), p);
    for (Index i = 0; i < tokens.rows(); ++i)
      state.residual.mantissa(i, j) = scale(Ball(Rational(tokens(i, j) - reference(0, j)), p), -exponent);
  }
  return state;
}

bool same(const Magnitude& a, const Ball& b) {
  return overlap(a, Magnitude(b, p)) && (a.is_zero() == is_zero(b));
}

}  // namespace

TEST_CASE("a state measures what its tokens measure, whatever reference and exponent it is written on") {
  Draws draws(181);
  for (int round = 0; round < 20 * test::multiplier(); ++round) {
    const Matrix<Rational> tokens = test::random_matrix(draws.integer(2, 6), draws.integer(1, 4), draws);
    const Matrix<Rational> reference = test::random_matrix(1, tokens.cols(), draws);
    const ResidualState state = state_of(tokens, reference, draws.integer(-300, 300));
    const StateMeasures m = measure(state, p);
    const BallMatrix X = test::balls(tokens, p);
    CHECK(same(m.norm, composite_norm(X, p)));
    for (std::size_t r = 0; r < all_references.size(); ++r)
      CHECK(same(m.residual[r], residual(X, all_references[r], p)));
    const Diameters d = diameters(X, p);
    CHECK(same(m.diameter[0], d.one));
    CHECK(same(m.diameter[1], d.two));
    CHECK(same(m.diameter[2], d.inf));
    CHECK(same(m.composite_diameter, d.composite));
    REQUIRE(m.has_relative);
    CHECK(same(m.relative, div(residual(X, Reference::mean, p), composite_norm(X, p), p)));
    Matrix<Rational> about_reference = tokens;
    for (Index i = 0; i < tokens.rows(); ++i) about_reference.row(i) -= reference.row(0);
    CHECK(same(residual_norm(state, p), composite_norm(test::balls(about_reference, p), p)));
  }
}

TEST_CASE("the minimal residual lies between its bounds") {
  Draws draws(183);
  for (int round = 0; round < 20 * test::multiplier(); ++round) {
    const Matrix<Rational> tokens = test::random_matrix(draws.integer(1, 6), draws.integer(1, 4), draws);
    const StateMeasures m =
        measure(state_of(tokens, Matrix<Rational>::Constant(1, tokens.cols(), Rational(0)), 5), p);
    CHECK_FALSE(certainly_less(m.minimal.upper, m.minimal.lower));
    for (const Magnitude& about_reference : m.residual)
      CHECK_FALSE(certainly_less(about_reference, m.minimal.upper));
    const Ball better = minimal_residual_better_lower(test::balls(tokens, p), p);
    CHECK_FALSE(certainly_less(Magnitude(better, p), m.minimal.lower));
    CHECK_FALSE(certainly_less(m.minimal.upper, Magnitude(better, p)));
  }
  // The column (0, 0, 1): sqrt(1/2) <= sqrt(3/4) <= sqrt(3/4).
  Matrix<Rational> column = Matrix<Rational>::Constant(3, 1, Rational(0));
  column(2, 0) = 1;
  const ResidualState state = state_of(column, Matrix<Rational>::Constant(1, 1, Rational(1, 3)), -70);
  const StateMeasures m = measure(state, p);
  CHECK(contains(power(m.minimal.lower, Rational(2), p).to_ball(p), Rational(1, 2)));
  CHECK(contains(power(m.minimal.upper, Rational(2), p).to_ball(p), Rational(3, 4)));
  CHECK(contains(
      power(Magnitude(minimal_residual_better_lower(state.residual.mantissa, p), state.residual.exponent, p),
            Rational(2), p)
          .to_ball(p),
      Rational(3, 4)));
}

TEST_CASE("equal tokens measure exactly zero, and zero tokens have no relative residual") {
  const Matrix<Rational> ones = Matrix<Rational>::Constant(3, 2, Rational(1)), zeros = ones - ones;
  const StateMeasures m = measure(state_of(ones, Matrix<Rational>(ones.topRows(1)), 0), p);
  for (const Magnitude& value :
       {m.residual[0], m.residual[1], m.residual[2], m.minimal.lower, m.minimal.upper, m.diameter[0],
        m.diameter[1], m.diameter[2], m.composite_diameter, m.relative})
    CHECK(value.is_zero());
  CHECK(m.has_relative);
  CHECK(m.norm.certainly_positive());
  const StateMeasures nothing = measure(state_of(zeros, Matrix<Rational>(zeros.topRows(1)), 0), p);
  CHECK(nothing.norm.is_zero());
  CHECK_FALSE(nothing.has_relative);
}

TEST_CASE("a residual far below its reference") {
  ResidualState state{BallVector(1), {BallMatrix(2, 1), -power(Integer(3), 100)}};
  state.reference(0) = Ball(1L);
  state.residual.mantissa(0, 0) = Ball(1L);
  state.residual.mantissa(1, 0) = Ball(-1L);
  const StateMeasures m = measure(state, p);
  CHECK(overlap(m.norm.to_ball(p), sqrt(Ball(2L), p)));
  const Rational log2 = Rational(Rational(-power(Integer(3), 100)) + Rational(1, 2));  // sqrt(2 * 1)
  CHECK(contains(m.residual[0].log2(), log2));
  CHECK(relative_accuracy_bits(m.residual[0].log2()) > 100);
  CHECK(overlap(m.relative, div(m.residual[0], m.norm, p)));
}

TEST_CASE("vector norms have names") {
  CHECK(name(VectorNorm::one) == "1");
  CHECK(name(VectorNorm::two) == "2");
  CHECK(name(VectorNorm::inf) == "inf");
}
