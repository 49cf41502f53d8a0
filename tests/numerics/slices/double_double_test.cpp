#include "numerics/slices/double_double.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "numerics/errors.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

struct DoubleDouble {
  Matrix<double> hi, lo;
  Rational operator()(Index i, Index j) const {
    return lo.size() == 0 ? Rational(hi(i, j)) : Rational(hi(i, j)) + Rational(lo(i, j));
  }
};

DoubleDouble draw(Index rows, Index cols, long spread, bool with_low, Draws& draws) {
  DoubleDouble result{Matrix<double>(rows, cols), Matrix<double>()};
  for (Index i = 0; i < rows * cols; ++i)
    result.hi.data()[i] = std::ldexp(draws.normal(), static_cast<int>(draws.integer(-spread, spread)));
  if (!with_low) return result;
  result.lo = Matrix<double>(rows, cols);
  for (Index i = 0; i < rows * cols; ++i)
    result.lo.data()[i] = result.hi.data()[i] * 0x1p-53 * (draws.uniform() - 0.5);
  return result;
}

/// The number that stands in slices.
Rational entry(const SliceMatrix& a, Index row, Index col) {
  const Index line = a.side() == Side::left ? row : col, k = a.side() == Side::left ? col : row;
  Rational sum = 0;
  for (int t = 0; t < a.slices(); ++t)
    sum += Rational(a.panel(line / a.width())[t * a.slice_size() + k * a.width() + line % a.width()]) *
           test::two_to(-static_cast<long>(a.bits()) * (t + 1));
  return Rational(sum * test::two_to(a.frames()[static_cast<std::size_t>(line)]));
}

struct Distance {
  Rational entry = 0, square = 0;
};

Distance distance(const SliceProduct& c, const SliceMatrix& a, const SliceMatrix& b) {
  Distance result;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j) {
      Rational exact = 0;
      for (Index k = 0; k < a.cols(); ++k) exact += entry(a, i, k) * entry(b, k, j);
      const Rational off = abs(exact - Rational(c.hi(i, j)) - Rational(c.lo(i, j)));
      result.entry = std::max(result.entry, off);
      result.square += off * off;
    }
  return result;
}

}  // namespace

TEST_CASE("sums of two doubles in slices, and their products, are within their bounds") {
  Draws draws(631);
  struct Shape {
    Index n, k, m;
  };
  for (const Shape& s : {Shape{1, 1, 1}, Shape{9, 6, 17}, Shape{3, 40, 5}, Shape{8, 8, 16}})
    for (const long bits : {20L, 53L, 106L, 128L})
      for (const long spread : {0L, 3L, 60L, 400L})
        for (const bool short_weights : {false, true}) {
          CAPTURE(s.k);
          CAPTURE(bits);
          CAPTURE(spread);
          const SliceShape shape = slice_shape(s.k, bits);
          CHECK(shape.bits * shape.count >= bits);
          const SliceShape right_shape{short_weights ? std::min(3, shape.count) : shape.count, shape.bits};
          const DoubleDouble left = draw(s.n, s.k, spread, true, draws),
                             right = draw(s.k, s.m, spread, !short_weights, draws);
          const SliceMatrix a = sliced(left.hi, left.lo, Side::left, shape),
                            b = sliced(right.hi, right.lo, Side::right, right_shape);
          const auto check_slices = [](const SliceMatrix& x, const DoubleDouble& of) {
            Rational square = 0;
            for (Index i = 0; i < x.rows(); ++i)
              for (Index j = 0; j < x.cols(); ++j) {
                const long frame = x.frames()[static_cast<std::size_t>(x.side() == Side::left ? i : j)];
                const Rational off = abs(entry(x, i, j) - of(i, j));
                CHECK(off <= Rational(x.truncation()) * test::two_to(frame));
                square += off * off;
              }
            const Rational norm(truncation_norm(x));
            CHECK(square <= norm * norm);
          };
          check_slices(a, left);
          check_slices(b, right);
          const SliceProduct c = product(a, b, Kernel::plain);
          const Distance off = distance(c, a, b);
          CHECK(off.entry <= Rational(c.entry_error));
          CHECK(off.square <= Rational(c.norm_error) * Rational(c.norm_error));
          for (Index i = 0; i < c.hi.size(); ++i) CHECK(c.hi.data()[i] + c.lo.data()[i] == c.hi.data()[i]);
          for (const Kernel kernel : available_kernels()) {
            const SliceProduct other =
                product(sliced(left.hi, left.lo, Side::left, shape, kernel),
                        sliced(right.hi, right.lo, Side::right, right_shape, kernel), kernel);
            CHECK(other.hi == c.hi);
            CHECK(other.lo == c.lo);
            CHECK(other.entry_error == c.entry_error);
            CHECK(other.norm_error == c.norm_error);
          }
        }
}

