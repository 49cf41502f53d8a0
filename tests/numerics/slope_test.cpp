#include "numerics/slope.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support.hpp"

using namespace rankfall;

namespace {

constexpr Activation smooth[] = {Activation::gelu, Activation::gelu_tanh, Activation::tanh, Activation::silu};

Ball interval(const Rational& low, const Rational& high, Precision p) {
  return hull(Ball(low, p), Ball(high, p), p);
}

}  // namespace

TEST_CASE("global Lipschitz constants to thirty digits and beyond") {
  // Independent: mpmath 1.2.1, findroot of the second derivative and the first there, at 90 digits.
  const struct {
    Activation activation;
    const char* digits;
  } known[] = {
      {Activation::gelu, "1.12890414518515478634074444226197331233248701"},
      {Activation::gelu_tanh, "1.12899306865877176545590447039955384573430592"},
      {Activation::silu, "1.09983932012886691695818492432057097213072939"},
  };
  for (const auto& [activation, digits] : known)
    for (const long bits : {128L, 400L}) {
      const Slope slope(activation, Precision(bits));
      CHECK(relative_accuracy_bits(slope.lipschitz()) >= bits);
      // The text is cut after its last digit.
      const Ball text =
          add(Ball(parse_number(digits), Precision(300)), symmetric(scale(Ball(1), -145L)), Precision(300));
      CHECK(overlap(slope.lipschitz(), text));
    }
  for (const Activation activation : {Activation::identity, Activation::relu, Activation::tanh}) {
    CHECK(is_exact(Slope(activation, Precision(64)).lipschitz()));
    CHECK(contains(Slope(activation, Precision(64)).lipschitz(), Rational(1)));
  }
}

TEST_CASE("no sampled slope exceeds the bound of its interval, and the bound is attained") {
  std::mt19937_64 bits(4);
  const Precision p(96);
  for (const Activation activation : smooth) {
    const Slope slope(activation, p);
    for (int trial = 0; trial < 40 * test::multiplier(); ++trial) {
      const Rational low(static_cast<long>(bits() % 12000) - 6000, 1000);
      const Rational length(static_cast<long>(bits() % 4000) + 1, 1000);
      const Ball x = interval(low, low + length, p);
      const Ball bound = slope.lipschitz(x), range = slope.range(x);
      Ball largest(0), least(1000), most(-1000);
      for (int k = 0; k <= 200; ++k) {
        const Ball at = derivative(activation, Ball(low + length * Rational(k, 200), p), p);
        CHECK(overlap(range, at));
        CHECK_FALSE(certainly_less(bound, abs(at)));
        largest = max(largest, abs(at), p);
        least = min(least, at, p);
        most = max(most, at, p);
      }
      // |f''| <= 2 and f'' = 0 at an inner extreme: samples a step s apart miss it by at most s^2/2 max|f'''|
      // <= 2 s^2.
      const Ball missed(length * length / Rational(20000), p);
      CHECK_FALSE(certainly_less(add(largest, missed, p), bound));
      CHECK_FALSE(certainly_less(lower(range, p), sub(least, missed, p)));
      CHECK_FALSE(certainly_less(add(most, missed, p), upper(range, p)));
    }
  }
}

TEST_CASE("slopes over a point, a kink and the whole line") {
  const Precision p(64);
  const Slope relu(Activation::relu, p);
  Ball right(1);  // [0, 2], and its mirror image
  mag_one(arb_radref(right.raw()));
  const Ball left = neg(right);
  CHECK(is_zero(relu.lipschitz(left)));
  CHECK(contains(relu.lipschitz(interval(-2, Rational(1, 1024), p)), Rational(1)));
  for (const Activation activation :
       {Activation::silu, Activation::gelu, Activation::tanh, Activation::relu}) {
    const Slope at_zero(activation, p);  // an end that is exactly zero has no unit in its last place
    CHECK(overlap(at_zero.range(Ball()), at_zero.range(interval(-1, 1, p))));
    CHECK(is_finite(at_zero.range(Ball())));
  }
  CHECK(is_zero(relu.range(left)));
  CHECK(is_exact(relu.range(right)));
  CHECK(contains(relu.range(interval(-1, 1, p)), Rational(0)));
  CHECK(contains(relu.range(interval(-1, 1, p)), Rational(1)));

  const Slope gelu(Activation::gelu, p);
  CHECK(relative_accuracy_bits(gelu.lipschitz(Ball(Rational(1, 3), p))) >= 60);
  CHECK(overlap(gelu.lipschitz(symmetric(Ball(100))), gelu.lipschitz()));
  CHECK(relative_accuracy_bits(gelu.lipschitz(symmetric(Ball(100)))) >= 60);
  Ball line;
  arb_zero_pm_inf(line.raw());
  CHECK(overlap(gelu.lipschitz(line), gelu.lipschitz()));
  CHECK(contains(gelu.range(line), gelu.range(symmetric(Ball(100)))));
  // The negative extreme of gelu' is 1 - its positive one.
  CHECK(overlap(gelu.lipschitz(interval(-2, -1, p)), sub(gelu.lipschitz(), Ball(1), p)));
}

TEST_CASE("turning points are isolated where the second derivative changes sign") {
  const Precision p(200);
  for (const Activation activation : {Activation::gelu, Activation::gelu_tanh, Activation::silu}) {
    const Slope slope(activation, p);
    REQUIRE(slope.turning_points().size() == 2);
    const Ball c = slope.turning_points()[1];
    CHECK(relative_accuracy_bits(c) >= 190);
    CHECK(overlap(c, neg(slope.turning_points()[0])));
    // f' at the point exceeds f' a little to either side, by about f''' h^2 / 2.
    for (const int side : {-1, 1}) {
      const Ball beside = add(c, scale(Ball(side), -40L), p);
      CHECK(certainly_less(derivative(activation, beside, p), derivative(activation, c, p)));
    }
  }
}
