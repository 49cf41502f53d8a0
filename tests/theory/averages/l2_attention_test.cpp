#include "theory/averages/l2_attention.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

constexpr Precision p(192);

L2Attention plain() {
  const ExactMatrix one = ExactMatrix::identity(1);
  return {{one, one, one}};
}

BallMatrix line(std::initializer_list<double> places) {
  BallMatrix X(static_cast<Index>(places.size()), 1);
  Index i = 0;
  for (const double place : places) X(i++, 0) = Ball(place);
  return X;
}

}  // namespace

TEST_CASE("two tokens on a line attend by their distance") {
  // tokens 0 and 1: the weight of the other is e^-1/(1 + e^-1)
  const BallMatrix X = line({0, 1});
  const BallMatrix F = l2_attention(plain(), X, p);
  const Ball other = div(exp(Ball(-1), p), add(Ball(1), exp(Ball(-1), p), p), p);
  CHECK(overlap(F(0, 0), other));
  CHECK(overlap(F(1, 0), sub(Ball(1), other, p)));
  CHECK(overlap(mean_distance(plain()[0], X, 0, p), other));
  CHECK(relative_accuracy_bits(F(0, 0)) > 150);
}

TEST_CASE("the largest mean distance solves c e^(c+1) = n - 1") {
  for (const Index tokens : {2, 3, 10, 1000}) {
    const Ball c = distance_limit(tokens, p);
    CHECK(overlap(mul(c, exp(add(c, Ball(1), p), p), p), Ball(static_cast<long>(tokens) - 1)));
    CHECK(relative_accuracy_bits(c) > 150);
  }
  CHECK_THROWS_AS(distance_limit(1, p), DomainError);
  // attained by all others at squared distance 1 + c, and by no other distance of two tokens
  const Ball c = distance_limit(2, p);
  for (int step = 1; step <= 60; ++step) {
    const BallMatrix X = line({0, 0.05 * step});
    CHECK(certainly_less(mean_distance(plain()[0], X, 0, p), c));
  }
}

TEST_CASE("quotients by hand, and equal inputs have none") {
  const LipschitzPair found = quotients(plain(), line({0, 1}), line({0, 3}), p);
  const BallMatrix near = l2_attention(plain(), line({0, 1}), p),
                   far = l2_attention(plain(), line({0, 3}), p);
  const Ball first = abs(sub(far(0, 0), near(0, 0), p)), second = abs(sub(far(1, 0), near(1, 0), p));
  CHECK(overlap(found.largest_entry, div(max(first, second, p), Ball(2), p)));
  const Ball squares = add(mul(first, first, p), mul(second, second, p), p);
  CHECK(overlap(found.frobenius, div(sqrt(squares, p), Ball(2), p)));
  CHECK_THROWS_AS(quotients(plain(), line({0, 1}), line({0, 1}), p), DomainError);
}

TEST_CASE("heads stack their constants") {
  const ExactMatrix column = ExactMatrix::from(2, 1, std::vector<double>{3, 4}),
                    one = ExactMatrix::identity(1);
  const L2Constants constants = l2_constants({{column, column, one}, {column, column, one}}, 5, p);
  CHECK(contains(constants.Q_2[0], Rational(5)));
  CHECK(contains(constants.V_2[1], Rational(5)));
  CHECK(contains(constants.Q_1inf, Rational(28)));  // 7 times 4
  CHECK(contains(constants.V_1, Rational(7)));
  CHECK(contains(constants.O_1, Rational(2)));
  CHECK(contains(mul(constants.O_2, constants.O_2, p), Rational(2)));
}
