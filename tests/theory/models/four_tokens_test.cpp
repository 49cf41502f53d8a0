#include "theory/models/four_tokens.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/theory/models/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::agree;
using test::between;

namespace {

constexpr Precision p(192);

RationalTable single_output() {
  RationalTable u(1, 1);
  u(0, 0) = 1;
  return u;
}

}  // namespace

TEST_CASE("four tokens approach sqrt2/8 of layer-cubic and never reach it") {
  const Ball limit = div(sqrt(Ball(2), p), Ball(8), p);
  for (const long n : {4L, 5L, 9L}) {
    const Ball quotient = layer_cubic_quotient(FourTokens{n, Rational(1, 1'000'000)}, p);
    CHECK(certainly_less(quotient, limit));
    CHECK(certainly_less(sub(limit, quotient, p), Ball(parse_number("1e-12"), p)));
  }
  CHECK(between(layer_cubic_quotient(FourTokens{4, 1}, p), "0.134", "0.135", p));  // tanh(1) sqrt2/8
}

TEST_CASE("the output of the four tokens agrees with the engine") {
  for (const long n : {4L, 7L})
    for (const long logit : {3L, 60L}) {
      const FourTokens model{n, Rational(2, 5), logit};
      const ResidualState out = test::last_state(network(layer(model, single_output())), p);
      const Ball zero = test::token(out, 1, 0, p);
      CHECK(agree(sub(test::token(out, 0, 0, p), zero, p), attended_difference(model, p), 150));
      for (Index i = 1; i < n; ++i) CHECK(contains_zero(sub(test::token(out, i, 0, p), zero, p)));
      const StateMeasures m = measure(out, p);
      const Ball least = mul(attended_difference(model, p), sqrt(Ball(one_token_bound(n, 0, 0), p), p), p);
      CHECK_FALSE(certainly_less(m.minimal.upper.to_ball(p), least));
      CHECK_FALSE(certainly_less(least, m.minimal.lower.to_ball(p)));
      CHECK(agree(m.minimal.upper.to_ball(p), least, 150));  // n >= 4: the median is a minimiser
    }
}

TEST_CASE("the residual of the input is one, by two bounds that meet") {
  const ResidualEngine engine(network(layer(FourTokens{4, 1}, single_output())), p);
  const StateMeasures m = measure(engine.input(Reference::median), p);
  CHECK(overlap(m.minimal.lower, m.minimal.upper));
  CHECK(agree(m.minimal.upper.to_ball(p), Ball(1), 150));
}

TEST_CASE("the bound of one token is below every reference") {
  // (1, sigma/m, ..., sigma/m) in one of n rows, about y = (alpha, beta sigma/m, ...).
  for (const long n : {4L, 6L, 12L})
    for (const long m : {1L, 3L, 40L}) {
      const Rational sigma(2 * m + 1, 4), entry = sigma / m;
      const Rational bound = one_token_bound(n, m, sigma);
      Rational least = 1 + sigma;
      for (long i = 0; i <= 32; ++i)
        for (long j = 0; j <= 32; ++j) {
          const Rational alpha(i, 32), beta(j, 32);
          const Rational first = 1 - alpha + (n - 1) * alpha, others = entry * (1 - beta + (n - 1) * beta);
          const Rational row = 1 - alpha + sigma * (1 - beta), zero_row = alpha + sigma * beta;
          least = std::min(least, Rational(std::max(first, others) * std::max(row, zero_row)));
        }
      CAPTURE(n);
      CAPTURE(m);
      CHECK(bound <= least);
      CHECK(2 * bound > least);  // and not idle
    }
  CHECK(one_token_bound(4, 0, 0) == 1);
  CHECK(one_token_bound(3, 0, 0) == Rational(3, 4));  // the column (0, 0, 1)
}

TEST_CASE("fewer than four tokens are refused") {
  CHECK_THROWS_WITH(layer(FourTokens{3, 1}, single_output()), doctest::Contains("3 tokens"));
}
