#include "numerics/minimal_residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "numerics/norms.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;
using Exact = Matrix<Rational>;

namespace {

Rational size(const Rational& x) {
  return Rational(abs(x));
}

/// The function of one column by its definition, and every point where it may bend.
class ColumnProduct {
 public:
  ColumnProduct(const Exact& R, Index k) : R_(R), k_(k) {
    for (Index i = 0; i < R.rows(); ++i)
      for (Index j = i; j < R.rows(); ++j) {
        Rational w = 0;
        for (Index l = 0; l < R.cols(); ++l)
          if (l != k) w += size(Rational(R(i, l) - R(j, l)));
        pairs_.push_back({R(i, k), R(j, k), w});
      }
  }

  Rational operator()(const Rational& y) const {
    Rational sum = 0, top = 0;
    for (Index i = 0; i < R_.rows(); ++i) sum += size(Rational(R_(i, k_) - y));
    for (const Pair& pair : pairs_) top = std::max(top, pair.at(y));
    return Rational(sum * top);
  }

  std::vector<Rational> bends() const {
    std::vector<Rational> points;
    for (Index i = 0; i < R_.rows(); ++i) points.push_back(R_(i, k_));
    for (const Pair& p : pairs_)
      for (const Pair& q : pairs_) {
        const Rational rise_p = (p.c + p.d - p.w) / 2, fall_p = (p.c + p.d + p.w) / 2;  // y - rise, fall - y
        const Rational fall_q = (q.c + q.d + q.w) / 2, flat_q = (size(Rational(q.c - q.d)) + q.w) / 2;
        points.push_back(Rational((rise_p + fall_q) / 2));
        points.push_back(Rational(rise_p + flat_q));
        points.push_back(Rational(fall_p - flat_q));
      }
    return points;
  }

  Rational least() const {
    Rational result = (*this)(R_(0, k_));
    for (const Rational& y : bends()) result = std::min(result, (*this)(y));
    return result;
  }

 private:
  struct Pair {
    Rational c, d, w;
    Rational at(const Rational& y) const {
      return Rational((size(Rational(c - y)) + size(Rational(d - y)) + w) / 2);
    }
  };
  Exact R_;
  Index k_;
  std::vector<Pair> pairs_;
};

Rational exact_better_lower_squared(const Exact& R) {
  Rational best = 0;
  for (Index k = 0; k < R.cols(); ++k) best = std::max(best, ColumnProduct(R, k).least());
  return best;
}

Rational composite_squared(const Exact& R, const std::vector<Rational>& y) {
  Rational one = 0, inf = 0;
  for (Index j = 0; j < R.cols(); ++j) {
    Rational sum = 0;
    for (Index i = 0; i < R.rows(); ++i) sum += size(Rational(R(i, j) - y[static_cast<std::size_t>(j)]));
    one = std::max(one, sum);
  }
  for (Index i = 0; i < R.rows(); ++i) {
    Rational sum = 0;
    for (Index j = 0; j < R.cols(); ++j) sum += size(Rational(R(i, j) - y[static_cast<std::size_t>(j)]));
    inf = std::max(inf, sum);
  }
  return Rational(one * inf);
}

Exact random_tokens(Draws& draws) {
  Exact R = test::random_matrix(draws.integer(1, 5), draws.integer(1, 3), draws, 4);
  if (draws.coin()) R.row(R.rows() - 1) = R.row(0);
  if (draws.coin())
    for (Index i = 0; i < R.rows(); ++i) R(i, 0) = Rational(draws.integer(-1, 1));
  return R;
}

}  // namespace

