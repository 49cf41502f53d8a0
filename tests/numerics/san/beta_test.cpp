#include "numerics/san/beta.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "numerics/errors.hpp"
#include "tests/numerics/san/exact_beta.hpp"

using namespace rankfall;

namespace {

DrawnHead gaussian(Index dim, Index d_qk, std::uint64_t seed = 1) {
  return weight_law("gaussian").draw({dim, d_qk, seed, 1, 0});
}

Matrix<double> row(std::initializer_list<double> entries) {
  Matrix<double> result(1, static_cast<Index>(entries.size()));
  std::copy(entries.begin(), entries.end(), result.data());
  return result;
}

}  // namespace

TEST_CASE("beta of a head encloses the exact value at every precision") {
  for (const Index d_qk : {1, 3, 6}) {
    const Head head = exact(gaussian(6, d_qk));
    const Rational square = test::beta_squared(head);
    for (const long bits : {64L, 128L, 300L}) {
      const Precision p(bits);
      const Ball value = beta(head, p);
      CHECK(contains(mul(value, value, p), square));
      CHECK(relative_accuracy_bits(value) >= bits - 20);
    }
  }
}

TEST_CASE("beta reads the fused form and an absent W_O") {
  Head fused;
  fused.fused = true;
  fused.d_qk = 1;
  fused.W_QK = ExactMatrix::from(2, 2, std::vector<double>{1, -2, 3, 0.5});  // |.|_1 = 4
  fused.W = ExactMatrix::from(2, 1, std::vector<double>{9, -16});            // |.|_1 = 25, |.|_inf = 16
  CHECK(contains(beta(fused, Precision(64)), Rational(80)));

  Head head;
  head.d_qk = 1;
  head.W_Q = ExactMatrix::from(2, 1, std::vector<double>{1, 1});
  head.W_K = ExactMatrix::from(2, 1, std::vector<double>{2, 0});
  head.W_V = fused.W;
  CHECK(contains(beta(head, Precision(64)), Rational(80)));
}

TEST_CASE("a scaled head meets its target, by exact rationals") {
  for (const char* text :
       {"1", "0.1", "1/3", "2", "12345.678", "1e-300", "1e300", "1e-3000", "1e10000", "1e-10000"}) {
    CAPTURE(text);
    const Rational target = parse_number(text);
    for (const Index d_qk : {1, 2, 5}) {
      const Head head = scaled(gaussian(4, d_qk), BetaTarget(target), "head");
      CHECK(test::meets(head, target));
      CHECK(head.W_K == exact(gaussian(4, d_qk)).W_K);
      CHECK(head.W_O == exact(gaussian(4, d_qk)).W_O);
      CHECK(test::longest_entry(head.W_Q) <= 53);
      CHECK(test::longest_entry(head.W_V) <= 53);
    }
  }
}

TEST_CASE("W_Q and W_V share the scale evenly") {
  const DrawnHead drawn = gaussian(8, 4);
  const Rational before = test::beta_squared(exact(drawn));
  const Head head = scaled(drawn, BetaTarget(Rational(1)), "head");
  const double factor = exact_double(head.W_Q(0, 0)).value() / drawn.W_Q(0, 0);
  CHECK(exact_double(head.W_V(2, 1)).value() / drawn.W_V(2, 1) == doctest::Approx(factor).epsilon(1e-14));
  CHECK(factor * factor * factor * factor * static_cast<double>(before) == doctest::Approx(1).epsilon(1e-11));
}

TEST_CASE("where one product cancels, the other matrix corrects beta") {
  // 0.3 * 0.7 - 0.7 * 0.3 (1 - 2^-30): rounding the scaled entries moves it by 2^-23.
  const Matrix<double> left = row({0.3, 0.7}), right = row({0.7, -0.3 * (1 - 0x1p-30)});
  const DrawnHead scores_cancel{left, right, row({0.7, 0.1}), row({0.9, 0.8}).transpose()};
  const DrawnHead values_cancel{row({0.7, 0.1}), row({0.9, 0.8}), left, right.transpose()};
  for (const char* text : {"0.1", "3", "1e-400"}) {
    CAPTURE(text);
    const Rational target = parse_number(text);
    CHECK(test::meets(scaled(scores_cancel, BetaTarget(target), "head"), target));
    CHECK(test::meets(scaled(values_cancel, BetaTarget(target), "head"), target));
  }
}

TEST_CASE("wide heads, beyond what doubles certify, are certified in balls") {
  const DrawnHead drawn = gaussian(1, 4000);  // 4001 roundings a sum: too many for the quick enclosure
  CHECK(test::meets(scaled(drawn, BetaTarget(Rational(1)), "head"), Rational(1)));
}

TEST_CASE("a head that cannot be scaled is refused, by name") {
  const Matrix<double> left = row({0.3, 0.7}), right = row({0.7, -0.3 * (1 - 0x1p-40)});
  const DrawnHead both_cancel{left, right, left, right.transpose()};
  CHECK_THROWS_WITH_AS(scaled(both_cancel, BetaTarget(Rational(1, 10)), "blocks[2].heads[1]"),
                       doctest::Contains("blocks[2].heads[1]: after scaling beta is off its target"),
                       PrecisionLimit);
  const DrawnHead zero{row({0, 0}), right, left, right.transpose()};
  CHECK_THROWS_WITH_AS(scaled(zero, BetaTarget(Rational(1)), "blocks[0].heads[0]"),
                       "blocks[0].heads[0]: W_Q W_K^T or W_V W_O is 0, so beta cannot be scaled",
                       DomainError);
}

TEST_CASE("targets beyond the range are refused with the range") {
  for (const char* text : {"0", "-1", "1e10001", "1e-10001", "-1e300"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(BetaTarget(parse_number(text)), doctest::Contains("from 1e-10000 to 1e10000"),
                         InputError);
  }
  CHECK_THROWS_WITH_AS(BetaTarget(Rational(-1)),
                       "beta = -1 is not allowed; it must be positive, from 1e-10000 to 1e10000", InputError);
}
