// The kinds of number of the precision study against exact rationals, and against each other.
#include "numerics/san/arithmetics.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "numerics/san/arithmetic_binary.hpp"
#include "numerics/san/arithmetic_double_double.hpp"
#include "numerics/san/arithmetic_interval.hpp"
#include "numerics/san/arithmetic_narrow.hpp"
#include "numerics/san/generate.hpp"
#include "tests/numerics/san/models.hpp"

using namespace rankfall;
using test::Draws;

namespace {

Rational exactly(const DoubleDouble& a) {
  return Rational(a.high) + Rational(a.low);
}
/// Three doubles hold 113 bits.
Rational exactly(Quadruple a) {
  Rational result = 0;
  for (int part = 0; part < 3; ++part) {
    const auto head = static_cast<double>(a);
    result += Rational(head);
    a -= Quadruple(head);
  }
  return result;
}

Rational size(const Rational& a) {
  return a < 0 ? Rational(-a) : a;
}

/// |a - b| <= 2^-bits |b|.
bool near(const Rational& a, const Rational& b, int bits) {
  return size(a - b) <= size(b) / Rational(Integer(1) << bits);
}

/// Operations of one arithmetic on fractions, each right to `bits` bits.
template <class S>
void operations_are_right(int bits) {
  using A = Arithmetic<S>;
  Draws draws(181);
  for (int round = 0; round < 300; ++round) {
    const S a = A::of(Rational(draws.integer(1, 1'000'000), draws.integer(1, 1'000'000)));
    const S b = A::of(Rational(draws.integer(1, 1'000'000), draws.integer(1, 1'000'000)));
    const Rational x = exactly(a), y = exactly(b);
    S sum = a, product = a, quotient = a;
    A::add_to(sum, b);
    A::multiply_by(product, b);
    A::divide_by(quotient, b);
    CHECK(near(exactly(sum), x + y, bits));
    CHECK(near(exactly(product), x * y, bits));
    CHECK(near(exactly(quotient), x / y, bits));
    const Rational root = exactly(A::sqrt(a));
    CHECK(near(root * root, x, bits - 1));
    const Precision p(300);
    const S score = A::of(Rational(draws.integer(-400'000, 400'000), 10'000));
    const Ball truth = exp(Ball(exactly(score), p), p);
    const Ball error = abs(sub(div(Ball(exactly(A::exp(score)), p), truth, p), Ball(1), p));
    CHECK(certainly_less(error, scale(Ball(1), static_cast<long>(-bits + 6))));
    const S small = A::of(Rational(draws.integer(1, 9'999), 10'000));
    for (const long shift : {0L, -1L, -3L, -30L, -200L}) {
      const Ball wanted = scale(expm1(scale(Ball(exactly(small), p), shift), p), -shift);
      const Ball off = abs(sub(div(Ball(exactly(A::scaled_expm1(small, shift)), p), wanted, p), Ball(1), p));
      CHECK(certainly_less(off, scale(Ball(1), static_cast<long>(-bits + 6))));
    }
  }
}

}  // namespace

TEST_CASE("double-double keeps 100 bits, cpp_bin_float 110") {
  operations_are_right<DoubleDouble>(100);
  operations_are_right<Quadruple>(110);
}

TEST_CASE("intervals contain what they stand for, within a few units") {
  using A = Arithmetic<Interval>;
  constexpr long bits = 80;
  const IntervalScope scope{Precision(bits)};
  const Precision p(400);
  const auto ball = [](const Interval& a) {
    Ball result;
    arb_set_interval_mpfr(result.raw(), A::low(a), A::high(a), 400);
    return result;
  };
  const auto encloses = [&](const Interval& found, const Ball& truth) {
    CHECK(arb_contains(ball(found).raw(), truth.raw()));
    const Ball width = sub(upper(ball(found), p), lower(ball(found), p), p);
    CHECK(certainly_less_equal(width, scale(abs(truth), -bits + 6)));
  };
  Draws draws(182);
  for (int round = 0; round < 200; ++round) {
    const Rational x(draws.integer(1, 1'000'000), draws.integer(1, 1'000'000)),
        y(draws.integer(1, 1'000'000), draws.integer(1, 1'000'000));
    const Ball exact_x(x, p), exact_y(y, p);
    Interval sum = A::of(x), product = A::of(x), quotient = A::of(x);
    A::add_to(sum, A::of(y));
    A::multiply_by(product, A::of(y));
    A::divide_by(quotient, A::of(y));
    encloses(sum, Ball(Rational(x + y), p));
    encloses(product, Ball(Rational(x * y), p));
    encloses(quotient, Ball(Rational(x / y), p));
    encloses(A::sqrt(A::of(x)), sqrt(exact_x, p));
    encloses(A::max(A::of(x), A::of(y)), max(exact_x, exact_y, p));
    for (const long shift : {0L, -3L, -60L, -90L, -400L}) {
      const Rational small(draws.integer(-9'999, 9'999), 10'000);
      if (small != 0)
        encloses(A::scaled_expm1(A::of(small), shift),
                 scale(expm1(scale(Ball(small, Precision(1200)), shift), Precision(1200)), -shift));
    }
  }
  CHECK(A::is_zero(A::scaled_expm1(A::of(0L), -5)));
}

TEST_CASE("intervals and balls see the same states") {
  GenerateSpec spec;
  spec.tokens = 5;
  spec.dim = 4;
  spec.depth = 4;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    spec.seed = seed;
    const Network network = generate(spec);
    for (const Form form : {Form::naive, Form::residual}) {
      const auto intervals = mpfi_kind(400).diameters(network, form),
                 balls = ball_kind(400).diameters(network, form);
      REQUIRE(intervals.size() == balls.size());
      for (std::size_t k = 0; k < balls.size(); ++k) {
        REQUIRE(intervals[k].has_value());
        REQUIRE(balls[k].has_value());
        CHECK_FALSE(certainly_less(*intervals[k], *balls[k]));
        CHECK_FALSE(certainly_less(*balls[k], *intervals[k]));
      }
    }
  }
}

TEST_CASE("bfloat16 rounds to nearest, ties to even, and keeps infinities") {
  CHECK(BFloat16(1.0F + 0x1p-8F).value == 1.0F);            // a tie, to even
  CHECK(BFloat16(1.0F + 0x3p-8F).value == 1.0F + 0x1p-6F);  // a tie, to even
  CHECK(BFloat16(1.0F + 0x1.02p-8F).value == 1.0F + 0x1p-7F);
  CHECK(BFloat16(-3.14159F).value == -3.140625F);
  CHECK(std::isinf(BFloat16(HUGE_VALF).value));
  CHECK(std::isnan(BFloat16(NAN).value));
  BFloat16 sum(256.0F);
  Arithmetic<BFloat16>::add_to(sum, BFloat16(1.0F));  // 257 needs 9 bits
  CHECK(sum.value == 256.0F);
}

TEST_CASE("every kind of number sees the same shallow network, and balls enclose it in both forms") {
  GenerateSpec spec;
  spec.tokens = 5, spec.dim = 4, spec.heads = 2, spec.depth = 2;
  const Network network = generate(spec);
  const auto truth = ball_kind(400).diameters(network, Form::residual);
  for (const Form form : {Form::naive, Form::residual})
    for (const NumberKind& kind : number_kinds({64, 200})) {
      CAPTURE(kind.name);
      const auto seen = kind.diameters(network, form);
      REQUIRE(seen.size() == truth.size());
      for (std::size_t k = 0; k < seen.size(); ++k) {
        REQUIRE(seen[k].has_value());
        if (kind.encloses) CHECK(overlap(*seen[k], *truth[k]));
        const Ball off = abs(sub(seen[k]->log2(), truth[k]->log2(), Precision(300)));
        CHECK(certainly_less(off, scale(Ball(1), (kind.encloses ? 32 : 14) - std::min(kind.bits, 113L))));
      }
    }
}

TEST_CASE("other blocks than plain attention are refused by their place") {
  Network network = generate(GenerateSpec{});
  network.blocks[3] = Normalisation{};
  CHECK_THROWS_WITH_AS(require_plain_attention(network), doctest::Contains("blocks[3]"), InputError);
}
