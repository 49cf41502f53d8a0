#include "numerics/exact.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "tests/support.hpp"

using namespace rankfall;

namespace {

std::string message_of(std::string_view text) {
  try {
    parse_number(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool mentions(const std::string& message, std::string_view part) {
  return message.find(part) != std::string::npos;
}

Rational ratio(long top, long bottom) {
  return Rational(Integer(top), Integer(bottom));
}

}  // namespace

TEST_CASE("decimals are exact") {
  CHECK(parse_number("0.1") == ratio(1, 10));
  CHECK(parse_number("-0.1") == ratio(-1, 10));
  CHECK(parse_number("+2.50") == ratio(5, 2));
  CHECK(parse_number("0.123456") == ratio(123456, 1000000));
  CHECK(parse_number("12.5e-1") == ratio(5, 4));
  CHECK(parse_number("12.5E+3") == 12500);
  CHECK(parse_number(".5") == ratio(1, 2));
  CHECK(parse_number("5.") == 5);
  CHECK(parse_number("0e-999999") == 0);
  CHECK(parse_number("-0.0") == 0);
  CHECK(parse_number("1e400") == Rational(power(Integer(10), 400)));
  CHECK(parse_number("1e-400") == 1 / Rational(power(Integer(10), 400)));
  CHECK(parse_number("9999999999999999999") == Rational(power(Integer(10), 19) - 1));
  CHECK(parse_number("0.9999999999999999999") == 1 - 1 / Rational(power(Integer(10), 19)));
  CHECK(parse_number("12345678901234567890.5") == Rational(Integer("24691357802469135781")) / 2);
}

TEST_CASE("leading zeros are decimal") {
  CHECK(parse_number("012") == 12);
  CHECK(parse_number("-0099") == -99);
  CHECK(parse_number("010/020") == ratio(1, 2));
  CHECK(parse_number("00000000000000000000000000000000000000012.50") == ratio(25, 2));
  CHECK(parse_number("1e-0000000000000000000000002") == ratio(1, 100));
}

TEST_CASE("fractions are in lowest terms") {
  CHECK(parse_number("1/3") == ratio(1, 3));
  CHECK(parse_number("-6/4") == ratio(-3, 2));
  CHECK(parse_number("0/7") == 0);
  CHECK(denominator(parse_number("0/7")) == 1);
  CHECK(denominator(parse_number("6/4")) == 2);
}

TEST_CASE("hexadecimal floats are exact") {
  CHECK(parse_number("0x1.8p-3") == ratio(3, 16));
  CHECK(parse_number("0x1F") == 31);
  CHECK(parse_number("-0X.8P1") == -1);
  CHECK(parse_number("0x0.0p-7") == 0);
  CHECK(parse_number("0x1p-1074") == 1 / Rational(power(Integer(2), 1074)));
  CHECK(parse_number("0x1p1000000") == Rational(power(Integer(2), 1000000)));
  CHECK(parse_number("0x1e5") == 0x1e5);  // e is a digit here
}

TEST_CASE("short texts of doubles are read without a rational, and to the same value") {
  for (const char* text : {"0",
                           "-0",
                           "-0.0",
                           "1",
                           "-17",
                           "012",
                           "5.",
                           ".5",
                           "-2.5",
                           "0.125",
                           "1024.03125",
                           "9007199254740991",
                           "0x0",
                           "0x1F",
                           "0x1f",
                           "0x1.8p-3",
                           "-0x1.8p3",
                           "0x.8",
                           "-0x86b5d326dba1dp-51",
                           "0x1fffffffffffffp0",
                           "0x1p900",
                           "0x1p-900",
                           "0x.0000000000000001p-900"}) {
    CAPTURE(text);
    const std::optional<double> value = parse_double(text);
    if (std::string(text).find('F') !=
        std::string::npos) {  // as other programs write it; left to parse_number
      CHECK_FALSE(value);
      continue;
    }
    REQUIRE(value);
    CHECK(Rational(*value) == parse_number(text));
    CHECK_FALSE((*value == 0 && std::signbit(*value)));
  }
  std::mt19937_64 bits(12);
  for (int round = 0; round < 2000 * test::multiplier(); ++round) {
    const double x =
        std::ldexp(static_cast<double>(bits() >> (11 + bits() % 53)), static_cast<int>(bits() % 1600) - 800);
    const std::string text = hexadecimal_text(Rational(x)).value();
    if (const std::optional<double> value = parse_double(text)) CHECK(*value == x);
  }
  for (const char* text : {"",
                           "-",
                           "--1",
                           "+1",
                           "0x",
                           "0xp1",
                           "-0x",
                           "0x1p",
                           "0x1p+1",
                           "0x1p901",
                           "0x1p-901",
                           "0x1p1.5",
                           "1e3",
                           "0.1",
                           "1/2",
                           "9007199254740992",
                           "0x20000000000000",
                           "0x12345678123456781",
                           "1 ",
                           " 1",
                           "1x",
                           "nan",
                           "inf",
                           "0x1.8.p1",
                           "1.2.3",
                           "0.0000000000000000001"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_double(text));
  }
}

TEST_CASE("whatever is not a number is refused with what is allowed") {
  for (const char* text :
       {"",      " ",     "-",     "+",     ".",     "e5",        "1e",       "1e+", "1 ", " 1",
        "1,5",   "1_000", "abc",   "0x",    "0x.",   "0x1p",      "--1",      "1/",  "/2", "1.5/2",
        "1e3/2", "1/2/3", "0x1/2", "1.2.3", "1e2.5", "0x1.8e-3x", "\xC2\xBD", "1\n"}) {
    CAPTURE(text);
    CHECK(mentions(message_of(text), "0x1.8p-3"));
  }
  CHECK(message_of(std::string_view("1\0", 2)) != "accepted");
  for (const char* text : {"NaN", "nan", "-inf", "Infinity", "+INF"}) {
    CAPTURE(text);
    CHECK(mentions(message_of(text), "only finite numbers"));
  }
  CHECK(mentions(message_of("1/0"), "denominator is zero"));
  CHECK(mentions(message_of("0/000"), "denominator is zero"));
  CHECK(mentions(message_of("1/0"), "\"1/0\""));
  CHECK(mentions(message_of("1/-3"), "the sign of a fraction stands in front, as in -1/3"));
}

TEST_CASE("digits and exponents are bounded") {
  const std::string most(max_number_digits, '7');
  CHECK(bit_size(parse_number(most)) > 300'000);
  CHECK(parse_number(most + "e5") == 100'000 * parse_number(most));
  CHECK(mentions(message_of(most + "7"), "a number of 100001 digits; at most 100000"));
  CHECK(mentions(message_of(fmt::format("0.{}", most)), "at most 100000"));
  CHECK(mentions(message_of(fmt::format("1/{}", most)), "at most 100000"));
  CHECK(mentions(message_of(fmt::format("0x{}f", most)), "at most 100000"));
  CHECK(mentions(message_of(std::string(2'000'000, '1')), "a number of 2000000 digits"));
  CHECK(message_of(std::string(2'000'000, '1')).size() < 300);

  CHECK(bit_size(parse_number("1e1000000")) > 3'000'000);
  CHECK(bit_size(parse_number("1e-1000000")) > 3'000'000);
  for (const char* text :
       {"1e1000001", "1e-1000001", "0x1p1000001", "1e99999999999999999999999", "1e-9223372036854775808"}) {
    CAPTURE(text);
    CHECK(mentions(message_of(text), "beyond 1000000"));
  }
}

TEST_CASE("text is what a person would write") {
  for (const char* text : {"0", "1", "-17", "1000", "0.1", "-0.25", "1234.5", "1/3", "-2/7", "0.000123",
                           "1e400", "-2.5e-9", "123456789012345678901234567890", "1.5e30"}) {
    CHECK(to_text(parse_number(text)) == text);
  }
  CHECK(to_text(parse_number("0x1p-1074")).substr(0, 2) == "1/");
  CHECK(to_text(parse_number("0x1p-1000000")) == "0x1p-1000000");
  CHECK(to_text(parse_number("0x1p1000000")) == "0x1p1000000");
  CHECK(*hexadecimal_text(ratio(3, 16)) == "0x3p-4");
  CHECK(*hexadecimal_text(-12) == "-0x3p2");
  CHECK(*hexadecimal_text(0) == "0x0p0");
  CHECK_FALSE(hexadecimal_text(ratio(1, 3)));
}

TEST_CASE("text reads back, at the limits too") {
  const std::string zeros(99'998, '0');
  const std::vector<std::string> extremes{"1e1000000",
                                          "1e-1000000",
                                          fmt::format("1{}0e1000000", zeros),
                                          fmt::format("0.{}1e-1000000", zeros),
                                          fmt::format("7{}/3", zeros),
                                          "123456789e1000000",
                                          "0x1.8p-1000000",
                                          "-0x1.0000000000003p-1000000",
                                          "0x18p999999",
                                          "0x0.0018p-1000000",
                                          fmt::format("-{:8>100000}", "")};
  for (const std::string& text : extremes) {
    const Rational value = parse_number(text);
    CHECK(parse_number(to_text(value)) == value);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000 * test::multiplier(); ++i) {
    const auto top = static_cast<long>(random() >> (1 + random() % 62)),
               bottom = static_cast<long>(1 + (random() >> (1 + random() % 62)));
    const Rational value =
        ratio(i % 2 == 0 ? top : -top, bottom) * power(Rational(10), static_cast<long>(random() % 60) - 30);
    CHECK(parse_number(to_text(value)) == value);
    const Rational dyadic = ratio(top, 1) * power(Rational(2), static_cast<long>(random() % 300) - 150);
    CHECK(parse_number(to_text(dyadic)) == dyadic);
    CHECK(parse_number(*hexadecimal_text(dyadic)) == dyadic);
  }
}

TEST_CASE("powers") {
  CHECK(power(Integer(3), 5) == 243);
  CHECK(power(Integer(0), 0) == 1);
  CHECK(power(Integer(-1), std::numeric_limits<unsigned long>::max()) == -1);
  CHECK(power(ratio(-2, 3), -3) == ratio(-27, 8));
  CHECK(power(ratio(-2, 3), 4) == ratio(16, 81));
  CHECK(power(Rational(1), std::numeric_limits<long>::min()) == 1);
  CHECK_THROWS_AS(power(Rational(0), -1), DomainError);
  CHECK_THROWS_AS(power(Integer(3), std::numeric_limits<unsigned long>::max()), DomainError);
  CHECK_THROWS_AS(power(Integer(2), 1UL << 33U), DomainError);
}

TEST_CASE("a double is found exactly when there is one") {
  CHECK(exact_double(ratio(3, 4)) == 0.75);
  CHECK(exact_double(0) == 0.0);
  CHECK_FALSE(exact_double(ratio(1, 10)));
  CHECK(exact_double(parse_number("0x1p-1074")) == std::numeric_limits<double>::denorm_min());
  CHECK_FALSE(exact_double(parse_number("0x1p-1075")));
  CHECK(exact_double(parse_number("0x1.fffffffffffffp1023")) == std::numeric_limits<double>::max());
  CHECK_FALSE(exact_double(parse_number("0x1p1024")));
  CHECK_FALSE(exact_double(parse_number("0x1.00000000000001p0")));  // 57 bits
  std::mt19937_64 random(2);
  for (int i = 0; i < 3000 * test::multiplier(); ++i) {
    const double value =
        std::ldexp(static_cast<double>(random() >> 11U), static_cast<int>(random() % 2100) - 1130);
    if (!std::isfinite(value)) continue;
    Rational exact;
    mpq_set_d(exact.backend().data(), value);
    CHECK(exact_double(exact) == value);
    CHECK(nearest_double(exact) == value);
  }
}

TEST_CASE("the nearest double is within half a step, ties to even") {
  CHECK(nearest_double(parse_number("0.1")) == 0.1);
  CHECK(nearest_double(ratio(-1, 3)) == -1.0 / 3.0);
  CHECK(nearest_double(parse_number("9007199254740993")) == 9007199254740992.0);
  CHECK(nearest_double(parse_number("9007199254740995")) == 9007199254740996.0);
  CHECK(nearest_double(parse_number("9007199254740993.0000000000000000000000000000000000000000001")) ==
        9007199254740994.0);
  CHECK(nearest_double(parse_number("0x1p-1075")) == 0.0);
  CHECK(nearest_double(parse_number("0x1.0000000000000000000000000000000000000000001p-1075")) ==
        std::numeric_limits<double>::denorm_min());
  CHECK(nearest_double(parse_number("0x3p-1075")) == std::ldexp(1.0, -1073));
  CHECK(nearest_double(parse_number("1e1000000")) == std::numeric_limits<double>::infinity());
  CHECK(nearest_double(parse_number("-1e-1000000")) == 0.0);
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000 * test::multiplier(); ++i) {
    const Rational value = ratio(static_cast<long>(random() >> 1U), static_cast<long>(random() >> 1U) | 1) *
                           power(Rational(2), static_cast<long>(random() % 2100) - 1080);
    const double nearest = nearest_double(value);
    Rational at, below, above;
    if (!std::isfinite(nearest)) continue;
    mpq_set_d(at.backend().data(), nearest);
    mpq_set_d(below.backend().data(), std::nextafter(nearest, 0.0));
    const double up = std::nextafter(nearest, std::numeric_limits<double>::infinity());
    if (!std::isfinite(up)) continue;
    mpq_set_d(above.backend().data(), up);
    CHECK(abs(value - at) <= abs(value - below));
    CHECK(abs(value - at) <= abs(value - above));
  }
}
