#include "numerics/san/sinusoid.hpp"

namespace rankfall {
namespace {

constexpr Precision plenty(128);  // far more than a double holds, so that rounding the midpoint is right

/// distance / 10000^(2k/dim).
Ball angle(Index distance, Index k, Index dim) {
  const Ball exponent(Rational(static_cast<long>(2 * k)) / Rational(static_cast<long>(dim)), plenty);
  return div(Ball(static_cast<long>(distance)), exp(mul(exponent, log(Ball(10000), plenty), plenty), plenty),
             plenty);
}

}  // namespace

std::vector<double> sinusoid(Index distance, Index dim) {
  std::vector<double> result(static_cast<std::size_t>(dim));
  const Index waves = (dim + 1) / 2;
  for (Index k = 0; k < dim; ++k) {
    const Ball x = angle(distance, k < waves ? k : k - waves, dim);
    Ball value;
    if (k < waves)
      arb_sin(value.raw(), x.raw(), plenty.bits);
    else
      arb_cos(value.raw(), x.raw(), plenty.bits);
    result[static_cast<std::size_t>(k)] = arf_get_d(arb_midref(value.raw()), ARF_RND_NEAR);
  }
  return result;
}

}  // namespace rankfall
