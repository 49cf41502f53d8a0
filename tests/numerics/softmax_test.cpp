#include "numerics/softmax.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using test::Interval;

namespace {

using Row = std::vector<Rational>;

/// softmax of log q + E, by the rational exponential.
Row exact_softmax(const Row& q, const Row& E) {
  Row weight;
  Rational total = 0;
  const Rational top = *std::max_element(E.begin(), E.end());
  for (std::size_t j = 0; j < q.size(); ++j) {
    weight.push_back(Rational(q[j] * test::middle(test::exp_of(Rational(E[j] - top)))));
    total += weight.back();
  }
  for (Rational& w : weight) w /= total;
  return weight;
}

/// Where the oracle's number lies; its error is absolute.
Interval about(const Rational& x) {
  return {Rational(x - test::two_to(-380)), Rational(x + test::two_to(-380))};
}

BallVector balls(const Row& row, Precision p) {
  BallVector result(static_cast<Index>(row.size()));
  for (std::size_t j = 0; j < row.size(); ++j) result(static_cast<Index>(j)) = Ball(row[j], p);
  return result;
}

/// One row E as an n x n matrix with that row in every line, times 2^-exponent.
ScaledMatrix repeated(const Row& row, const Integer& exponent, Precision p) {
  const Index n = static_cast<Index>(row.size());
  ScaledMatrix E{BallMatrix(n, n), exponent};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      E.mantissa(i, j) = scale(Ball(row[static_cast<std::size_t>(j)], p), -exponent);
  return E;
}

Row random_weights(Draws& draws, std::size_t n) {
  Row q;
  Rational total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    q.push_back(Rational(draws.integer(1, 1000)));
    total += q.back();
  }
  for (Rational& x : q) x /= total;
  return q;
}

/// D against P - q, and its accuracy relative to the largest entry of the row.
void check_deviation(const Row& q, const Row& E, const Integer& exponent, long floor_at_128) {
  const Row P = exact_softmax(q, E);
  for (const long bits : {53L, 128L, 256L}) {
    CAPTURE(bits);
    const Precision p(bits);
    const ScaledMatrix D = softmax_deviation(balls(q, p), repeated(E, exponent, p), p);
    CHECK(D.exponent == (exponent < 0 ? exponent : Integer(0)));
    Rational largest = 0;
    for (std::size_t j = 0; j < q.size(); ++j)
      largest = std::max(largest, Rational(abs(Rational(P[j] - q[j]))));
    Ball sum;
    for (Index j = 0; j < D.mantissa.cols(); ++j) {
      const Ball entry = scale(D.mantissa(0, j), D.exponent);
      const std::size_t at = static_cast<std::size_t>(j);
      CHECK(test::holds(entry, about(Rational(P[at] - q[at]))));
      const Interval set = test::ends(entry);
      CHECK((set.high - set.low) <= largest * test::two_to(128 - floor_at_128 - bits));
      sum = add(sum, entry, Precision(400));
    }
    CHECK(contains_zero(sum));
  }
}

}  // namespace

TEST_CASE("softmax holds the rational one") {
  Draws draws(121);
  for (int round = 0; round < 30 * test::multiplier(); ++round) {
    Row scores;
    for (long j = draws.integer(1, 7); j > 0; --j) scores.push_back(Rational(draws.fraction(6)));
    const Row expected = exact_softmax(Row(scores.size(), Rational(1)), scores);
    for (const long bits : {24L, 53L, 128L, 300L}) {
      const BallVector q = softmax(balls(scores, Precision(bits)), Precision(bits));
      for (std::size_t j = 0; j < scores.size(); ++j) {
        CHECK(test::holds(q(static_cast<Index>(j)), about(expected[j])));
        if (bits == 128) CHECK(relative_accuracy_bits(q(static_cast<Index>(j))) >= 112);
      }
    }
  }
  CHECK_THROWS_WITH_AS(softmax(BallVector(0), Precision(53)), "softmax of no scores", DomainError);
  BallVector one(1);
  one(0) = Ball(Rational(1, 3), Precision(53));
  CHECK(is_exact(softmax(one, Precision(53))(0)));
}

