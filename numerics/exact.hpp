#pragma once
#include <boost/multiprecision/gmp.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rankfall {

/// Exact integers and rationals: Boost.Multiprecision over GMP, without expression templates so that `auto`
/// is safe.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

inline constexpr std::size_t max_number_digits = 100'000;
inline constexpr long max_number_exponent = 1'000'000;

/// The exact value of a number written as a decimal ("-0.1", "1e-400"), a fraction of integers ("1/3") or a
/// hexadecimal float ("0x1.8p-3"). Leading zeros are decimal.
/// Throws InputError when the text is none of these, a denominator is zero, there are more than
/// `max_number_digits` digits, or an exponent exceeds `max_number_exponent` in absolute value.
Rational parse_number(std::string_view text);
/// The same of a short text that is a double, as most numbers of a file are; nothing for any other text, be
/// it a number or not.
std::optional<double> parse_double(std::string_view text);

/// Exact text that parse_number reads back: an integer or a terminating decimal where that is short ("1000",
/// "0.1", "1e-400"), else the shorter of decimal and fraction. Where both need more than `max_number_digits`
/// digits, a dyadic value is written as hexadecimal_text; only a value that no text within the limits of
/// parse_number holds gives a text that it refuses.
std::string to_text(const Rational& value);

/// "0x3p-4" for 3/16: an odd integer times a power of two; nothing when the denominator is not a power of
/// two.
std::optional<std::string> hexadecimal_text(const Rational& value);

/// base^exponent. Throws DomainError when the result would take more than 2^32 bits.
Integer power(const Integer& base, unsigned long exponent);

/// base^exponent; throws DomainError for 0 to a negative power, and as above.
Rational power(const Rational& base, long exponent);

/// The double equal to `value`, if there is one.
std::optional<double> exact_double(const Rational& value);

/// The double nearest to `value`, ties to even; infinite beyond the range. For searching, never for deciding.
double nearest_double(const Rational& value);

/// Bits that numerator and denominator take together.
std::size_t bit_size(const Rational& value);

}  // namespace rankfall
