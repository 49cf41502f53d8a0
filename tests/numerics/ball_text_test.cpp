#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "numerics/ball.hpp"
#include "numerics/errors.hpp"
#include "tests/numerics/oracle.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using test::Draws;

namespace {

const std::regex grammar(R"(-?inf|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?)");

/// digits * 10^exponent.
struct Decimal {
  Integer digits;
  long exponent;
  std::size_t count;  // significant digits written
};

Decimal read(const std::string& text) {
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  long exponent = e == std::string::npos ? 0 : std::stol(text.substr(e + 1));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const std::size_t start = digits.find_first_not_of("-0"), last = digits.find_last_not_of('0');
  Integer value;
  mpz_set_str(value.backend().data(), digits.c_str(), 10);
  return {value, exponent, start == std::string::npos ? 1 : last - start + 1};
}

Rational value(const std::string& text) {
  const Decimal decimal = read(text);
  return Rational(Rational(decimal.digits) * power(Rational(10), decimal.exponent));
}

void check_texts(const Ball& a, int digits) {
  const std::string low = lower_text(a, digits), high = upper_text(a, digits);
  CAPTURE(low);
  CAPTURE(high);
  CAPTURE(digits);
  CHECK(std::regex_match(low, grammar));
  CHECK(std::regex_match(high, grammar));
  const test::Interval set = test::ends(a);
  CHECK(value(low) <= set.low);
  CHECK(value(high) >= set.high);
  // No further out than one unit of the last digit, and a hair for the rounding of the end to bits.
  const Rational relative = power(Rational(10), 1 - digits) * Rational(1001, 1000);
  CHECK(set.low - value(low) <= abs(set.low) * relative);
  CHECK(value(high) - set.high <= abs(set.high) * relative);
  CHECK(read(low).count <= static_cast<std::size_t>(digits));
  CHECK(read(high).count <= static_cast<std::size_t>(digits));
}

}  // namespace

TEST_CASE("texts enclose, are as tight as their digits, and follow the grammar") {
  Draws draws(41);
  for (int round = 0; round < 300 * test::multiplier(); ++round) {
    const Ball a = draws.ball(draws.integer(-2, 60), draws.coin() ? 3 : 400);
    for (const int digits : {1, 2, 6, 12, 17, 40}) check_texts(a, digits);
  }
  for (const long exponent : {-1100L, -20L, -17L, -5L, -4L, -1L, 0L, 1L, 17L, 18L, 19L, 20L, 1100L})
    for (const long lead : {1L, -1L, 5L, 99L, -999999L})
      check_texts(Ball(Rational(lead) * power(Rational(10), exponent), Precision(4000)), 6);
}

TEST_CASE("exact values read as a person would write them") {
  const auto both = [](const Ball& a, const char* text) {
    CHECK(lower_text(a, 12) == text);
    CHECK(upper_text(a, 12) == text);
  };
  both(Ball(), "0");
  both(Ball(1L), "1");
  both(Ball(-1L), "-1");
  both(Ball(0.5), "0.5");
  both(Ball(-1200L), "-1200");
  both(Ball(1234.5), "1234.5");
  both(Ball(0.0009765625), "0.0009765625");
  both(Ball(1'000'000'000'000'000'000L), "1e18");
  both(scale(Ball(1L), -14L), "0.00006103515625");
  both(scale(Ball(1L), -17L), "7.62939453125e-6");
  const Ball third(Rational(1, 3), Precision(100));
  CHECK(lower_text(third, 4) == "0.3333");
  CHECK(upper_text(third, 4) == "0.3334");
  CHECK(lower_text(neg(third), 4) == "-0.3334");
  CHECK(upper_text(neg(third), 4) == "-0.3333");
  CHECK(upper_text(Ball(Rational(99999, 100000), Precision(100)), 3) == "1");
}

TEST_CASE("exponents far beyond the doubles") {
  for (const long exponent : {1'000'000L, -1'000'000L, 20'000'000L, -20'000'000L}) {
    for (const long lead : {3L, -3L}) {
      const Ball a = scale(Ball(lead), exponent);
      for (const bool low : {true, false}) {
        const std::string text = low ? lower_text(a, 15) : upper_text(a, 15);
        CAPTURE(text);
        REQUIRE(std::regex_match(text, grammar));
        const Decimal decimal = read(text);
        // |text| against 3 * 2^exponent in integers, both sides times the negative powers.
        Integer left = abs(decimal.digits), right = 3;
        const Integer ten = power(Integer(10), static_cast<unsigned long>(std::labs(decimal.exponent)));
        const Integer two = power(Integer(2), static_cast<unsigned long>(std::labs(exponent)));
        (decimal.exponent < 0 ? right : left) *= ten;
        (exponent < 0 ? left : right) *= two;
        CHECK((lead < 0) == (decimal.digits < 0));
        const bool inward = low == (lead > 0);  // |text| must be at most the value
        CHECK((inward ? left <= right : left >= right));
        CHECK(abs(Integer(left - right)) * Integer(100'000'000'000'000) <= right);
      }
    }
  }
}

TEST_CASE("exponents beyond MPFR still enclose") {
  const Integer huge = power(Integer(3), 400);
  const Ball large = scale(Ball(1L), huge), small = scale(Ball(1L), -huge);
  CHECK(upper_text(large, 10) == "inf");
  CHECK(lower_text(neg(large), 10) == "-inf");
  CHECK(value(lower_text(small, 10)) == 0);
  CHECK(value(upper_text(neg(small), 10)) == 0);
  for (const std::string& text : {lower_text(large, 10), upper_text(neg(large), 10)}) {
    CHECK(std::regex_match(text, grammar));
    CHECK(read(text).exponent > 100'000'000);
  }
  for (const std::string& text : {upper_text(small, 10), lower_text(neg(small), 10)}) {
    CHECK(std::regex_match(text, grammar));
    CHECK(read(text).exponent < -100'000'000);
    CHECK(read(text).digits != 0);
  }
}

TEST_CASE("balls without finite ends") {
  Ball unknown, everything, positive, negative;
  arb_indeterminate(unknown.raw());
  arb_zero_pm_inf(everything.raw());
  arb_pos_inf(positive.raw());
  arb_neg_inf(negative.raw());
  for (const Ball& a : {unknown, everything}) {
    CHECK(lower_text(a, 5) == "-inf");
    CHECK(upper_text(a, 5) == "inf");
  }
  CHECK(lower_text(positive, 5) == "inf");
  CHECK(upper_text(positive, 5) == "inf");
  CHECK(lower_text(negative, 5) == "-inf");
  CHECK(upper_text(negative, 5) == "-inf");
}

TEST_CASE("no digits are no text") {
  CHECK_THROWS_WITH_AS(lower_text(Ball(1L), 0), "text of a ball with 0 digits; at least 1 is needed",
                       DomainError);
  CHECK_THROWS_AS(upper_text(Ball(1L), -3), DomainError);
}
