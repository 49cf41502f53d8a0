#include "theory/models/rounded.hpp"

#include "numerics/flint_integer.hpp"

namespace rankfall::theory {

Rational rounded(const Ball& x, const Integer& denominator) {
  Ball scaled;
  arb_mul_fmpz(scaled.raw(), midpoint(x).raw(), FlintInteger(denominator).get(), ARF_PREC_EXACT);
  fmpz_t nearest;
  fmpz_init(nearest);
  arf_get_fmpz(nearest, arb_midref(scaled.raw()), ARF_RND_NEAR);
  Rational result(to_integer(nearest), denominator);
  fmpz_clear(nearest);
  return result;
}

Rational root_below(const Rational& x, unsigned long bits) {
  const Integer scaled = numerator(x) * power(Integer(2), 2 * bits) / denominator(x);
  return Rational(Integer(boost::multiprecision::sqrt(scaled)), power(Integer(2), bits));
}

}  // namespace rankfall::theory
