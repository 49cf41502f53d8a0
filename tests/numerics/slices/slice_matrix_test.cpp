#include "numerics/slices/slice_matrix.hpp"

#include <doctest/doctest.h>

#include "numerics/slices/operand.hpp"
#include "tests/numerics/slices/hostile.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

double digit(const SliceMatrix& a, int slice, Index line, Index k) {
  return a.panel(line / a.width())[slice * a.slice_size() + k * a.width() + line % a.width()];
}

/// In units of 2^frame.
Rational value(const SliceMatrix& a, Index line, Index k) {
  Rational sum = 0;
  for (int t = 0; t < a.slices(); ++t)
    sum += Rational(digit(a, t, line, k)) * test::two_to(-static_cast<long>(a.bits()) * (t + 1));
  return sum;
}

}  // namespace

TEST_CASE(
    "balls in slices: digits are balanced, numbers within the truncation, zero where there is no line") {
  Draws draws(611);
  for (const auto& [count, bits] : {std::pair{1, 26}, {2, 24}, {3, 21}, {6, 22}, {7, 8}, {12, 23}, {24, 26}})
    for (const Side side : {Side::left, Side::right})
      for (const test::Operands& operands : test::hostile_operands(11, 7, 21, 128, draws)) {
        CAPTURE(operands.kind);
        CAPTURE_BOUND(count);
        CAPTURE_BOUND(bits);
        const BallMatrix& matrix = side == Side::left ? operands.a : operands.b;
        const auto operand = slices::Operand::read(matrix, side);
        REQUIRE(operand);
        const SliceMatrix a = operand->sliced(count, bits);
        const double half = static_cast<double>(1L << (bits - 1));
        const Rational off(a.truncation());
        for (Index line = 0; line < a.panels() * a.width(); ++line)
          for (Index k = 0; k < a.inner(); ++k) {
            bool fits = true;
            for (int t = 0; t < count; ++t) {
              const double d = digit(a, t, line, k);
              fits = fits && d == static_cast<double>(static_cast<long>(d)) && d >= -half && d <= half;
            }
            if (!fits) FAIL_CHECK("a digit of line " << line << " is too large");
            if (line >= a.lines()) {
              if (value(a, line, k) != 0) FAIL_CHECK("padding is not zero");
              continue;
            }
            const Ball& x = side == Side::left ? matrix(line, k) : matrix(k, line);
            const Rational exact =
                test::middle(test::ends(x)) * test::two_to(-a.frames()[static_cast<std::size_t>(line)]);
            if (abs(exact) > Rational(1, 2)) FAIL_CHECK("line " << line << " is beyond its frame");
            if (abs(exact - value(a, line, k)) > off) FAIL_CHECK("line " << line << " is not what it was");
          }
      }
}

TEST_CASE("bounds of operands are upper bounds, and close") {
  Draws draws(613);
  for (const Side side : {Side::left, Side::right})
    for (const test::Operands& operands : test::hostile_operands(9, 5, 18, 100, draws)) {
      CAPTURE(operands.kind);
      const BallMatrix& matrix = side == Side::left ? operands.a : operands.b;
      const auto operand = slices::Operand::read(matrix, side);
      REQUIRE(operand);
      const auto bounds = operand->bounds();
      const Index width = side == Side::left ? slices::left_width : slices::right_width,
                  count = side == Side::left ? 2 : 3;
      for (Index line = 0; line < operand->lines(); ++line)
        for (Index k = 0; k < operand->inner(); ++k) {
          const double* at =
              bounds.data() + (line / width * count * operand->inner() + k) * width + line % width;
          const Index slice = operand->inner() * width;
          const double mid = at[side == Side::left ? 0 : 2 * slice], rad = at[side == Side::left ? slice : 0];
          const test::Interval set = test::ends(side == Side::left ? matrix(line, k) : matrix(k, line));
          const Rational unit = test::two_to(-operand->frames()[static_cast<std::size_t>(line)]),
                         m = abs(test::middle(set)) * unit, r = (set.high - set.low) / 2 * unit;
          const Rational slack(1000001, 1000000), least = test::two_to(-499);
          if (!(m <= Rational(mid) && Rational(mid) <= m * slack + (m == 0 ? Rational(0) : least)))
            FAIL_CHECK("midpoint of line " << line);
          if (!(r <= Rational(rad) && Rational(rad) <= r * slack + (r == 0 ? Rational(0) : least)))
            FAIL_CHECK("radius of line " << line);
        }
    }
}
