#include "verify/report/number_text.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

Span span(const std::string& low, const std::string& high) {
  return {Ball(parse_number(low), Precision(200)), Ball(parse_number(high), Precision(200))};
}

Rational absolute(const Rational& value) {
  return value < 0 ? Rational(-value) : value;
}

/// Half a unit of the last digit of a decimal text without exponent.
Rational half_unit(const std::string& text) {
  const std::size_t point = text.find('.');
  const long places = point == std::string::npos ? 0 : static_cast<long>(text.size() - point - 1);
  return power(Rational(10), -places) / 2;
}

}  // namespace

TEST_CASE("certified text: as many digits as both ends support") {
  CHECK(certified_text(span("0.12341", "0.12344"), 3, Notation::plain) == "0.123");
  CHECK(certified_text(span("0.1234", "0.1236"), 4, Notation::plain) == "0.12");
  CHECK(certified_text(span("0.5", "0.75"), 4, Notation::plain) == "0.5 to 0.75");
  CHECK(certified_text(span("0.099", "0.213"), 4, Notation::plain) == "0.098 to 0.22");
  CHECK(certified_text(span("-3", "-3"), 4, Notation::plain) == "-3");
  CHECK(certified_text(span("1234567", "1234567.1"), 3, Notation::plain) == "1.23e6");
  CHECK(certified_text(span("0.000012", "0.000012"), 3, Notation::plain) == "1.2e-5");
  CHECK(certified_text(span("1e-300000", "1e-300000"), 3, Notation::plain) == "1e-300000");
}

TEST_CASE("certified text: typeset") {
  CHECK(certified_text(span("-0.0000123", "-0.0000123"), 3, Notation::html) ==
        "\u22121.23\u00d710<sup>\u22125</sup>");
  CHECK(certified_text(span("0.5", "0.75"), 4, Notation::html) == "0.5\u20130.75");
  CHECK(certified_text(span("-0.00001195", "-0.0000111"), 4, Notation::html) ==
        "(\u22121.2\u2013\u22121.1)\u00d710<sup>\u22125</sup>");
  CHECK(certified_text(span("0.0000985", "0.000105"), 4, Notation::html) ==
        "9.8\u00d710<sup>\u22125</sup>\u20130.00011");
  Span infinite;
  arb_pos_inf(infinite.low.raw());
  arb_pos_inf(infinite.high.raw());
  CHECK(certified_text(infinite, 3, Notation::html) == "\u221e");
  CHECK(certified_text(infinite, 3, Notation::plain) == "inf");
}

TEST_CASE("certified text: every number of the span rounds to what is shown, or the range holds it") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 2000 * test::multiplier(); ++trial) {
    const Rational low(static_cast<long>(random() % 200000) - 100000, 1000);
    const Rational high = low + Rational(static_cast<long>(random() % (trial % 2 ? 3 : 3000)), 10000);
    const std::string text =
        certified_text({Ball(low, Precision(100)), Ball(high, Precision(100))}, 4, Notation::plain);
    CAPTURE(text);
    const std::size_t to = text.find(" to ");
    if (to == std::string::npos) {
      const Rational shown = parse_number(text);
      const Rational slack(1, Integer(1) << 60);  // ends were rounded to 100 bits
      for (const Rational& end : {low, high}) {
        if (text.find('e') != std::string::npos) continue;
        const Rational unit = std::max(half_unit(text), absolute(shown) / 2000);  // %g drops trailing zeros
        CHECK(absolute(end - shown) <= unit + slack);
      }
    } else {
      CHECK(parse_number(text.substr(0, to)) <= low);
      CHECK(parse_number(text.substr(to + 4)) >= high);
    }
  }
}

TEST_CASE("percentage: never says none or all when it is some") {
  CHECK(percentage(0, 7) == "0 %");
  CHECK(percentage(7, 7) == "100 %");
  CHECK(percentage(1, 1000) == "<1 %");
  CHECK(percentage(999, 1000) == ">99 %");
  CHECK(percentage(1, 8) == "13 %");
  CHECK(percentage(0, 0) == "\u2013");
}