TEST_CASE("doubles with few bits are exact in slices") {
  const Matrix<double> x{{1, -0.5, 3}, {1024, 0, -1025}};
  const SliceMatrix a = sliced(x, Matrix<double>(), Side::left, {2, 20});
  CHECK(a.truncation() == 0);
  CHECK(truncation_norm(a) == 0);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j) CHECK(entry(a, i, j) == Rational(x(i, j)));
  CHECK(sliced(x, x * 0x1p-60, Side::left, {2, 20}).truncation() > 0);
}

TEST_CASE("the bound on the pairs left out is attained") {
  // The first digit a quarter, all others nearly half the base: what is left out all has one sign.
  const Index depth = 12;
  for (const int count : {2, 3, 4}) {
    const int bits = slices::slice_bits(depth, count);
    Matrix<double> hi = Matrix<double>::Constant(1, depth, -0.5), lo = Matrix<double>::Zero(1, depth);
    for (int t = 1; t < count; ++t)
      (t < 2 ? hi : lo).array() -= std::ldexp((1 << (bits - 1)) - 1, 1 - bits * (t + 1));
    const SliceShape shape{count, bits};
    const SliceMatrix a = sliced(hi, lo, Side::left, shape),
                      b = sliced(hi.transpose(), lo.transpose(), Side::right, shape);
    const SliceProduct c = product(a, b);
    const Distance off = distance(c, a, b);
    CAPTURE(count);
    CHECK(off.entry <= Rational(c.entry_error));
    CHECK(off.entry >= Rational(c.entry_error) * Rational(9, 10));
  }
}

TEST_CASE("slices that do not fit are refused") {
  const Matrix<double> x = Matrix<double>::Ones(4, 4), none;
  const SliceMatrix a = sliced(x, none, Side::left, {2, 20}), b = sliced(x, none, Side::right, {2, 20});
  CHECK_THROWS_WITH_AS(product(b, a), "product of slices: a left operand times a right one is allowed",
                       DomainError);
  CHECK_THROWS_WITH_AS(product(a, sliced(Matrix<double>::Ones(3, 4), none, Side::right, {2, 20})),
                       "product of slices of 4 columns and of 3 rows: the inner sizes differ", DomainError);
  CHECK_THROWS_WITH_AS(
      product(a, sliced(x, none, Side::right, {2, 21})),
      "product of slices of 20 and 21 bits: equal ones of at most 25 are allowed for an inner "
      "size of 4",
      DomainError);
  CHECK_THROWS_AS(product(sliced(x, none, Side::left, {2, 26}), sliced(x, none, Side::right, {2, 26})),
                  DomainError);
  CHECK_THROWS_AS(sliced(x, Matrix<double>::Ones(3, 4), Side::left, {2, 20}), DomainError);
  CHECK_THROWS_AS(sliced(x * 0x1p901, none, Side::left, {2, 20}), DomainError);
  CHECK_THROWS_AS(sliced(x * INFINITY, none, Side::left, {2, 20}), DomainError);
  CHECK_THROWS_AS(slice_shape(4, 1000), DomainError);
  const Matrix<double> big = x * 0x1p520;
  CHECK_THROWS_AS(product(sliced(big, none, Side::left, {2, 20}), sliced(big, none, Side::right, {2, 20})),
                  DomainError);
}

TEST_CASE("very small numbers in slices") {
  Draws draws(633);
  DoubleDouble left = draw(5, 6, 0, true, draws), right = draw(6, 4, 0, true, draws);
  left.hi *= 0x1p-940;
  left.lo *= 0x1p-940;
  right.hi *= 0x1p-100;
  right.lo *= 0x1p-100;
  left.hi.row(2) *= 0x1p-110;  // below what doubles hold in full
  const SliceMatrix a = sliced(left.hi, left.lo, Side::left, slice_shape(6, 106)),
                    b = sliced(right.hi, right.lo, Side::right, slice_shape(6, 106));
  const SliceProduct c = product(a, b);
  CHECK(distance(c, a, b).entry <= Rational(c.entry_error));
  CHECK(c.entry_error < 0x1p-990);
}
