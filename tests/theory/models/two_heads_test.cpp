#include "theory/models/two_heads.hpp"

#include <doctest/doctest.h>

#include "tests/theory/models/support.hpp"
#include "theory/models/rounded.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::agree;
using test::between;

namespace {

constexpr Precision p(128);

Ball quotient(const Refutation& r) {
  return div(r.left, r.right, p).to_ball(p);
}

Refutation decided(const TwoHeads& model) {
  return against_two_heads(model, "dong-2.3", p);
}

Rational power_of_ten(long exponent) {
  return power(Rational(10), exponent);
}

}  // namespace

TEST_CASE("two heads refute dong-2.3 from 65026 columns on") {
  const Refutation r = decided(two_heads(70'000, power_of_ten(-2)));
  CHECK(r.certified);
  CHECK(r.statement_id == "dong-2.3");
  CHECK(between(quotient(r), "1.0184957", "1.0184959", p));
  CHECK_FALSE(decided(two_heads(65'025, power_of_ten(-2))).certified);
  CHECK_FALSE(decided(two_heads(65'025, power_of_ten(-9))).certified);
  CHECK(between(quotient(decided(two_heads(65'025, power_of_ten(-5)))), "0.99999999996", "0.99999999997", p));
  CHECK_FALSE(decided(two_heads(65'026, power_of_ten(-2))).certified);
  CHECK(between(quotient(decided(two_heads(65'026, power_of_ten(-2)))), "0.999970", "0.999971", p));
  CHECK(decided(two_heads(65'026, power_of_ten(-5))).certified);
  CHECK(between(quotient(decided(two_heads(65'026, power_of_ten(-5)))), "1.0000038", "1.0000039", p));
  CHECK(between(quotient(decided(two_heads(1'000'000, power_of_ten(-2)))), "1.977345", "1.977346", p));
}

TEST_CASE("sharing a column takes 512 columns less") {
  CHECK_FALSE(decided(two_heads(64'513, power_of_ten(-6), true)).certified);
  CHECK(decided(two_heads(64'514, power_of_ten(-6), true)).certified);
  CHECK_FALSE(decided(two_heads(64'514, power_of_ten(-6), false)).certified);
}

TEST_CASE("more tokens take fewer columns") {
  const auto many = [](long tokens, long m) {
    return against_two_heads(two_heads_many_tokens(tokens, m, power_of_ten(-4)), "dong-2.3", p);
  };
  CHECK(many(1000, 22'242).certified);
  CHECK_FALSE(many(1000, 22'241).certified);
  CHECK(many(10'000, 16'549).certified);
  CHECK_FALSE(many(10'000, 16'548).certified);
}

TEST_CASE("the weights lie just below the roots") {
  for (const long m : {2L, 65'025L, 70'000L, 1'000'000L}) {
    const Rational weight = two_heads(m, 1).weight, step(1, power(Integer(2), 60));
    CHECK(weight * weight * m <= 1);
    CHECK((weight + step) * (weight + step) * m > 1);
  }
  CHECK(two_heads(65'025, 1).weight < Rational(1, 255));
  CHECK(root_below(Rational(9, 4), 1) == Rational(3, 2));
  CHECK(exact_double(two_heads(70'000, 1).weight).has_value());
}

TEST_CASE("the two sides agree with the engine, also at the size of the refutation") {
  for (const bool share : {false, true})
    for (const long m : {3L, 50L, 70'000L}) {
      CAPTURE(m);
      const TwoHeads model = two_heads(m, Rational(1, 3), share);
      const Network net = network(model);
      const StateMeasures before = measure(ResidualEngine(net, p).input(Reference::mean), p);
      const StateMeasures after = measure(test::last_state(net, p), p);
      CHECK(overlap(after.minimal.lower, after.minimal.upper));
      CHECK(agree(after.minimal.upper, decided(model).left, 90, p));
      const Ball composite =
          composite_norm(weights(std::get<AttentionBlock>(net.blocks[0]).heads[1], p).values.composed(p), p);
      const Ball beta = mul(Ball(model.w, p), max(Ball(1), composite, p), p);
      const Ball right = mul(scale(beta, 3), power(before.minimal.upper, Rational(3), p).to_ball(p), p);
      CHECK(agree(right, decided(model).right.to_ball(p), 90));
    }
}

TEST_CASE("the form with many tokens agrees with the engine at small size") {
  for (const long tokens : {8L, 30L})
    for (const long logit : {2L, 60L}) {
      TwoHeadsManyTokens model = two_heads_many_tokens(tokens, 5, Rational(1, 5));
      model.logit = logit;
      const Refutation r = against_two_heads(model, "dong-2.3-v1", p);
      const Network net = network(model);
      const StateMeasures after = measure(test::last_state(net, p), p);
      CHECK(certainly_less_equal(r.left, add(after.minimal.upper, Magnitude(power_of_ten(-30), p), p)));
      CHECK(certainly_less(after.minimal.upper, mul(r.left, Magnitude(Rational(2), p), p)));
      const Magnitude row_sum(mul(Ball(Rational(model.first + 5 * model.others), p), Ball(1), p), p);
      // One non-zero token: diam_1 is its sum, first + m others times the attended difference.
      CHECK(agree(div(after.diameter[0], after.diameter[2], p), div(row_sum, Magnitude(model.first, p), p),
                  90, p));
    }
}

TEST_CASE("every gamma of the counterexample is one") {
  for (const Network& net :
       {network(two_heads(5, Rational(1, 3))), network(two_heads_many_tokens(9, 5, Rational(1, 3)))}) {
    const ResidualEngine engine(net, p);
    const Reference reference =
        net.tokens() == 2 ? Reference::mean : Reference::median;  // both residual-minimal
    const BlockTrace trace = engine.apply(0, engine.input(reference));
    for (const HeadTrace& head : trace.heads) {
      Ball rho_sum, maxima;
      const BallMatrix& E = head.E.mantissa;
      for (Index i = 0; i < E.rows(); ++i) {
        Ball high = E(i, 0), low = E(i, 0), top = abs(E(i, 0));
        for (Index j = 1; j < E.cols(); ++j) {
          high = max(high, E(i, j), p);
          low = min(low, E(i, j), p);
          top = max(top, abs(E(i, j)), p);
        }
        rho_sum = add(rho_sum, sub(high, low, p), p);
        maxima = add(maxima, top, p);
      }
      CHECK(agree(div(rho_sum, scale(norm_1(E, p), 1), p), Ball(1), 90));
      CHECK(agree(div(maxima, norm_1(E, p), p), Ball(1), 90));
    }
  }
}
