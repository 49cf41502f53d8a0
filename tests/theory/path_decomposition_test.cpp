#include "theory/path_decomposition.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "numerics/san/direct.hpp"
#include "tests/random_network.hpp"
#include "tests/support.hpp"
#include "theory/models/scalar_model.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

constexpr Precision p(512);

/// Tokens +-1 with a skip in each of two layers of one head.
Network two_layers_with_skip() {
  Network result = network(ScalarModel{1, Rational(1, 10), 1}, 2);
  for (Block& block : result.blocks) std::get<AttentionBlock>(block).skip = Rational(1, 2);
  return result;
}

bool encloses_zero(const BallMatrix& difference) {
  for (Index i = 0; i < difference.size(); ++i)
    if (!contains_zero(difference.data()[i])) return false;
  return true;
}

/// Whether every entry is below 10^-digits of the largest one in `whole`, or all are exactly 0.
bool narrow(const BallMatrix& difference, const BallMatrix& whole, int digits) {
  const Ball allowed = mul(largest_entry(whole, p), Ball(power(Rational(10), -digits), p), p);
  return certainly_less_equal(largest_entry(difference, p), upper(allowed, p));
}

}  // namespace

TEST_CASE("two layers by hand: the skips, the single heads, both heads") {
  // a' = a/2 + s a with s = tanh(a^2/10), layer by layer: s_1 at a = 1, s_2 at a' = 1/2 + s_1
  const Ball tenth(Rational(1, 10), p), half(Rational(1, 2), p);
  const Ball s_1 = tanh(tenth, p), a = add(half, s_1, p), s_2 = tanh(mul(tenth, mul(a, a, p), p), p);
  for (const PathSums sums : {PathSums::enumerated, PathSums::by_length}) {
    const PathDecomposition found = path_decomposition(two_layers_with_skip(), sums, p);
    CHECK(found.paths == 4);
    REQUIRE(found.lengths.size() == 3);
    CHECK(found.lengths[0].paths == 1);
    CHECK(found.lengths[1].paths == 2);
    CHECK(found.lengths[2].paths == 1);
    const Ball expected[] = {mul(half, half, p), mul(half, add(s_1, s_2, p), p), mul(s_1, s_2, p)};
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(overlap(found.lengths[k].output(0, 0), expected[k]));
      CHECK(relative_accuracy_bits(found.lengths[k].output(0, 0)) > 400);
    }
  }
}

TEST_CASE("the paths of any attention network add up to its output, at the accuracy of its residual") {
  for (std::uint64_t seed = 1; seed <= 40 * static_cast<std::uint64_t>(test::multiplier()); ++seed) {
    CAPTURE(seed);
    const Network network = test::RandomNetwork(seed, false).draw();
    const PathDecomposition one = path_decomposition(network, PathSums::enumerated, p),
                            grouped = path_decomposition(network, PathSums::by_length, p);
    for (const PathDecomposition* found : {&one, &grouped}) {
      CHECK(encloses_zero(found->output_difference));
      CHECK(encloses_zero(found->residual_difference));
      CHECK(narrow(found->output_difference, found->output, 40));
    }
    for (std::size_t k = 0; k < one.lengths.size(); ++k) {
      CHECK(one.lengths[k].paths == grouped.lengths[k].paths);
      for (Index i = 0; i < one.output.size(); ++i) {
        CHECK(overlap(one.lengths[k].output.data()[i], grouped.lengths[k].output.data()[i]));
        CHECK(overlap(one.lengths[k].residual.data()[i], grouped.lengths[k].residual.data()[i]));
      }
    }
  }
}

TEST_CASE("the paths of a textbook evaluation add up alike") {
  const PrecisionScope scope(p);
  const Ball tolerance(Rational(1, power(Integer(10), 80)), p);
  for (std::uint64_t seed = 101; seed <= 110; ++seed) {
    CAPTURE(seed);
    const Network network = test::RandomNetwork(seed, false).draw();
    const PathDecomposition found = path_decomposition(network, PathSums::enumerated, p);
    const Matrix<Real> output = evaluate<Real>(network).back();
    for (Index i = 0; i < output.rows(); ++i)
      for (Index j = 0; j < output.cols(); ++j) {
        Ball sum = found.constant(j);
        for (const PathsOfLength& part : found.lengths) sum = add(sum, part.output(i, j), p);
        const Ball direct = to_ball(output(i, j)), unit = max(Ball(1), abs(direct), p);
        CHECK(certainly_less(abs(sub(sum, direct, p)), mul(tolerance, unit, p)));
      }
  }
}

TEST_CASE("a residual of 10^-59048 is taken apart with relative accuracy") {
  Network deep = network(ScalarModel{1, Rational(1, 100), 1}, 10);
  const PathDecomposition found = path_decomposition(deep, PathSums::enumerated, Precision(256));
  CHECK(found.paths == 1);
  const Ball residual = largest_entry(found.residual, p);
  CHECK(binary_exponent(residual) < -196'000);
  CHECK(encloses_zero(found.residual_difference));
  CHECK(narrow(found.residual_difference, found.residual, 60));
  CHECK(relative_accuracy_bits(largest_entry(found.lengths.back().residual, p)) > 200);
}

TEST_CASE("only attention has paths, and only so many are gone through") {
  Network network = two_layers_with_skip();
  MlpBlock mlp;
  mlp.layers.push_back({ExactMatrix::identity(1), {}});
  network.blocks.emplace_back(mlp);
  CHECK_THROWS_WITH_AS(path_total(network), "blocks[2] is of kind mlp; paths are those of attention blocks",
                       InputError);
  Network deep = theory::network(ScalarModel{1, Rational(1, 10), 1}, 30);
  for (Block& block : deep.blocks) std::get<AttentionBlock>(block).skip = 1;
  CHECK(path_total(deep) == power(Integer(2), 30));
  CHECK_THROWS_WITH_AS(path_decomposition(deep, PathSums::enumerated, p),
                       doctest::Contains("1073741824 paths"), InputError);
  CHECK(encloses_zero(path_decomposition(deep, PathSums::by_length, p).output_difference));
}
