#include "theory/models/composites.hpp"

#include <doctest/doctest.h>

#include "numerics/norms.hpp"
#include "tests/theory/models/support.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

constexpr Precision p(128);

}  // namespace

TEST_CASE("composites 2 and 2 add to 5") {
  CHECK(contains(composite_norm(first_column(4).balls(p), p), Rational(2)));
  CHECK(contains(composite_norm(first_row(4).balls(p), p), Rational(2)));
  const Refutation r = against_composite_triangle(4, p);
  CHECK(r.certified);
  CHECK(contains(r.left.to_ball(p), Rational(5)));
  CHECK(contains(r.right.to_ball(p), Rational(4)));
  CHECK_FALSE(against_composite_triangle(1, p).certified);  // 2 against 2
}

TEST_CASE("the largest entry raises a residual of 1 to sqrt(n/2)") {
  const ExactMatrix tokens = unit_and_zero_tokens(8), images = largest_entries(tokens);
  CHECK(contains(residual(tokens.balls(p), Reference::median, p), Rational(1)));
  CHECK(contains(residual(images.balls(p), Reference::midrange, p), Rational(2)));
  CHECK(contains(against_vector_norms(8, p).left.to_ball(p), Rational(2)));
  CHECK(contains(against_vector_norms(8, p).right.to_ball(p), Rational(1)));
  CHECK(against_vector_norms(3, p).certified);
  CHECK_FALSE(against_vector_norms(2, p).certified);  // 1 against 1
}

TEST_CASE("the largest entry is taken by absolute value") {
  const ExactMatrix tokens = ExactMatrix::from(2, 2, std::vector<Rational>{-3, 1, 0, Rational(1, 2)});
  CHECK(largest_entries(tokens) == ExactMatrix::from(2, 1, std::vector<Rational>{3, Rational(1, 2)}));
}