TEST_CASE("the column (0, 0, 1): mean sqrt(8/9), median 1, least sqrt(3/4)") {
  Exact column = Exact::Constant(3, 1, Rational(0));
  column(2, 0) = 1;
  const BallMatrix a = test::balls(column, Precision(128));
  const Ball least = minimal_residual_better_lower(a, Precision(128));
  CHECK(test::holds(least, test::sqrt_of(Rational(3, 4))));
  CHECK(relative_accuracy_bits(least) >= 120);
  CHECK(test::holds(residual(a, Reference::mean, Precision(128)), test::sqrt_of(Rational(8, 9))));
  CHECK(test::holds(residual(a, Reference::median, Precision(128)), test::sqrt_of(Rational(1))));
  CHECK(test::holds(residual(a, Reference::midrange, Precision(128)), test::sqrt_of(Rational(3, 4))));
}

TEST_CASE("the bound is the one of the definition, by brute force in rationals") {
  Draws draws(111);
  for (int round = 0; round < 60 * test::multiplier(); ++round) {
    const Exact R = random_tokens(draws);
    const test::Interval expected = test::sqrt_of(exact_better_lower_squared(R));
    for (const long bits : {24L, 53L, 128L}) {
      BallMatrix a = test::balls(R, Precision(bits));
      CHECK(test::holds(minimal_residual_better_lower(a, Precision(bits)), expected));
      // Enclosures so wide that breakpoints overlap and their order is lost.
      for (Index i = 0; i < a.size(); ++i)
        arb_add_error_2exp_si(a.data()[i].raw(), draws.coin() ? -40 : draws.integer(-8, 0));
      CHECK(test::holds(minimal_residual_better_lower(a, Precision(bits)), expected));
    }
  }
}

TEST_CASE("between breakpoints the function does not go lower") {
  Draws draws(113);
  for (int round = 0; round < 20 * test::multiplier(); ++round) {
    const Exact R = random_tokens(draws);
    for (Index k = 0; k < R.cols(); ++k) {
      const ColumnProduct f(R, k);
      const Rational least = f.least();
      for (int i = 0; i < 40; ++i) CHECK(f(draws.fraction(5)) >= least);
    }
  }
}

TEST_CASE("no reference has a smaller composite norm, and one column attains the bound") {
  Draws draws(115);
  for (int round = 0; round < 40 * test::multiplier(); ++round) {
    const Exact R = random_tokens(draws);
    const Ball bound = minimal_residual_better_lower(test::balls(R, Precision(200)), Precision(200));
    const Rational low = is_zero(bound) ? Rational(0) : test::ends(bound).low;
    Rational best = -1;
    const auto try_reference = [&](const std::vector<Rational>& y) {
      const Rational value = composite_squared(R, y);
      if (best < 0 || value < best) best = value;
      CHECK((low <= 0 || low * low <= value));
    };
    for (int i = 0; i < 20; ++i) {
      std::vector<Rational> y;
      for (Index j = 0; j < R.cols(); ++j) y.push_back(draws.fraction(4));
      try_reference(y);
    }
    if (R.cols() > 1) continue;
    for (const Rational& y : ColumnProduct(R, 0).bends()) try_reference({y});
    CHECK(test::holds(bound, test::sqrt_of(best)));
  }
}

TEST_CASE("it is at least the simple bound, and loses nothing but roundings") {
  Draws draws(117);
  const Precision p(128);
  for (int round = 0; round < 20 * test::multiplier(); ++round) {
    const BallMatrix a = test::balls(test::random_matrix(9, 6, draws), p);
    const Ball columns = norm_1(about(a, reference_row(a, Reference::median, p), p), p);
    const Ball simple = sqrt(mul(columns, scale(diameters(a, p).one, -1), p), p);
    const Ball better = minimal_residual_better_lower(a, p);
    CHECK_FALSE(certainly_less(better, simple));
    CHECK_FALSE(certainly_less(residual(a, Reference::mean, p), better));
    CHECK(relative_accuracy_bits(better) >= 112);
  }
}

TEST_CASE("equal tokens and one token have no residual") {
  for (const Index n : {1, 4}) {
    BallMatrix a(n, 3);
    for (Index i = 0; i < a.size(); ++i) a.data()[i] = Ball(7L);
    CHECK(is_zero(minimal_residual_better_lower(a, Precision(53))));
  }
}
