#include "verify/compare.hpp"

#include <doctest/doctest.h>

using namespace rankfall;
using namespace rankfall::verify;

namespace {

const Precision p(128);
Magnitude number(const Rational& value) {
  return Magnitude(value, p);
}
Bracket at(const Rational& value) {
  return {number(value), number(value)};
}
Bracket between(const Rational& low, const Rational& high) {
  return {number(low), number(high)};
}

}  // namespace

TEST_CASE("a side is proved by its worst end and refuted by its best") {
  CHECK(compare(at(1), at(2), p).verdict == Verdict::proved);
  CHECK(compare(at(3), at(2), p).verdict == Verdict::refuted);
  CHECK(compare(between(1, 2), between(3, 4), p).verdict == Verdict::proved);
  CHECK(compare(between(5, 6), between(3, 4), p).verdict == Verdict::refuted);
  CHECK(compare({}, {}, p).verdict == Verdict::proved);
  CHECK(compare({}, at(1), p).verdict == Verdict::proved);
  CHECK(compare(at(1), {}, p).verdict == Verdict::refuted);
}

TEST_CASE("what cannot be decided says why") {
  CHECK(compare(between(1, 3), at(2), p).reason == "minimal-residual-gap");
  CHECK(compare(at(2), between(1, 3), p).reason == "minimal-residual-gap");
  const Precision fine(512);
  const Magnitude third(Rational(1, 3), fine);
  CHECK(compare({third, third}, {third, third}, fine).reason == "equality");
  const Magnitude coarse(Rational(1, 3), Precision(64));
  CHECK(compare({coarse, coarse}, {coarse, coarse}, Precision(64)).reason == "precision");
}

TEST_CASE("slack counts decades and has no end where the left side is zero") {
  const Span slack = slack_decades(at(1), between(10, 100), p);
  CHECK(to_double(slack.low) == doctest::Approx(1));
  CHECK(to_double(slack.high) == doctest::Approx(2));
  CHECK_FALSE(is_finite(slack_decades({}, at(1), p).low));
}

TEST_CASE("looseness takes the root that turns a ratio of bounds into a ratio of constants") {
  const auto one = looseness(at(1), at(8), 1, p);
  CHECK(to_double(one->low) == doctest::Approx(0.125));
  const auto two = looseness(at(1), at(81), 2, p);  // exponent 2/(9-1)
  CHECK(to_double(two->high) == doctest::Approx(1.0 / 3));
  CHECK_FALSE(looseness({}, at(1), 1, p).has_value());
  CHECK_FALSE(looseness(at(1), {}, 1, p).has_value());
}