TEST_CASE("softmax of huge and of blurred scores stays in [0, 1] and does not throw") {
  const Precision p(53);
  BallVector scores(3);
  for (const long exponent : {20L, 130L, 300L, 5000L, 1L << 40}) {
    scores(0) = scale(Ball(3L), exponent);
    scores(1) = scale(Ball(2L), exponent);
    scores(2) = scale(Ball(-7L), exponent);
    const BallVector q = softmax(scores, p);
    CHECK(contains(q(0), Ball(1L)));
    CHECK(relative_accuracy_bits(q(0)) >= 45);
    for (const Index j : {1, 2}) {
      CHECK(certainly_less(abs(q(j)), scale(Ball(1L), -1'000'000L)));
    }
  }
  // Nobody knows which of the first two is larger; the third is out of the race.
  scores(0) = scores(1) = scale(Ball(1L), 200L);
  arb_add_error_2exp_si(scores(0).raw(), 150);
  scores(2) = Ball(0L);
  const BallVector q = softmax(scores, p);
  for (const Index j : {0, 1}) {
    CHECK(is_finite(q(j)));
    CHECK(contains(q(j), Rational(1, 1000)));
    CHECK(contains(q(j), Rational(999, 1000)));
  }
  CHECK(certainly_less(q(2), Ball(Rational(1, 1000), p)));
  for (const long exponent : {0L, 2L, 5L, 10L, 40L, 100L, 200L}) {  // radius from harmless to everything
    scores(0) = scores(1) = scores(2) = Ball(1L);
    for (Index j = 0; j < 3; ++j) arb_add_error_2exp_si(scores(j).raw(), exponent);
    const BallVector blurred = softmax(scores, p);
    for (Index j = 0; j < 3; ++j) {
      CHECK(contains(blurred(j), Rational(1, 3)));
      CHECK(certainly_less(abs(blurred(j)), Ball(2L)));
    }
  }
  arb_indeterminate(scores(1).raw());
  const BallVector unknown = softmax(scores, p);
  for (Index j = 0; j < 3; ++j) CHECK(contains(unknown(j), Rational(1, 2)));
}

TEST_CASE("the deviation of random weights and scores") {
  Draws draws(123);
  for (int round = 0; round < 12 * test::multiplier(); ++round) {
    const std::size_t n = static_cast<std::size_t>(draws.integer(2, 6));
    Row E;
    for (std::size_t j = 0; j < n; ++j)
      E.push_back(Rational(draws.fraction(6)) / (1L << draws.integer(0, 8)));
    const Row q = random_weights(draws, n);
    check_deviation(q, E, 0, 104);
    check_deviation(q, E, -3, 104);
    check_deviation(q, E, 3, 104);
    Row tiny = E;
    for (Rational& x : tiny) x *= test::two_to(-100);
    check_deviation(q, tiny, -100, 104);
    check_deviation(q, tiny, 0, 104);
  }
}

TEST_CASE("weights near one-hot keep every entry accurate") {
  Draws draws(125);
  for (int round = 0; round < 8 * test::multiplier(); ++round) {
    const Rational small = test::two_to(-draws.integer(20, 150));
    Row q{Rational(0), Rational(small * 3), Rational(small * small / 7), small};
    q[0] = 1 - q[1] - q[2] - q[3];
    Row E;
    for (std::size_t j = 0; j < q.size(); ++j) E.push_back(Rational(draws.fraction(4)) + 2);
    E[0] = Rational(-1, 3);
    check_deviation(q, E, 0, 104);
    const Row P = exact_softmax(q, E);
    const ScaledMatrix D =
        softmax_deviation(balls(q, Precision(128)), repeated(E, 0, Precision(128)), Precision(128));
    for (Index j = 0; j < 4; ++j) CHECK(relative_accuracy_bits(D.mantissa(2, j)) >= 104);
  }
}

