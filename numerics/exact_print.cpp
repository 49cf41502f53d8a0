// Exact number to text that parse_number reads back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/exact.hpp"

namespace rankfall {
namespace {

/// mantissa * 10^exponent, the mantissa no multiple of ten.
struct Decimal {
  Integer mantissa;
  long exponent = 0;
};

std::size_t bits(const Integer& value) {
  return mpz_sizeinbase(value.backend().data(), 2);
}

std::size_t trailing_zero_bits(const Integer& value) {
  return value == 0 ? 0 : static_cast<std::size_t>(mpz_scan1(value.backend().data(), 0));
}

/// Removes every factor five and tells how many there were.
unsigned long remove_fives(Integer& value) {
  const Integer five = 5;
  return mpz_remove(value.backend().data(), value.backend().data(), five.backend().data());
}

std::string digits_of(const Integer& value, int base) {
  std::string text(mpz_sizeinbase(value.backend().data(), base) + 2, '\0');
  mpz_get_str(text.data(), base, value.backend().data());
  text.resize(text.find('\0'));
  return text;
}

/// The terminating decimal equal to a value > 0, if there is one of not many more than max_number_digits
/// digits.
std::optional<Decimal> as_decimal(const Integer& top, const Integer& bottom) {
  const unsigned long twos = trailing_zero_bits(bottom);
  Integer rest = bottom >> twos;
  const unsigned long fives = remove_fives(rest);
  if (rest != 1) return std::nullopt;
  const unsigned long places = std::max(twos, fives);
  constexpr double log2_of_5 = 2.3219280948873623, log10_of_2 = 0.30102999566398120;
  const double size = static_cast<double>(bits(top)) + static_cast<double>(places - twos) +
                      log2_of_5 * static_cast<double>(places - fives);
  if (places > 0) {
    if (size * log10_of_2 > 1.01 * max_number_digits) return std::nullopt;
    return Decimal{(top * power(Integer(5), places - fives)) << (places - twos), -static_cast<long>(places)};
  }
  Integer mantissa = top;
  const unsigned long zero_bits = trailing_zero_bits(top);
  const unsigned long top_fives = remove_fives(mantissa);
  const unsigned long tens = std::min(zero_bits, top_fives);
  mantissa *= power(Integer(5), top_fives - tens);
  mantissa >>= tens;
  if (static_cast<double>(bits(mantissa)) * log10_of_2 > 1.01 * max_number_digits) return std::nullopt;
  return Decimal{std::move(mantissa), static_cast<long>(tens)};
}

std::string zeros(long count) {
  return std::string(static_cast<std::size_t>(count), '0');
}

/// Plain where a person would write it so, else with an exponent, else with zeros to bring the exponent into
/// range.
std::string decimal_text(const Decimal& decimal) {
  std::string digits = digits_of(decimal.mantissa, 10);
  const long count = static_cast<long>(digits.size());
  const long leading = count - 1 + decimal.exponent;  // power of ten of the first digit
  if (decimal.exponent == 0) return digits;
  if (decimal.exponent > 0 && (leading <= 20 || decimal.exponent <= 4))
    return digits + zeros(decimal.exponent);
  if (decimal.exponent < 0 && leading >= 0) return digits.insert(static_cast<std::size_t>(leading + 1), ".");
  if (decimal.exponent < 0 && leading >= -7) return "0." + zeros(-leading - 1) + digits;
  if (leading > max_number_exponent) {
    const long padding = leading - max_number_exponent - (count - 1);
    if (padding > 0) digits += zeros(padding);
    return fmt::format("{}e{}", digits, decimal.exponent - std::max(padding, 0L));
  }
  if (leading < -max_number_exponent)
    return fmt::format("0.{}{}e-{}", zeros(-leading - max_number_exponent - 1), digits, max_number_exponent);
  if (count > 1) digits.insert(1, ".");
  return fmt::format("{}e{}", digits, leading);
}

bool within_limits(const std::string& text) {
  const auto mantissa = text.substr(0, text.find('e'));
  return static_cast<std::size_t>(std::count_if(mantissa.begin(), mantissa.end(), [](char c) {
           return c >= '0' && c <= '9';
         })) <= max_number_digits;
}

}  // namespace

std::optional<std::string> hexadecimal_text(const Rational& value) {
  const Integer top = abs(numerator(value));
  const Integer bottom = denominator(value);
  const std::size_t down = trailing_zero_bits(bottom);
  if (down + 1 != bits(bottom)) return std::nullopt;
  const std::size_t up = trailing_zero_bits(top);
  Integer mantissa = top >> up;
  long exponent = static_cast<long>(up) - static_cast<long>(down);
  if (exponent > max_number_exponent) {
    mantissa <<= static_cast<unsigned long>(exponent - max_number_exponent);
    exponent = max_number_exponent;
  }
  std::string digits = digits_of(mantissa, 16);
  if (exponent < -max_number_exponent) {
    const long places = (-max_number_exponent - exponent + 3) / 4;
    const long missing = places + 1 - static_cast<long>(digits.size());
    if (missing > 0) digits.insert(0, zeros(missing));
    digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
    exponent += 4 * places;
  }
  return fmt::format("{}0x{}p{}", value < 0 ? "-" : "", digits, exponent);
}

std::string to_text(const Rational& value) {
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "-" : "";
  const Integer top = abs(numerator(value));
  const Integer bottom = denominator(value);
  constexpr std::size_t short_enough = 24;

  std::string shortest;
  if (const auto decimal = as_decimal(top, bottom)) shortest = decimal_text(*decimal);
  if (!shortest.empty() && shortest.size() <= short_enough) return sign + shortest;

  if (bottom != 1 || shortest.empty()) {
    const std::string fraction =
        bottom == 1 ? digits_of(top, 10) : digits_of(top, 10) + "/" + digits_of(bottom, 10);
    if (shortest.empty() || !within_limits(shortest) || fraction.size() < shortest.size())
      shortest = fraction;
  }
  if (!within_limits(shortest))
    if (const auto hexadecimal = hexadecimal_text(value)) return *hexadecimal;
  return sign + shortest;
}

}  // namespace rankfall
