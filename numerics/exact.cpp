#include "numerics/exact.hpp"

#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>

#include "numerics/errors.hpp"

namespace rankfall {

Integer power(const Integer& base, unsigned long exponent) {
  // GMP ends the program when a number outgrows it, so the size is checked before.
  constexpr unsigned long max_bits = 1UL << 32U;
  const std::size_t bits = mpz_sizeinbase(base.backend().data(), 2);
  const bool grows = mpz_cmpabs_ui(base.backend().data(), 1) > 0;
  if (grows && exponent > max_bits / bits)
    throw DomainError(
        fmt::format("power: an integer of {} bits to the power {} is too large; at most 2^32 bits are "
                    "allowed",
                    bits, exponent));
  Integer result;
  mpz_pow_ui(result.backend().data(), base.backend().data(), exponent);
  return result;
}

Rational power(const Rational& base, long exponent) {
  const bool inverse = exponent < 0;
  if (inverse && base == 0) throw DomainError(fmt::format("power: 0 to the negative power {}", exponent));
  const unsigned long size =
      inverse ? 0UL - static_cast<unsigned long>(exponent) : static_cast<unsigned long>(exponent);
  Integer top = power(numerator(base), size);
  Integer bottom = power(denominator(base), size);
  if (inverse) {
    top.swap(bottom);
    if (bottom < 0) {
      top = -top;
      bottom = -bottom;
    }
  }
  Rational result;  // coprime powers: already in lowest terms
  mpz_swap(mpq_numref(result.backend().data()), top.backend().data());
  mpz_swap(mpq_denref(result.backend().data()), bottom.backend().data());
  return result;
}

std::optional<double> exact_double(const Rational& value) {
  mpq_srcptr raw = value.backend().data();
  mpz_srcptr denominator = mpq_denref(raw);
  if (mpz_scan1(denominator, 0) + 1 != mpz_sizeinbase(denominator, 2)) return std::nullopt;
  if (mpz_sizeinbase(denominator, 2) > 1075 || mpz_sizeinbase(mpq_numref(raw), 2) > 1024) return std::nullopt;
  const double nearest = mpq_get_d(raw);
  if (!std::isfinite(nearest)) return std::nullopt;
  Rational back;
  mpq_set_d(back.backend().data(), nearest);
  if (mpq_equal(back.backend().data(), raw) == 0) return std::nullopt;
  return nearest;
}

double nearest_double(const Rational& value) {
  // Truncated to 128 bits, then half a unit outward when something was cut: no tie and no double can be hit
  // by chance, so the last rounding is the only one that counts.
  mpfr_t truncated, sticky;
  mpfr_init2(truncated, 128);
  mpfr_init2(sticky, 129);
  const bool inexact = mpfr_set_q(truncated, value.backend().data(), MPFR_RNDZ) != 0;
  mpfr_set(sticky, truncated, MPFR_RNDN);
  if (inexact && mpfr_regular_p(sticky) != 0) {
    if (mpfr_sgn(sticky) > 0)
      mpfr_nextabove(sticky);
    else
      mpfr_nextbelow(sticky);
  }
  const double nearest = mpfr_get_d(sticky, MPFR_RNDN);
  mpfr_clear(truncated);
  mpfr_clear(sticky);
  return nearest;
}

std::size_t bit_size(const Rational& value) {
  mpq_srcptr raw = value.backend().data();
  return mpz_sizeinbase(mpq_numref(raw), 2) + mpz_sizeinbase(mpq_denref(raw), 2);
}

}  // namespace rankfall
