#include "numerics/real.hpp"

#include <string>

#include "numerics/default_digits.hpp"
#include "numerics/errors.hpp"

namespace rankfall {
namespace {

/// Without a thread default, arithmetic itself switches the process-wide default back and forth, so only one
/// thread may do any.
template <class R>
std::unique_lock<std::recursive_mutex> exclude_other_threads() {
  if constexpr (HasThreadDefault<R>) {
    return {};
  } else {
    static std::recursive_mutex mutex;
    return std::unique_lock(mutex);
  }
}

/// Boost counts in decimal digits; the fewest that give at least `bits`.
unsigned digits_for(long bits) {
  constexpr long most = 1L << 31;
  if (bits < 2 || bits > most)
    throw DomainError("precision of " + std::to_string(bits) + " bits; allowed are 2 to " +
                      std::to_string(most));
  unsigned digits = static_cast<unsigned>(bits * 301 / 1000);
  while (static_cast<long>(boost::multiprecision::detail::digits10_2_2(digits)) < bits || digits == 0)
    ++digits;
  return digits;
}

/// The nearest value with `bits` bits.
Real round_to_bits(const Rational& value, mpfr_prec_t bits) {
  Real result;
  mpfr_set_prec(result.backend().data(), bits);
  mpfr_set_q(result.backend().data(), value.backend().data(), MPFR_RNDN);
  return result;
}

}  // namespace

PrecisionScope::PrecisionScope(Precision p)
    : process_wide_(exclude_other_threads<Real>()),
      digits_(default_digits<Real>()),
      emin_(mpfr_get_emin()),
      emax_(mpfr_get_emax()) {
  set_default_digits<Real>(digits_for(p.bits));
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

PrecisionScope::~PrecisionScope() {
  set_default_digits<Real>(digits_);
  mpfr_set_emin(emin_);
  mpfr_set_emax(emax_);
}

long current_bits() {
  return mpfr_get_prec(Real().backend().data());
}

template <>
Real rounded(const Rational& value) {
  return round_to_bits(value, current_bits());
}
template <>
double rounded(const Rational& value) {
  return mpfr_get_d(round_to_bits(value, 53).backend().data(), MPFR_RNDN);
}
template <>
float rounded(const Rational& value) {
  return mpfr_get_flt(round_to_bits(value, 24).backend().data(), MPFR_RNDN);
}

template <class Scalar>
Matrix<Scalar> rounded(const ExactMatrix& matrix) {
  Matrix<Scalar> result(matrix.rows(), matrix.cols());
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) result(i, j) = rounded<Scalar>(matrix(i, j));
  return result;
}
template Matrix<Real> rounded(const ExactMatrix&);
template Matrix<double> rounded(const ExactMatrix&);
template Matrix<float> rounded(const ExactMatrix&);

Ball to_ball(const Real& value) {
  mpfr_srcptr raw = value.backend().data();
  if (!mpfr_number_p(raw)) throw DomainError("no ball for an infinity or NaN");
  Ball result;
  arf_set_mpfr(arb_midref(result.raw()), raw);
  return result;
}

}  // namespace rankfall
