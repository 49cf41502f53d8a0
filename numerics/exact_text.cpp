// Text to exact number (exact_print.cpp goes back). GMP is always told the base, so that "012" is twelve, and
// sizes are checked before it allocates.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/exact.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw InputError(in_quotes(text) + ": " + why);
}

[[noreturn]] void refuse_form(std::string_view text) {
  refuse(
      text,
      "not a number; allowed are decimals (-0.1, 2.5e-7), fractions of integers (1/3) and hexadecimal floats "
      "(0x1.8p-3)");
}

void check_count(std::size_t digits, std::string_view text) {
  if (digits > max_number_digits)
    refuse(text, fmt::format("a number of {} digits; at most {} are allowed", digits, max_number_digits));
}

/// A rational from parts that are in lowest terms already.
Rational lowest_terms(Integer top, Integer bottom) {
  Rational result;
  mpz_swap(mpq_numref(result.backend().data()), top.backend().data());
  mpz_swap(mpq_denref(result.backend().data()), bottom.backend().data());
  return result;
}

bool is_digit(char c, int base) {
  return (c >= '0' && c <= '9') || (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/// Digits with at most one point among them, and the power of the base that the last digit stands for.
struct Digits {
  std::string_view text;  // as written
  std::size_t count = 0;
  long places = 0;  // behind the point
  bool point = false;
};

Digits take_digits(std::string_view& rest, int base, bool point_allowed) {
  Digits digits;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    if (is_digit(rest[i], base)) {
      ++digits.count;
      if (digits.point) ++digits.places;
    } else if (rest[i] == '.' && point_allowed && !digits.point) {
      digits.point = true;
    } else {
      break;
    }
  }
  digits.text = rest.substr(0, i);
  rest.remove_prefix(i);
  return digits;
}

Integer to_integer(const Digits& digits, int base) {
  constexpr std::size_t sure_to_fit = 19;  // decimal digits of 64 bits
  if (base == 10 && digits.count <= sure_to_fit) {
    std::uint64_t value = 0;
    for (const char c : digits.text)
      if (c != '.') value = 10 * value + static_cast<std::uint64_t>(c - '0');
    return Integer(value);
  }
  std::string bare(digits.text);
  if (digits.point) bare.erase(bare.find('.'), 1);
  Integer value;
  mpz_set_str(value.backend().data(), bare.c_str(), base);
  return value;
}

/// The exponent behind 'e' or 'p', which is gone already.
long take_exponent(std::string_view& rest, std::string_view text) {
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  const Digits digits = take_digits(rest, 10, false);
  if (digits.count == 0) refuse_form(text);
  long exponent = 0;
  for (const char c : digits.text) {
    exponent = 10 * exponent + (c - '0');
    if (exponent > max_number_exponent)
      refuse(text, fmt::format("the exponent is beyond {}", max_number_exponent));
  }
  return negative ? -exponent : exponent;
}

/// m * 2^exponent.
Rational dyadic(Integer m, long exponent) {
  if (m == 0) return 0;
  if (exponent >= 0) return Rational(Integer(m << static_cast<unsigned long>(exponent)));
  const unsigned long down = static_cast<unsigned long>(-exponent);
  const unsigned long twos = std::min<unsigned long>(mpz_scan1(m.backend().data(), 0), down);
  return lowest_terms(m >> twos, Integer(1) << (down - twos));
}

/// m * 10^exponent.
Rational decimal(Integer m, long exponent) {
  if (m == 0) return 0;
  if (exponent >= 0) {
    const auto up = static_cast<unsigned long>(exponent);
    return Rational(Integer(m * (power(Integer(5), up) << up)));
  }
  const unsigned long down = static_cast<unsigned long>(-exponent);
  const unsigned long twos = std::min<unsigned long>(mpz_scan1(m.backend().data(), 0), down);
  m >>= twos;
  const Integer five = 5;
  unsigned long fives = mpz_remove(m.backend().data(), m.backend().data(), five.backend().data());
  if (fives > down) {
    m *= power(five, fives - down);
    fives = down;
  }
  return lowest_terms(std::move(m), power(five, down - fives) << (down - twos));
}

/// Decimals of up to 19 digits and places: the bulk of any file, done in machine words.
Rational short_decimal(std::uint64_t m, unsigned places) {
  if (m == 0) return 0;
  unsigned twos = 0, fives = 0;
  while (twos < places && m % 2 == 0) m /= 2, ++twos;
  while (fives < places && m % 5 == 0) m /= 5, ++fives;
  std::uint64_t bottom = std::uint64_t{1} << (places - twos);
  for (unsigned i = fives; i < places; ++i) bottom *= 5;
  return lowest_terms(Integer(m), Integer(bottom));
}

Rational unsigned_number(std::string_view rest, std::string_view text) {
  const bool hexadecimal = rest.size() > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X');
  const int base = hexadecimal ? 16 : 10;
  if (hexadecimal) rest.remove_prefix(2);
  const Digits digits = take_digits(rest, base, true);
  if (digits.count == 0) refuse_form(text);
  check_count(digits.count, text);

  if (!hexadecimal && !digits.point && !rest.empty() && rest[0] == '/') {
    rest.remove_prefix(1);
    if (!rest.empty() && (rest[0] == '-' || rest[0] == '+'))
      refuse(text, "the denominator has a sign; the sign of a fraction stands in front, as in -1/3");
    const Digits below = take_digits(rest, 10, false);
    if (below.count == 0 || !rest.empty()) refuse_form(text);
    check_count(digits.count + below.count, text);
    Integer bottom = to_integer(below, 10);
    if (bottom == 0)
      refuse(text, "the denominator is zero; write a fraction with a denominator of at least 1");
    Rational value = lowest_terms(to_integer(digits, 10), std::move(bottom));
    mpq_canonicalize(value.backend().data());
    return value;
  }

  const char lower = hexadecimal ? 'p' : 'e', upper = hexadecimal ? 'P' : 'E';
  long exponent = 0;
  if (!rest.empty() && (rest[0] == lower || rest[0] == upper)) {
    rest.remove_prefix(1);
    exponent = take_exponent(rest, text);
  }
  if (!rest.empty()) refuse_form(text);
  Integer m = to_integer(digits, base);
  if (hexadecimal) return dyadic(std::move(m), exponent - 4 * digits.places);
  const long scale = exponent - digits.places;
  if (digits.count <= 19 && scale <= 0 && scale >= -19)
    return short_decimal(static_cast<std::uint64_t>(m), static_cast<unsigned>(-scale));
  return decimal(std::move(m), scale);
}

bool names_no_finite_number(std::string_view word) {
  std::string lower(word.substr(0, 9));
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const int base = hexadecimal ? 16 : 10;
  const std::size_t most_digits = hexadecimal ? 16 : 18;
  std::uint64_t m = 0;
  int places = 0, exponent = 0;
  std::size_t i = 0, count = 0;
  bool point = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'                  ? c - '0'
                      : hexadecimal && c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                            : -1;
    if (digit >= 0) {
      if (++count > most_digits) return std::nullopt;
      m = static_cast<std::uint64_t>(base) * m + static_cast<std::uint64_t>(digit);
      if (point) ++places;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (count == 0) return std::nullopt;
  if (hexadecimal) {
    exponent = -4 * places;
    if (i < text.size()) {
      if (text[i] != 'p') return std::nullopt;
      int written = 0;
      const char *begin = text.data() + i + 1, *end = text.data() + text.size();
      if (const auto read = std::from_chars(begin, end, written); read.ec != std::errc{} || read.ptr != end)
        return std::nullopt;
      if (written < -900 || written > 900) return std::nullopt;
      exponent += written;
    }
  } else {
    if (i < text.size()) return std::nullopt;
    for (; places > 0 && m % 5 == 0; --places, --exponent) m /= 5;
    if (places > 0) return std::nullopt;
  }
  if (m >= std::uint64_t{1} << 53U) return std::nullopt;
  const double scale =
      std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);  // 2^exponent
  const double value = static_cast<double>(m) * scale;                            // at least 2^-964: exact
  return negative && m != 0 ? -value : value;
}

Rational parse_number(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  if (names_no_finite_number(rest))
    refuse(text, "infinities and NaN are not allowed; only finite numbers are");
  Rational value = unsigned_number(rest, text);
  if (negative) value = -value;
  return value;
}

}  // namespace rankfall
