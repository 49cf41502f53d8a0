#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/theory/models/support.hpp"
#include "theory/models/sharper_family.hpp"
#include "theory/models/simple_family.hpp"

using namespace rankfall;
using namespace rankfall::theory;
using test::agree;
using test::between;

namespace {

constexpr Precision p(128);

Rational number(const char* text) {
  return parse_number(text);
}
Ball quotient(const Refutation& r) {
  return div(r.left, r.right, p).to_ball(p);
}

SimpleFamily small_simple() {
  return {4, 3, number("-0.5"), 3};
}

SharperFamily small_sharper() {
  return {12, 4, 2, 3, {{1, 1}, {1, number("0.5")}, {1, number("-0.25")}}};
}

/// An output state holds the closed form: every token of a class, every output.
void check_output(const ResidualState& out, const SharperFamily& family) {
  const std::vector<OutputTokens> classes = output(family, p);
  std::vector<std::size_t> class_of{0, 1, 2};
  for (std::size_t g = 0; g < family.movers.size(); ++g)
    class_of.insert(class_of.end(), static_cast<std::size_t>(family.movers[g].count), 3 + g);
  class_of.resize(static_cast<std::size_t>(family.tokens), 0);
  for (Index i = 0; i < family.tokens; ++i)
    for (Index j = 0; j < 3; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const Ball& expected =
          classes[class_of[static_cast<std::size_t>(i)]].value[static_cast<std::size_t>(j)];
      CHECK(agree(test::token(out, i, j, p), expected, 80));
    }
  long tokens = 0;
  for (const OutputTokens& c : classes) tokens += c.count;
  CHECK(tokens == family.tokens);
}

}  // namespace

TEST_CASE("the simple family refutes dong-2.2-v1 with the quotients of docs/theory") {
  const auto of = [](long s, const char* mover, const char* t) {
    return against_simple_family({s, 60, number(mover), number(t)}, p);
  };
  CHECK(between(quotient(of(3500, "49.9906", "12.6")), "1.0039652", "1.0039653", p));
  CHECK(between(quotient(of(4000, "49.857", "12.75")), "1.0620423", "1.0620424", p));
  CHECK(between(quotient(of(5000, "49.6339", "13.03")), "1.1669562", "1.1669563", p));
  CHECK(of(3500, "49.9906", "12.6").certified);
  CHECK_FALSE(of(3400, "49.9906", "12.6").certified);
}

TEST_CASE("the simple family agrees with the engine") {
  for (const long movers : {2L, 4L, 10L}) {
    SimpleFamily family = small_simple();
    family.movers = movers;
    const SimpleOutput x = output(family, p);
    const ResidualState out = test::last_state(network(layer(family)), p);
    for (Index i = 0; i < 2 * movers; ++i) {
      CAPTURE(i);
      const bool mover = i >= 1 && i <= movers;
      CHECK(agree(test::token(out, i, 0, p), mover ? x.moved : x.hub, 90));
      if (mover) CHECK(agree(test::token(out, i, i, p), x.own, 90));
      if (mover) CHECK(agree(test::token(out, i, i == 1 ? 2 : 1, p), x.other, 90));
    }
    const StateMeasures m = measure(out, p);
    const Ball bound = residual_bound(family, p);
    CHECK_FALSE(certainly_less(m.minimal.upper.to_ball(p), bound));
    CHECK_FALSE(certainly_less(bound, m.minimal.lower.to_ball(p)));
  }
  CHECK(between(residual_bound(small_simple(), p), "0.553898904644852", "0.76", p));
  const SimpleOutput x = output(small_simple(), p);
  CHECK(between(sub(x.moved, x.hub, p), "-0.2457383161487", "-0.2457383161486", p));
}

TEST_CASE("the sharper family refutes dong-2.2-v1 with the quotients of docs/theory") {
  const auto of = [](long n, long s, const char* far, const char* mover, const char* t) {
    return against_sharper_family({n, 60, number(far), number(t), {{s, number(mover)}}}, p);
  };
  CHECK(between(quotient(of(4000, 1600, "53.2088", "50.5132", "10.46")), "1.038822", "1.038823", p));
  CHECK(between(quotient(of(3700, 1480, "53.2088", "50.5911", "10.39")), "1.006824", "1.006825", p));
  CHECK(between(quotient(of(3638, 1455, "53.2411", "50.6059", "10.3734")), "1.0000013", "1.0000014", p));
  CHECK(of(3638, 1455, "53.2411", "50.6059", "10.3734").certified);
  CHECK_FALSE(of(3637, 1455, "53.2411", "50.6059", "10.3734").certified);
}

