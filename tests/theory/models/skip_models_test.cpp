#include "theory/models/skip_models.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/theory/models/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::agree;

namespace {

constexpr Precision p(128);

ExactMatrix input() {
  return ExactMatrix::from(3, 2,
                           std::vector<Rational>{1, Rational(1, 3), -2, Rational(2, 7), 0, Rational(5, 2)});
}

}  // namespace

TEST_CASE("with zero values a skip keeps every token") {
  const Network net = skip_with_zero_values(input(), 20, Rational(1, 2));
  CHECK(net.depth() == 20);
  const ResidualState out = test::last_state(net, p);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 2; ++j) CHECK(contains(test::token(out, i, j, p), net.input(i, j)));
}

TEST_CASE("outputs in other columns keep the residual, however deep and however small") {
  for (const Rational& v : {Rational(1, 2), Rational(1, 1'000'000)}) {
    const Network net = skip_into_other_columns(input(), 20, Rational(1, 3), v);
    const ResidualEngine engine(net, p);
    const StateMeasures before = measure(engine.input(Reference::mean), p);
    const ResidualState out = test::last_state(net, p);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 2; ++j) CHECK(contains(test::token(out, i, j, p), net.input(i, j)));
    CHECK_FALSE(is_zero(test::token(out, 0, 2, p)));
    const StateMeasures after = measure(out, p);
    CHECK_FALSE(certainly_less(after.minimal.lower, before.minimal.lower));
  }
}

TEST_CASE("orthogonal outputs take a residual of 6 to sqrt32") {
  const OrthogonalSkip model = orthogonal_skip(60);
  const Network net = network(model);
  const StateMeasures before = measure(ResidualEngine(net, p).input(Reference::mean), p);
  const ResidualState out = test::last_state(net, p);
  const StateMeasures after = measure(out, p);
  CHECK(contains(before.minimal.upper.to_ball(p), Rational(6)));
  CHECK(agree(after.minimal.upper.to_ball(p), output_residual(model, p), 90));
  CHECK(overlap(after.minimal.lower, after.minimal.upper));
  const Ball gap = abs(sub(output_residual(model, p), sqrt(Ball(32), p), p));
  CHECK(certainly_less(gap, scale(Ball(1), -57)));
  // The change of a token is orthogonal to it: 3 (x_0 - 3) + sum of (x_j - 1).
  Ball inner = mul(Ball(3), sub(test::token(out, 0, 0, p), Ball(3), p), p);
  for (Index j = 1; j < 4; ++j) inner = add(inner, sub(test::token(out, 0, j, p), Ball(1), p), p);
  CHECK(contains_zero(inner));
  CHECK(against_orthogonal_outputs(model, p).certified);
  CHECK_FALSE(against_orthogonal_outputs({4, 3, Rational(1, 9), 0}, p).certified);  // no output, no fall
}

TEST_CASE("orthogonal outputs of any width have the residuals of the closed form") {
  for (const auto& [dim, k] : {std::pair{Index(2), Rational(5, 2)}, {Index(6), Rational(9, 4)}}) {
    const OrthogonalSkip model = orthogonal_skip(60, dim, k);
    const Network net = network(model);
    const StateMeasures before = measure(ResidualEngine(net, p).input(Reference::mean), p);
    const StateMeasures after = measure(test::last_state(net, p), p);
    CHECK(agree(before.minimal.upper.to_ball(p), input_residual(model, p), 90));
    CHECK(agree(after.minimal.upper.to_ball(p), output_residual(model, p), 90));
  }
  CHECK_THROWS_AS(orthogonal_skip(60, 1), DomainError);
  CHECK_THROWS_AS(orthogonal_skip(60, 4, Rational(1, 2)), DomainError);
}
