#include "numerics/slices/ball_product.hpp"

#include <doctest/doctest.h>

#include <set>

#include "numerics/product.hpp"
#include "tests/numerics/slices/hostile.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

struct Shape {
  Index n, k, m;
};

bool same(const BallMatrix& a, const BallMatrix& b) {
  bool equal = a.rows() == b.rows() && a.cols() == b.cols();
  for (Index i = 0; equal && i < a.size(); ++i) equal = arb_equal(a.data()[i].raw(), b.data()[i].raw()) != 0;
  return equal;
}

Rational radius(const Ball& a) {
  const test::Interval set = test::ends(a);
  return Rational((set.high - set.low) / 2);
}

/// Entries in the corners and between.
std::set<std::pair<Index, Index>> probes(Index n, Index m, Draws& draws) {
  std::set<std::pair<Index, Index>> result{{0, 0}, {n - 1, m - 1}};
  for (int i = 0; i < 6; ++i) result.insert({draws.integer(0, n - 1), draws.integer(0, m - 1)});
  return result;
}

}  // namespace

TEST_CASE("sliced products hold the exact set, are tight, and are the same with every kernel") {
  Draws draws(601);
  int done = 0, left_to_arb = 0;
  for (const Shape& s : {Shape{1, 1, 1}, Shape{1, 9, 1}, Shape{3, 1, 5}, Shape{7, 5, 3}, Shape{16, 16, 16},
                         Shape{9, 33, 17}, Shape{2, 300, 25}, Shape{24, 8, 24}})
    for (const long bits : {24L, 53L, 106L, 128L, 256L, 400L})
      for (int round = 0; round < test::multiplier(); ++round)
        for (const test::Operands& operands : test::hostile_operands(s.n, s.k, s.m, bits, draws)) {
          CAPTURE(operands.kind);
          CAPTURE(bits);
          CAPTURE(s.k);
          const Precision p(bits);
          const auto c = sliced_product(operands.a, operands.b, p, Kernel::plain);
          for (const Kernel kernel : available_kernels()) {
            const auto other = sliced_product(operands.a, operands.b, p, kernel);
            REQUIRE(other.has_value() == c.has_value());
            if (c && !same(*c, *other)) FAIL_CHECK("kernel " << name(kernel) << " differs");
          }
          (c ? done : left_to_arb)++;
          if (!c) continue;
          for (const auto& [i, j] : probes(s.n, s.m, draws)) {
            const test::EntryTruth truth = test::truth(operands.a, operands.b, i, j);
            const test::Interval set = test::ends((*c)(i, j));
            if (!(set.low <= truth.low && truth.high <= set.high))
              FAIL_CHECK("entry " << i << " " << j << " got out");
            const Rational unit = test::two_to(-bits);
            const Rational most = (truth.reach * Rational(5, 4) + truth.size * unit * Rational(9, 8)) *
                                  Rational(1000001, 1000000);
            if (radius((*c)(i, j)) > most) FAIL_CHECK("entry " << i << " " << j << " is too wide");
            if (truth.size == 0 && truth.reach == 0) CHECK(is_zero((*c)(i, j)));
          }
        }
  CHECK(done > 5 * left_to_arb);
}

TEST_CASE("exact operands whose product fits have an exact product") {
  Draws draws(603);
  BallMatrix a(20, 30), b(30, 18);
  for (Index i = 0; i < a.size(); ++i)
    a.data()[i] = scale(Ball(draws.integer(-9999, 9999)), draws.integer(-9, 9));
  for (Index i = 0; i < b.size(); ++i) b.data()[i] = scale(Ball(draws.integer(-99, 99)), -3000);
  const auto c = sliced_product(a, b, Precision(64));
  REQUIRE(c);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 18; ++j) {
      CHECK(is_exact((*c)(i, j)));
      const test::EntryTruth truth = test::truth(a, b, i, j);
      CHECK(test::ends((*c)(i, j)).low == truth.low);
    }
  const auto beyond = sliced_product(a, b, Precision(5000));  // more than slices give otherwise
  REQUIRE(beyond);
  CHECK(same(*c, *beyond));
  b(3, 3) = add(b(3, 3), scale(Ball(1), -3600L), Precision(1000));
  CHECK_FALSE(sliced_product(a, b, Precision(5000)));
}

TEST_CASE("numbers that are not finite, or far out, are left to Arb") {
  Draws draws(605);
  BallMatrix a(16, 16), b(16, 16);
  for (Index i = 0; i < a.size(); ++i) {
    a.data()[i] = test::full(draws, 100);
    b.data()[i] = test::full(draws, 100);
  }
  const Precision p(100);
  REQUIRE(sliced_product(a, b, p));
  const auto refused = [&](const auto& spoil) {
    for (BallMatrix* matrix : {&a, &b}) {
      const Ball kept = (*matrix)(3, 5);
      spoil((*matrix)(3, 5).raw());
      CHECK_FALSE(sliced_product(a, b, p));
      const BallMatrix c = product(a, b, p);  // does not depend on it
      CHECK(c.rows() == 16);
      (*matrix)(3, 5) = kept;
    }
  };
  refused([](arb_ptr x) { arb_zero_pm_inf(x); });
  refused([](arb_ptr x) { arb_pos_inf(x); });
  refused([](arb_ptr x) { arb_indeterminate(x); });
  refused([](arb_ptr x) { arb_mul_2exp_si(x, x, 1L << 40); });
  refused([](arb_ptr x) { arb_mul_2exp_si(x, x, -(1L << 40)); });
  refused([](arb_ptr x) {
    fmpz_t e;
    fmpz_init(e);
    fmpz_ui_pow_ui(e, 10, 40);
    arb_mul_2exp_fmpz(x, x, e);
    fmpz_clear(e);
  });
  refused([](arb_ptr x) { mag_set_ui_2exp_si(arb_radref(x), 1, 1L << 40); });
  refused([](arb_ptr x) { mag_set_ui_2exp_si(arb_radref(x), 1, -(1L << 40)); });
  CHECK_FALSE(sliced_product(a, b, Precision(1000)));
  CHECK_FALSE(sliced_product(a, b, p, Kernel::plain, 3));
}

TEST_CASE("lines without a common scale are left to Arb rather than blurred") {
  Draws draws(607);
  BallMatrix a(8, 8), b(8, 8);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j) {
      a(i, j) = scale(test::full(draws, 128), 200 * j);
      b(i, j) = scale(test::full(draws, 128), -200 * i);
    }
  CHECK_FALSE(sliced_product(a, b, Precision(128), Kernel::plain, 100));
  const BallMatrix c = product(a, b, Precision(128));
  for (Index i = 0; i < c.size(); ++i) CHECK(relative_accuracy_bits(c.data()[i]) > 110);
}

TEST_CASE("empty products of slices") {
  const auto nothing = sliced_product(BallMatrix(3, 0), BallMatrix(0, 2), Precision(53));
  REQUIRE(nothing);
  REQUIRE(nothing->rows() == 3);
  for (Index i = 0; i < nothing->size(); ++i) CHECK(is_zero(nothing->data()[i]));
  CHECK(sliced_product(BallMatrix(0, 4), BallMatrix(4, 2), Precision(53))->rows() == 0);
}