TEST_CASE("one logit per mover refutes dong-2.2-v1 at 3573 and 3568 tokens") {
  const auto profile = [](long n, const char* far, const char* t, const char* q_0, const char* K,
                          const char* u) {
    return family(
        MoverProfile{n, number(far), number(t), number(q_0), number("0.21053"), number(K), number(u)});
  };
  const SharperFamily at_3573 = profile(3573, "53.1256", "10.44", "0.87658", "0.49178744", "0.99572995");
  CHECK(at_3573.mover_count() == 1536);
  CHECK(at_3573.movers.front().count == 1183);
  CHECK(at_3573.zero_rows() == 2034);
  CHECK(between(quotient(against_sharper_family(at_3573, p)), "1.00056", "1.00057", p));
  const SharperFamily at_3568 = profile(3568, "53.1263", "10.4388", "0.87657", "0.49139145", "0.99572727");
  CHECK(at_3568.mover_count() == 1534);
  CHECK(at_3568.movers.front().count == 1182);
  CHECK(between(quotient(against_sharper_family(at_3568, p)), "1.0000132", "1.0000133", p));
  const Rational c(power(Integer(2), 40));
  CHECK(against_sharper_family_without_biases(at_3568, c, p).certified);
  CHECK_FALSE(against_sharper_family_without_biases(at_3568, 1000, p).certified);  // beta grows by 6 %

  SharperFamily larger = at_3568;  // more zero rows keep the refutation
  larger.tokens = 5000;
  CHECK(against_sharper_family(larger, p).certified);
}

TEST_CASE("the sharper family agrees with the engine, with and without biases") {
  const SharperFamily grouped{40, 5, 3, number("2.5"), {{6, number("0.75")}, {1, 0}, {9, number("-0.5")}}};
  for (const SharperFamily& family : {small_sharper(), grouped}) {
    const OneLayer one = layer(family);
    CHECK(norm_1(one.A) == family.t);
    const ResidualState out = test::last_state(network(one), p);
    check_output(out, family);
    const StateMeasures m = measure(out, p);
    const Ball bound = residual_bound(family, p);
    CHECK_FALSE(certainly_less(m.minimal.upper.to_ball(p), bound));
    CHECK(certainly_less(m.minimal.lower.to_ball(p), bound));  // the better bound is better
    for (const Reference reference : {Reference::mean, Reference::median}) {
      const StateMeasures in = measure(ResidualEngine(network(one), p).input(reference), p);
      CHECK(contains(in.minimal.upper.log2(), Ball(0)));
    }

    const Rational c(power(Integer(2), 40));
    const Network without = network_without_biases(one, c);
    CHECK(std::get<AttentionBlock>(without.blocks[0]).heads[0].b_Q.empty());
    check_output(test::last_state(without, p), family);
    const Rational logit = std::max(abs(family.hub), abs(family.far)), largest = family.t + logit / c;
    const HeadWeights head = weights(std::get<AttentionBlock>(without.blocks[0]).heads[0], p);
    CHECK_FALSE(certainly_less(Ball(largest, p), norm_1(head.scores.composed(p), p)));
  }
  CHECK(between(residual_bound(small_sharper(), p), "1.57795540712713", "1.57795540712715", p));
}

TEST_CASE("families without movers or with too many are refused") {
  CHECK_THROWS_WITH(layer(SharperFamily{5, 60, 1, 1, {{3, 1}}}),
                    doctest::Contains("5 tokens of which 3 movers"));
  CHECK_THROWS_WITH(layer(SharperFamily{5, 60, 1, 1, {}}), doctest::Contains("at least one mover"));
  CHECK_THROWS_WITH(layer(SimpleFamily{1, 60, 1, 1}), doctest::Contains("1 movers"));
}
