#include <doctest/doctest.h>

#include <cmath>

#include "numerics/norms.hpp"
#include "numerics/random.hpp"
#include "numerics/san/doubles/four_block.hpp"
#include "numerics/san/doubles/mid.hpp"
#include "numerics/san/doubles/scalar.hpp"
#include "numerics/san/doubles/spectral.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using namespace rankfall::doubles;

namespace {

constexpr Precision fine(400);

Matrix<double> random(Index rows, Index cols, std::uint64_t seed) {
  const Stream stream(seed, 0, 0, 0);
  Matrix<double> a(rows, cols);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
  return a;
}

/// Pairs whose low parts are nearly as large as they may be.
Mid random_pairs(Index rows, Index cols, std::uint64_t seed) {
  Mid a{random(rows, cols, seed), random(rows, cols, seed + 1000)};
  for (Index i = 0; i < a.high.size(); ++i)
    a.low.data()[i] = a.high.data()[i] * u * std::tanh(a.low.data()[i]);
  return a;
}

Ball exact(const Mid& a, Index i, Index j) {
  return a.wide() ? add(Ball(a.high(i, j)), Ball(a.low(i, j)), fine) : Ball(a.high(i, j));
}

template <class T>
Ball exact(const T& a) {
  if constexpr (std::is_same_v<T, double>)
    return Ball(a);
  else
    return add(Ball(a.high), Ball(a.low), fine);
}

/// Errors of the exponentials in units of their kind.
template <class T>
void exponentials_keep_their_bounds(double unit) {
  const Stream stream(5, 0, 0, 0);
  double worst = 0, worst_less_one = 0;
  for (int k = 0; k < 4000; ++k) {
    const double size = std::ldexp(stream.uniform(2 * static_cast<std::uint64_t>(k)), k % 60 - 50);
    const double s = std::max(-600.0, std::min(600.0, (k % 2 ? -1 : 1) * size));
    T x = number<T>(s);
    if constexpr (!std::is_same_v<T, double>)
      x.low = s * u * 0.9 * stream.uniform(2 * static_cast<std::uint64_t>(k) + 1);
    const Ball point = exact(x), e = exp(point, fine), less_one = expm1(point, fine);
    const auto off = [&](const T& found, const Ball& truth) {
      return to_double(abs(div(sub(exact(found), truth, fine), truth, fine))) / unit;
    };
    worst = std::max(worst, off(exponential(x), e));
    if (s != 0) worst_less_one = std::max(worst_less_one, off(exponential_minus_one(x), less_one));
  }
  CHECK(worst <= 8);
  CHECK(worst_less_one <= 32);
  MESSAGE("errors of e^s and e^s - 1 in units: " << worst << ", " << worst_less_one);
}

}  // namespace

TEST_CASE("products of doubles and of pairs keep their bounds, and pairs need theirs") {
  for (const bool wide : {false, true})
    for (const auto& [n, k, m] :
         {std::tuple<Index, Index, Index>{16, 16, 16}, {3, 7, 5}, {1, 33, 17}, {5, 1, 40}}) {
      CAPTURE(wide);
      CAPTURE_BOUND(k);
      const Mid a = wide ? random_pairs(n, k, 1) : Mid{random(n, k, 1)},
                b = wide ? random_pairs(k, m, 2) : Mid{random(k, m, 2)}, c = product(a, b);
      double worst = 0;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < m; ++j) {
          Ball sum, sizes;
          for (Index l = 0; l < k; ++l) {
            const Ball term = mul(exact(a, i, l), exact(b, l, j), fine);
            sum = add(sum, term, fine);
            sizes = add(sizes, abs(term), fine);
          }
          worst = std::max(worst, to_double(div(abs(sub(exact(c, i, j), sum, fine)), sizes, fine)));
        }
      CHECK(worst <= product_error(k, wide));
      if (wide && k > 1) CHECK(worst > u * u / 64);
    }
}

TEST_CASE("exponentials of doubles and of pairs keep their bounds") {
  exponentials_keep_their_bounds<double>(unit(false));
  exponentials_keep_their_bounds<DoubleDouble>(unit(true));
}

TEST_CASE("the bound of a spectral norm is above it, and near") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index rows = 1 + static_cast<Index>(seed % 7) * 5, cols = 1 + static_cast<Index>(seed % 5) * 6;
    Matrix<double> a = random(rows, cols, seed) * std::ldexp(1.0, static_cast<int>(seed) * 20 - 200);
    if (seed % 3 == 0) a.row(0).setZero();
    BallMatrix balls(rows, cols);
    for (Index i = 0; i < a.size(); ++i) balls.data()[i] = Ball(a.data()[i]);
    const Ball truth = spectral_norm(balls, Precision(80)), bound(spectral_bound(a));
    CAPTURE(seed);
    CHECK(!certainly_less(bound, truth));
    const double least = static_cast<double>(std::min(rows, cols));
    CHECK(certainly_less_equal(bound, mul(truth, Ball(std::pow(least, 1.0 / 32) * 1.001), Precision(80))));
  }
  CHECK(spectral_bound(Matrix<double>::Zero(4, 4)) == 0);
}

