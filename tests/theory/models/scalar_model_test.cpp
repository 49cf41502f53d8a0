#include "theory/models/scalar_model.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/theory/models/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::between;

namespace {

constexpr Precision p(192);

ScalarModel growing(long a) {
  return {a, Rational(1, 100), 10};
}

}  // namespace

TEST_CASE("the scalar model starts as on the pocket calculator") {
  const std::vector<Magnitude> a = tokens({1, Rational(1, 10), 1}, 3, p);
  CHECK(between(a[1].to_ball(p), "0.09966799462495581", "0.09966799462495583", p));
  CHECK(between(a[2].to_ball(p), "0.0000990072", "0.0000990074", p));
  CHECK(between(a[3].to_ball(p), "9.70511e-14", "9.70513e-14", p));
}

TEST_CASE("every state of the scalar model agrees with the engine") {
  const std::pair<ScalarModel, std::size_t> runs[] = {
      {growing(3), 12}, {growing(4), 6}, {{1, Rational(1, 10), 1}, 12}};
  for (const auto& [model, depth] : runs) {
    const std::vector<Magnitude> a = tokens(model, depth, p);
    const std::vector<ResidualState> states = mean_states(ResidualEngine(network(model, depth), p));
    for (std::size_t k = 0; k <= depth; ++k) {
      CAPTURE(k);
      const StateMeasures m = measure(states[k], p);
      const Magnitude squared = power(m.residual[0], Rational(2), p), expected = power(a[k], Rational(2), p);
      const Magnitude ratio = div(squared, expected, p);
      CHECK(contains(ratio.log2(), Ball(1)));
      CHECK(overlap(m.minimal.lower, m.minimal.upper));
      CHECK(certainly_less(sub(upper(ratio.log2(), p), lower(ratio.log2(), p), p), scale(Ball(1), -100)));
    }
  }
}

TEST_CASE("the threshold separates collapse from growth") {
  const Ball a_star = threshold(growing(1), p);
  CHECK(between(a_star, "3.16757553549", "3.1675755356", p));
  const std::vector<Magnitude> below = tokens(growing(3), 6, p), above = tokens(growing(4), 6, p);
  CHECK(between(below[6].to_ball(p), "2.949449e-17", "2.949450e-17", p));
  CHECK(between(above[6].to_ball(p), "242579.3165", "242579.3166", p));
  const Rational step(1, 1'000'000);
  for (const bool up : {false, true}) {
    const Rational start = parse_number("3.1675755355") + (up ? step : Rational(-step));
    const std::vector<Magnitude> a = tokens({start, Rational(1, 100), 10}, 2, p);
    CHECK(certainly_less(a[0], a[1]) == up);
    CHECK(certainly_less(a[1], a[0]) == !up);
  }
  CHECK_THROWS_WITH(threshold({1, 1, 1}, p), doctest::Contains("v > 1"));
}

TEST_CASE("layer-cubic is eight times too large for a small token, and for none more sharp") {
  CHECK(between(layer_cubic_quotient(ScalarModel{Rational(1, 1'000'000), 1, 1}, p), "0.12499999999", "0.125",
                p));
  CHECK(between(layer_cubic_quotient(ScalarModel{1, Rational(1, 10), 1}, p), "0.12458", "0.12459",
                p));  // 1/8.03
  CHECK(certainly_less(layer_cubic_quotient(ScalarModel{1, 1, 1}, p), Ball(Rational(1, 8), p)));
}

TEST_CASE("the convergence remark fails above the threshold only") {
  CHECK(against_convergence_remark(growing(4), 6, p).certified);
  CHECK(against_convergence_remark(growing(4), 1, p).certified);
  CHECK_FALSE(against_convergence_remark(growing(4), 0, p).certified);
  CHECK_FALSE(against_convergence_remark(growing(3), 6, p).certified);
  CHECK_FALSE(
      against_convergence_remark({4, Rational(1, 40), 10}, 6, p).certified);  // 4 beta = 1: not promised
}

TEST_CASE("the printed proof step has a right side of exactly zero") {
  const Refutation r = against_printed_proof_step({1, Rational(1, 10), 1}, p);
  CHECK(r.certified);
  CHECK(r.right.is_zero());
  CHECK_FALSE(against_printed_proof_step({1, 1, 1}, p).certified);                // rho = 2 is outside 1.256
  CHECK_FALSE(against_printed_proof_step({1, Rational(1, 10), 0}, p).certified);  // no values: no output
}
