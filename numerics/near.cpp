#include "numerics/near.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace rankfall {

double near_double(const Ball& a) {
  constexpr slong farthest = 500;
  arf_srcptr x = arb_midref(a.raw());
  if (arf_is_special(x) || COEFF_IS_MPZ(ARF_EXP(x)) || std::labs(ARF_EXP(x)) > farthest)
    return arf_get_d(x, ARF_RND_NEAR);
  mp_srcptr limbs = nullptr;
  mp_size_t count = 0;
  ARF_GET_MPN_READONLY(limbs, count, x);
  const auto biased = static_cast<std::uint64_t>(ARF_EXP(x) - FLINT_BITS + 1023);
  const double size = static_cast<double>(limbs[count - 1]) * std::bit_cast<double>(biased << 52U);
  return ARF_SGNBIT(x) ? -size : size;
}

Near::Near(const BallMatrix& a) : entries(a.rows(), a.cols()), missing(a.rows(), a.cols()) {
  constexpr double tiny = 0x1p-500;  // more than what doubles lose below their range, in squares too
  for (Index i = 0; i < a.size(); ++i) {
    const double near = near_double(a.data()[i]);
    entries.data()[i] = near;
    missing.data()[i] =
        mag_get_d(arb_radref(a.data()[i].raw())) * (1 + 0x1p-50) + std::fabs(near) * 0x1p-52 + tiny;
  }
}

std::vector<Index> may_be_largest(const std::vector<double>& near, const std::vector<double>& missing) {
  constexpr double relative = 0x1p-50;  // of the additions here
  double least = -HUGE_VAL;             // below the largest of all
  for (std::size_t i = 0; i < near.size(); ++i)
    if (std::isfinite(near[i]))
      least = std::max(least, (near[i] - missing[i]) - (std::fabs(near[i]) + missing[i]) * relative);
  std::vector<Index> result;
  for (std::size_t i = 0; i < near.size(); ++i)
    if (!((near[i] + missing[i]) * (1 + relative) < least)) result.push_back(static_cast<Index>(i));
  return result;
}

}  // namespace rankfall
