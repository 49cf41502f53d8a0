#include "theory/models/gamma_references.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/theory/models/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::agree;
using test::between;

namespace {

constexpr Precision p(128);

Ball quotient(const Refutation& r) {
  return div(r.left, r.right, p).to_ball(p);
}

/// sum-max = sum of rho_i / (2 |E|_1), from the engine's scores about the reference.
Ball sum_max(const OneLayer& layer, Reference reference) {
  const ResidualEngine engine(network(layer), p);
  const BallMatrix E = engine.apply(0, engine.input(reference)).heads.front().E.mantissa;
  Ball sum;
  for (Index i = 0; i < E.rows(); ++i) {
    Ball high = E(i, 0), low = E(i, 0);
    for (Index j = 1; j < E.cols(); ++j) high = max(high, E(i, j), p), low = min(low, E(i, j), p);
    sum = add(sum, sub(high, low, p), p);
  }
  return div(sum, scale(norm_1(E, p), 1), p);
}

}  // namespace

TEST_CASE("the gammas are what the closed forms say, by the engine") {
  for (const long d : {4L, 7L, 17L}) {
    const GammaReference model{d, Rational(1, 3)};
    CHECK(agree(sum_max(midrange_layer(model), Reference::midrange), Ball(midrange_gamma(model), p), 100));
    CHECK(agree(sum_max(mean_layer(model), Reference::mean), Ball(mean_gamma(model), p), 100));
  }
}

TEST_CASE("the outputs agree with the engine") {
  for (const long logit : {2L, 60L}) {
    const GammaReference model{5, Rational(1, 3), logit};
    const ResidualState two = test::last_state(network(midrange_layer(model)), p);
    const auto relative = [&](const ResidualState& state, Index i) {
      return sub(test::token(state, i, 0, p), test::token(state, 5, 0, p),
                 p);  // the zero row attends to nothing
    };
    CHECK(agree(relative(two, 0), midrange_output(model, p).first, 90));
    CHECK(agree(relative(two, 3), midrange_output(model, p).second, 90));
    CHECK(contains_zero(relative(two, 1)));
    const ResidualState one = test::last_state(network(mean_layer(model)), p);
    CHECK(agree(relative(one, 0), mean_output(model, p), 90));
    CHECK(contains_zero(relative(one, 3)));
    const StateMeasures m = measure(two, p);
    const Refutation r = against_gamma_at_the_midrange(model, p);
    CHECK(agree(m.minimal.lower, r.left, 90, p));
  }
}

TEST_CASE("the weights of the scores and values are those of the right sides") {
  const GammaReference model{6, Rational(1, 3)};
  CHECK(norm_1(midrange_layer(model).A) == 2 * model.w);
  CHECK(norm_1(mean_layer(model).A) == model.w);
  CHECK(norm_1(mean_layer(model).W) == 2);  // times a row sum of 1: composite sqrt2
}

TEST_CASE("sum-max at the midrange fails from 17 dimensions on, the sharp constant at the mean from 4") {
  const Rational w(1, 10'000);
  CHECK(between(quotient(against_gamma_at_the_midrange({17, w}, p)), "1.0624", "1.0625", p));
  CHECK_FALSE(against_gamma_at_the_midrange({16, w}, p).certified);
  CHECK(between(quotient(against_sharp_gamma_at_the_mean({4, w}, p)), "1.3999", "1.4", p));
  CHECK(between(quotient(against_sharp_gamma_at_the_mean({400, w}, p)), "1.99", "2", p));
  CHECK_THROWS_WITH(mean_layer({3, w}), doctest::Contains("dim 3"));
}
