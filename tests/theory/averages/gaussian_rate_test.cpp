#include "theory/averages/gaussian_rate.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/eigen.hpp>

#include "numerics/errors.hpp"
#include "numerics/product.hpp"
#include "numerics/real.hpp"
#include "numerics/san/direct.hpp"
#include "theory/models/scalar_model.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

constexpr Precision p(192);

BallMatrix matrix(Index rows, Index cols, std::initializer_list<int> entries) {
  BallMatrix result(rows, cols);
  Index i = 0;
  for (const int entry : entries) result.data()[i++] = Ball(entry);
  return result;
}

}  // namespace

TEST_CASE("D R of the scalar model is what the layer puts out") {
  const auto deviated = deviated_residuals(network(ScalarModel{1, Rational(1, 10), 7}, 1), p);
  REQUIRE(deviated.size() == 1);
  // v a tanh(w a^2) without v
  CHECK(overlap(deviated[0](0, 0), tanh(Ball(Rational(1, 10), p), p)));
  CHECK(relative_accuracy_bits(deviated[0](0, 0)) > 150);
}

TEST_CASE("the mean over all signs by hand") {
  // one column, W_V = +-1, W_O = (+-1, +-1): |DR|^2 times 2 for each choice
  const std::vector<BallMatrix> one{matrix(2, 1, {3, 4})};
  CHECK(contains(mean_over_signs(one, {1, 2}, p), Rational(50)));
  // two heads: cross terms cancel over the signs
  const std::vector<BallMatrix> two{matrix(2, 1, {3, 4}), matrix(2, 1, {1, 2})};
  CHECK(contains(mean_over_signs(two, {1, 1}, p), Rational(30)));
  CHECK(contains(squared_size(two, p), Rational(30)));
  CHECK_THROWS_AS(mean_over_signs({matrix(2, 5, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, {2, 5}, p), DomainError);
}

TEST_CASE("the sampled mean approaches the formula, and its interval holds it") {
  const std::vector<BallMatrix> deviated{matrix(3, 2, {1, 2, 0, -1, 1, 1})};
  // d' var = 4/2
  const double expected = 2 * 8;
  const SampledRate rate = sampled_rate(deviated, 4, 20'000, 1, 0.999);
  CHECK(rate.mean == doctest::Approx(expected).epsilon(0.05));
  CHECK(rate.mean - rate.above < expected);
  CHECK(expected < rate.mean + rate.below);
  CHECK(rate.above < 0.2 * expected);
}

TEST_CASE("the leading order by hand") {
  // d = d_qk = output = 1, R = (1, -1): lead = R (+-1)(+-1) G (+-1)/2 with G = 2, so |lead|^2 = 2
  Matrix<Rational> R(2, 1);
  R(0, 0) = 1;
  R(1, 0) = -1;
  CHECK(leading_mean_over_signs(R, 1, 1) == 2);
}
