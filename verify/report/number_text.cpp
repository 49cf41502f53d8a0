#include "verify/report/number_text.hpp"

#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>

#include "verify/enclosure.hpp"
#include "verify/report/scale.hpp"

namespace rankfall::verify {
namespace {

constexpr Precision end_precision(256);

/// The exact point in the style of printf's %g, rounded as asked.
std::string decimal(const Ball& point, int digits, mpfr_rnd_t rounding) {
  mpfr_t value;
  mpfr_init2(value, end_precision.bits);
  arf_get_mpfr(value, arb_midref(point.raw()),
               MPFR_RNDN);  // exact: a point has at most end_precision.bits bits
  char text[128];
  mpfr_snprintf(text, sizeof text, "%.*R*g", digits, rounding, value);
  mpfr_clear(value);
  return text;
}

/// Rewrites the exponent of a %g text.
std::string in_notation(const std::string& text, Notation notation) {
  const std::size_t at = text.find('e');
  std::string mantissa = text.substr(0, at), exponent;
  if (at != std::string::npos) {
    const bool negative = text[at + 1] == '-';
    exponent = text.substr(std::min(text.find_first_not_of("+-0", at + 1), text.size() - 1));
    if (negative) exponent.insert(0, notation == Notation::html ? "\u2212" : "-");
  }
  if (notation == Notation::plain) return mantissa + (exponent.empty() ? "" : "e" + exponent);
  if (mantissa.ends_with("inf")) mantissa.replace(mantissa.size() - 3, 3, "\u221e");
  if (mantissa.starts_with('-')) mantissa.replace(0, 1, "\u2212");
  return mantissa + (exponent.empty() ? "" : "\u00d710<sup>" + exponent + "</sup>");
}

}  // namespace

std::string certified_text(const Span& number, int digits, Notation notation) {
  const Ball low = lower(number.low, end_precision), high = upper(number.high, end_precision);
  for (int shown = digits; shown >= 2; --shown) {
    const std::string text = decimal(low, shown, MPFR_RNDN);
    if (text == decimal(high, shown, MPFR_RNDN)) return in_notation(text, notation);
  }
  std::string first = decimal(low, 2, MPFR_RNDD), last = decimal(high, 2, MPFR_RNDU);
  const std::size_t power = first.find('e');
  const bool share_power = notation == Notation::html && power != std::string::npos &&
                           last.find('e') != std::string::npos &&
                           first.substr(power) == last.substr(last.find('e'));
  const char* dash = notation == Notation::html ? "\u2013" : " to ";
  if (!share_power) return in_notation(first, notation) + dash + in_notation(last, notation);
  const std::string shared = in_notation("1" + first.substr(power), notation).substr(1);
  return "(" + in_notation(first.substr(0, power), notation) + dash +
         in_notation(last.substr(0, last.find('e')), notation) + ")" + shared;
}

std::string ends_text(const Span& number, int digits) {
  const EnclosureText text = value_text(number, digits);
  return text.low + " " + text.high;
}

double middle_decade(const Span& number) {
  return (decade_height(lower(number.low, Precision(64))) +
          decade_height(upper(number.high, Precision(64)))) /
         2;
}

Span log10_span(const Bracket& value) {
  Ball minus_infinity;
  arb_neg_inf(minus_infinity.raw());
  const bool nothing = value.upper.is_zero() || value.upper.sign() == Magnitude::Sign::negative;
  return {value.lower.certainly_positive() ? value.lower.log10(end_precision) : minus_infinity,
          nothing ? minus_infinity : value.upper.log10(end_precision)};
}

std::string percentage(std::size_t part, std::size_t whole) {
  if (whole == 0) return "\u2013";
  if (part == 0 || part == whole) return part == 0 ? "0 %" : "100 %";
  const std::size_t rounded = (200 * part + whole) / (2 * whole);
  if (rounded == 0) return "<1 %";
  if (rounded == 100) return ">99 %";
  return fmt::format("{} %", rounded);
}

}  // namespace rankfall::verify