TEST_CASE("the bound of a large matrix's spectral norm is a few hundredths above it") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Index rows = 64 + static_cast<Index>(seed % 3) * 17, cols = 64 + static_cast<Index>(seed % 4) * 11;
    // Random ones, whose largest singular values lie close, some of rank one with little around it, and
    // diagonals.
    Matrix<double> a = random(rows, cols, seed);
    if (seed % 4 == 2) a = a * 1e-9 + random(rows, 1, seed + 50) * random(1, cols, seed + 60);
    if (seed % 4 == 3) a = Matrix<double>::Identity(rows, cols);
    BallMatrix balls(rows, cols);
    for (Index i = 0; i < a.size(); ++i) balls.data()[i] = Ball(a.data()[i]);
    const Ball truth = spectral_norm(balls, Precision(80)), bound(spectral_bound(a));
    CAPTURE(seed);
    CHECK(!certainly_less(bound, truth));
    CHECK(certainly_less_equal(bound, mul(truth, Ball(1.15), Precision(80))));
  }
}

TEST_CASE("matrices side by side are bounded as the matrix that they make") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Index rows = seed % 2 == 0 ? 70 : 5, inner = 3, cols = 9, count = 1 + static_cast<Index>(seed % 4);
    const double scale = std::ldexp(1.0, static_cast<int>(seed) * 20 - 130);
    SideBySide together(rows);
    BallMatrix balls(rows, cols * count);
    for (Index h = 0; h < count; ++h) {
      const auto of_head = seed * 100 + static_cast<std::uint64_t>(h);
      const Matrix<double> left = random(rows, inner, of_head) * scale,
                           right = random(inner, cols, of_head + 50), X = left * right;
      if (h % 2 == 0)
        together.add(left, gram_of_rows(right));
      else
        together.add(X);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) balls(i, h * cols + j) = Ball(X(i, j));
    }
    const Ball truth = spectral_norm(balls, Precision(80)), bound(together.bound());
    CAPTURE(seed);
    CHECK(certainly_less(mul(truth, Ball(1 - 0x1p-30), Precision(80)), bound));
    CHECK(certainly_less_equal(bound, mul(truth, Ball(1.15), Precision(80))));
  }
  CHECK(SideBySide(3).bound() == 0);
}

TEST_CASE("a product of two factors is bounded without forming it") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Index rows = seed % 2 == 0 ? 70 : 6, inner = 5, cols = seed % 3 == 0 ? 3 : 40;
    const double scale = std::ldexp(1.0, static_cast<int>(seed) * 30 - 190);
    const Matrix<double> left = random(rows, inner, seed) * scale,
                         right = random(inner, cols, seed + 50) / scale, X = left * right;
    BallMatrix balls(rows, cols);
    for (Index i = 0; i < X.size(); ++i) balls.data()[i] = Ball(X.data()[i]);
    const Ball truth = spectral_norm(balls, Precision(80)), bound(spectral_bound(left, gram_of_rows(right)));
    CAPTURE(seed);
    CHECK(certainly_less(mul(truth, Ball(1 - 0x1p-30), Precision(80)), bound));
    CHECK(certainly_less_equal(bound, mul(truth, Ball(1.15), Precision(80))));
  }
  CHECK(spectral_bound(Matrix<double>::Zero(3, 2), gram_of_rows(Matrix<double>::Zero(2, 4))) == 0);
}

TEST_CASE("blocks of a product bound the product's blocks") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Matrix<double> X = random(6, 5, seed), Y = random(5, 7, seed + 100), Z = multiply(X, Y);
    const Frame f = leading_frame(X), g = leading_frame(Y), h = leading_frame(Z);
    const Blocks whole = table(Z, h.u, h.v, HUGE_VAL, frobenius(Z)),
                 bound =
                     table(X, h.u, g.u, HUGE_VAL, frobenius(X)) * table(Y, g.u, h.v, HUGE_VAL, frobenius(Y));
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) CHECK(whole.at[a][b] <= bound.at[a][b] * (1 + 1e-12));
    CHECK(whole.total() >= Z.norm() * (1 - 1e-12));
    Blocks least = bound;
    least.at_most(Z.norm());
    CHECK(least.total() <= Z.norm());
    CHECK((least + whole).total() <= (Z.norm() + whole.total()) * (1 + 1e-12));
    least.add(1);
    CHECK(least.total() <= (Z.norm() + 1) * (1 + 1e-12));
    CHECK(least.total() >= Z.norm() + 1);
    const Blocks turned = table(f.u, h.u);
    CHECK(turned.total() >= 1 - 1e-12);
  }
}
