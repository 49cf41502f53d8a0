#include "theory/models/two_clusters.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/support.hpp"
#include "tests/theory/models/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::agree;

namespace {

constexpr Precision p(160);

Ball measured(const StateMeasures& m, VectorNorm norm) {
  return m.diameter[static_cast<std::size_t>(norm)].to_ball(p);
}

/// The right side of `diameter` from the weights and the diameter themselves.
Ball bound_from_weights(const Network& network, const Ball& diameter, VectorNorm norm) {
  const HeadWeights head = weights(std::get<AttentionBlock>(network.blocks.front()).heads.front(), p);
  const BallMatrix scores = head.scores.composed(p), values = head.values.composed(p);
  const Ball bil = norm == VectorNorm::one   ? largest_entry(scores, p)
                   : norm == VectorNorm::two ? spectral_norm(scores, p)
                                             : entry_sum(scores, p);
  const Ball op = norm == VectorNorm::one   ? norm_inf(values, p)
                  : norm == VectorNorm::two ? spectral_norm(values, p)
                                            : norm_1(values, p);
  const Ball exponent = scale(mul(bil, mul(diameter, diameter, p), p), -2);
  return mul(op, mul(tanh(exponent, p), diameter, p), p);
}

}  // namespace

TEST_CASE("two clusters attain diameter in every norm, dimension and number of tokens") {
  const std::vector<std::vector<Rational>> directions{
      {Rational(1, 2)},
      {Rational(1, 2), Rational(-1, 3)},
      {Rational(1, 4), 0, Rational(-3, 4), Rational(1, 5), Rational(1, 7)}};
  for (const VectorNorm norm : all_vector_norms)
    for (const auto& u : directions)
      for (const auto& [first, second] : {std::pair{1L, 1L}, {3L, 3L}, {1L, 2L}, {5L, 2L}}) {
        CAPTURE(name(norm));
        CAPTURE(u.size());
        CAPTURE_BOUND(first);
        const TwoClusters model{
            u, first, second, Rational(7, 5), Rational(3, 2), norm, balance(first, second, 200)};
        const Network net = network(model);
        const ResidualEngine engine(net, p);
        const StateMeasures before = measure(engine.input(Reference::mean), p);
        const StateMeasures after = measure(engine.apply(0, engine.input(Reference::mean)).output, p);
        CHECK(agree(measured(before, norm), input_diameter(model, p), 140));
        CHECK(agree(measured(after, norm), output_diameter(model, p), 120));
        CHECK(overlap(output_diameter(model, p), diameter_bound(model, p)));
        const Ball right = bound_from_weights(net, input_diameter(model, p), norm);
        CHECK(overlap(right, diameter_bound(model, p)));
        CHECK(overlap(right, measured(after, norm)));
        CHECK(relative_accuracy_bits(right) > (norm == VectorNorm::two ? 20 : 140));
      }
}

TEST_CASE("clusters of unequal weight stay strictly below the bound") {
  const TwoClusters model{{Rational(1, 2), Rational(1, 3)}, 3, 1, 1, 1, VectorNorm::one, 0};
  CHECK(certainly_less(output_diameter(model, p), diameter_bound(model, p)));
  CHECK(agree(measured(measure(test::last_state(network(model), p), p), VectorNorm::one),
              output_diameter(model, p), 130));
}

TEST_CASE("with equal entries two clusters attain composite-diameter") {
  const TwoClusters model{{Rational(1, 2), Rational(-1, 2), Rational(1, 2)}, 2, 2, 1, Rational(3, 2)};
  const Network net = network(model);
  const ResidualEngine engine(net, p);
  const Ball delta = measure(engine.input(Reference::mean), p).composite_diameter.to_ball(p);
  const HeadWeights head = weights(std::get<AttentionBlock>(net.blocks.front()).heads.front(), p);
  const Ball t = tanh(scale(mul(norm_1(head.scores.composed(p), p), mul(delta, delta, p), p), -2), p);
  const Ball right = mul(composite_norm(head.values.composed(p), p), mul(t, delta, p), p);
  CHECK(agree(measure(test::last_state(net, p), p).composite_diameter.to_ball(p), right, 130));
}

TEST_CASE("the balance is as near to the logarithm as asked") {
  CHECK(balance(4, 4, 10) == 0);
  const Rational third = balance(3, 1, 20);
  CHECK(denominator(third) <= power(Integer(2), 20));
  CHECK(certainly_less(abs(sub(Ball(third, p), log(Ball(Rational(1, 3), p), p), p)), scale(Ball(1), -20)));
}

TEST_CASE("clusters that are one are refused") {
  CHECK_THROWS_WITH(network(TwoClusters{{0, 0}, 1, 1, 1, 1}), doctest::Contains("u = 0"));
  CHECK_THROWS_WITH(network(TwoClusters{{1}, 0, 2, 1, 1}), doctest::Contains("0 and 2"));
}