TEST_CASE("scores of thousands: the weight moves to the largest") {
  for (const long score : {100L, 3000L, 5000L, 100'000L}) {
    CAPTURE(score);
    const Row q{Rational(1, 2), Rational(1, 4), Rational(1, 4)};
    for (const long exponent : {0L, 5L, -5L}) {
      const Precision p(128);
      const ScaledMatrix D = softmax_deviation(
          balls(q, p), repeated({Rational(-score), Rational(score), Rational(1)}, exponent, p), p);
      const Rational expected[] = {Rational(-1, 2), Rational(3, 4), Rational(-1, 4)};  // up to e^-99
      for (Index j = 0; j < 3; ++j) {
        const Ball entry = scale(D.mantissa(0, j), D.exponent);
        const Rational slack = test::two_to(-140);
        CHECK(test::holds(entry, Interval{Rational(expected[j] - slack), Rational(expected[j] + slack)}));
        CHECK(relative_accuracy_bits(entry) >= 100);
      }
    }
  }
}

TEST_CASE("a large score whose weight is negligible does not cost the small ones their accuracy") {
  const Precision p(128);
  const Rational tiny = test::two_to(-60);
  BallVector q(3);
  q(0) = Ball(Rational(1, 2), p);
  q(1) = Ball(Rational(1, 2), p);
  q(2) = scale(Ball(1L), -30'000L);
  // e^5000 < 2^7300, so token 2 stays without weight; the others see E = 0 and 2^-60: D_1 = tanh(2^-61) / 2.
  const ScaledMatrix D = softmax_deviation(q, repeated({Rational(0), tiny, Rational(5000)}, 0, p), p);
  const Rational first_order = tiny / 4, slack = tiny * tiny;
  for (const Index j : {0, 1}) {
    const Rational expected = j == 1 ? first_order : Rational(-first_order);
    CHECK(test::holds(D.mantissa(0, j), Interval{Rational(expected - slack), Rational(expected + slack)}));
    CHECK(relative_accuracy_bits(D.mantissa(0, j)) >= 100);
  }
}

TEST_CASE("logits beyond 2^127, known and unknown") {
  const Precision p(53);
  for (const long size : {128L, 200L, 3000L}) {
    for (const long exponent : {size, 0L, -10L}) {
      Row E{Rational(0), test::two_to(size), Rational(-test::two_to(size + 1)),
            Rational(test::two_to(size) / 2)};
      const ScaledMatrix D = softmax_deviation(balls(Row(4, Rational(1, 4)), p), repeated(E, exponent, p), p);
      for (Index j = 0; j < 4; ++j) {
        const Ball entry = scale(D.mantissa(1, j), D.exponent);
        CHECK(contains(entry, Rational(j == 1 ? 3 : -1, 4)));
        CHECK(certainly_less(abs(entry), Ball(Rational(4, 5), p)));
      }
    }
  }
  // Scores known to 2^80 only: P is anything, and D still lies in [-q, 1 - q].
  ScaledMatrix E = repeated({Rational(0), test::two_to(100), test::two_to(100)}, 0, p);
  for (Index i = 0; i < E.mantissa.size(); ++i) arb_add_error_2exp_si(E.mantissa.data()[i].raw(), 80);
  const ScaledMatrix D = softmax_deviation(balls(Row(3, Rational(1, 3)), p), E, p);
  for (Index j : {1, 2}) {
    CHECK(is_finite(D.mantissa(0, j)));
    CHECK(contains(D.mantissa(0, j), Rational(1, 2)));
    CHECK(contains(D.mantissa(0, j), Rational(-3, 10)));
    CHECK(certainly_less(abs(D.mantissa(0, j)), Ball(1.25)));
  }
  // A token of weight [0, 2^-1000000] with a huge score: it may win or not.
  BallVector q(2);
  q(0) = Ball(1L);
  q(1) = between_zero_and(scale(Ball(1L), -1'000'000L));
  const ScaledMatrix either = softmax_deviation(q, repeated({Rational(0), test::two_to(30)}, 0, p), p);
  CHECK(contains(either.mantissa(0, 1), Rational(0)));
  CHECK(contains(either.mantissa(0, 1), Rational(1)));
}

TEST_CASE("scores with exponents beyond 62 bits") {
  Draws draws(127);
  const Integer far = -power(Integer(3), 60);
  for (const Integer& exponent : {far, Integer(-100'000), Integer(-(Integer(1) << 62)), Integer(4 * far)}) {
    const Precision p(128);
    const Row q = random_weights(draws, 4);
    Row t;
    for (int j = 0; j < 4; ++j) t.push_back(draws.fraction(6));
    ScaledMatrix E{BallMatrix(4, 4), exponent};
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 4; ++j) E.mantissa(i, j) = Ball(t[static_cast<std::size_t>(j)], p);
    const ScaledMatrix D = softmax_deviation(balls(q, p), E, p);
    REQUIRE(D.exponent == exponent);
    Rational mean = 0;
    for (std::size_t j = 0; j < 4; ++j) mean += q[j] * t[j];
    for (std::size_t j = 0; j < 4; ++j) {
      const Rational expected = q[j] * (t[j] - mean), slack = test::two_to(-90'000);
      CHECK(test::holds(D.mantissa(3, static_cast<Index>(j)),
                        Interval{Rational(expected - slack), Rational(expected + slack)}));
      const Interval set = test::ends(D.mantissa(3, static_cast<Index>(j)));
      CHECK((set.high - set.low) <= test::two_to(-110));
    }
  }
}

TEST_CASE("scores that agree in a row make an exactly zero row, and tokens with equal scores equal entries") {
  for (const Integer& exponent : {Integer(0), Integer(-500), Integer(40)}) {
    const Precision p(64);
    ScaledMatrix E{BallMatrix(3, 3), exponent};
    for (Index j = 0; j < 3; ++j) {
      E.mantissa(0, j) = Ball(Rational(5, 4), p);
      E.mantissa(1, j) = Ball(static_cast<long>(j));
    }
    const ScaledMatrix D = softmax_deviation(balls(Row(3, Rational(1, 3)), p), E, p);
    for (Index j = 0; j < 3; ++j) {
      CHECK(is_zero(D.mantissa(0, j)));
      CHECK(is_zero(D.mantissa(2, j)));
      CHECK_FALSE(is_zero(D.mantissa(1, j)));
    }
  }
}

TEST_CASE("scaled values add up without growing exponents") {
  const Precision p(64);
  CHECK(is_zero(scaled_value(Ball(), Integer(5), p)));
  CHECK(contains(scaled_value(Ball(3L), Integer(-1), p), Rational(3, 2)));
  const Ball small = scaled_value(Ball(3L), -power(Integer(3), 200), p);
  CHECK(contains_zero(small));
  CHECK(certainly_less(abs(small), scale(Ball(1L), -150L)));
  Ball everything;
  arb_zero_pm_inf(everything.raw());
  CHECK_FALSE(is_finite(scaled_value(everything, Integer(-100'000), p)));
  arb_indeterminate(everything.raw());
  CHECK_FALSE(is_finite(scaled_value(everything, Integer(-100'000), p)));
}
