#include <mpfr.h>  // before Arb, so that its conversions to MPFR are declared

#include <algorithm>
#include <string>

#include "numerics/ball.hpp"
#include "numerics/errors.hpp"

namespace rankfall {
namespace {

constexpr long mpfr_exponent_limit = 1L << 29;  // inside the default exponent range of MPFR

// digits d1 d2 ... and exponent e mean 0.d1d2... * 10^e
std::string layout(std::string digits, long exponent) {
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  digits.erase(digits.find_last_not_of('0') + 1);
  const long count = static_cast<long>(digits.size());
  std::string text = negative ? "-" : "";
  if (exponent > 0 && exponent <= 18) {
    if (count <= exponent)
      return text + digits + std::string(static_cast<std::size_t>(exponent - count), '0');
    return text + digits.substr(0, static_cast<std::size_t>(exponent)) + "." +
           digits.substr(static_cast<std::size_t>(exponent));
  }
  if (exponent <= 0 && exponent > -5)
    return text + "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
  text += digits.substr(0, 1);
  if (count > 1) text += "." + digits.substr(1);
  return text + "e" + std::to_string(exponent - 1);
}

/// `value` rounded down (MPFR_RNDD) or up (MPFR_RNDU).
std::string text_of(const arf_struct* value, mpfr_rnd_t rounding, int digits) {
  const bool down = rounding == MPFR_RNDD;
  if (arf_is_nan(value)) return down ? "-inf" : "inf";
  if (arf_is_inf(value)) return arf_sgn(value) < 0 ? "-inf" : "inf";
  if (arf_is_zero(value)) return "0";
  const bool negative = arf_sgn(value) < 0, outward = down == negative;
  if (arf_cmpabs_2exp_si(value, mpfr_exponent_limit) >= 0) {  // |value| >= 2^(2^29) > 1e161614000
    if (outward) return negative ? "-inf" : "inf";
    return negative ? "-1e161614000" : "1e161614000";
  }
  if (arf_cmpabs_2exp_si(value, -mpfr_exponent_limit) <= 0) {
    if (!outward) return "0";
    return negative ? "-1e-161614000" : "1e-161614000";
  }
  mpfr_t real;
  mpfr_init2(real, static_cast<mpfr_prec_t>(std::max<slong>(arf_bits(value), 2)));
  arf_get_mpfr(real, value, MPFR_RNDN);  // exact: as many bits as the value has
  mpfr_exp_t exponent = 0;
  char* raw = mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(digits), real, rounding);
  std::string result = layout(raw, exponent);
  mpfr_free_str(raw);
  mpfr_clear(real);
  return result;
}

void require_digits(int digits) {
  if (digits < 1)
    throw DomainError("text of a ball with " + std::to_string(digits) + " digits; at least 1 is needed");
}

}  // namespace

std::string lower_text(const Ball& a, int digits) {
  require_digits(digits);
  const Ball end = lower(a, Precision(64 + 4L * digits));
  return text_of(arb_midref(end.raw()), MPFR_RNDD, digits);
}

std::string upper_text(const Ball& a, int digits) {
  require_digits(digits);
  const Ball end = upper(a, Precision(64 + 4L * digits));
  return text_of(arb_midref(end.raw()), MPFR_RNDU, digits);
}

}  // namespace rankfall
