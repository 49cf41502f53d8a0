#pragma once
#include <mpfr.h>

#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <mutex>

#include "numerics/ball.hpp"
#include "numerics/matrix.hpp"

namespace rankfall {

/// Reference point arithmetic: MPFR, correctly rounded, nothing certified about a chain of operations. A
/// value carries the precision that was current when it was made; an operation works at the larger of its
/// operands' and the current.
using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                           boost::multiprecision::et_off>;

/// While it lives, Reals made by this thread have at least `p` bits and the widest exponent range MPFR offers
/// (about 2^(+-2^62); outside, values still overflow and underflow silently). Scopes nest and end in reverse
/// order. Boost before 1.76 has one default precision for the whole process: there a scope excludes every
/// other thread's. A Real outlives its scope, but beyond 2^(+-2^30) it may only be used inside one.
class PrecisionScope {
 public:
  /// Throws DomainError unless 2 <= p.bits <= 2^31.
  explicit PrecisionScope(Precision p);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> process_wide_;
  unsigned digits_;
  mpfr_exp_t emin_, emax_;
};

/// Bits of a Real made now.
long current_bits();

/// The nearest Scalar (Real: at the current precision); a double or float overflows to infinity.
template <class Scalar>
Scalar rounded(const Rational& value);
template <>
Real rounded(const Rational& value);
template <>
double rounded(const Rational& value);
template <>
float rounded(const Rational& value);

/// Entry by entry.
template <class Scalar>
Matrix<Scalar> rounded(const ExactMatrix& matrix);

/// The exact value of a finite Real; throws DomainError for infinities and NaN.
Ball to_ball(const Real& value);

extern template Matrix<Real> rounded(const ExactMatrix&);
extern template Matrix<double> rounded(const ExactMatrix&);
extern template Matrix<float> rounded(const ExactMatrix&);

}  // namespace rankfall
