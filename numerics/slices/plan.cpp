#include "numerics/slices/plan.hpp"

#include <algorithm>
#include <cmath>

namespace rankfall::slices {
namespace {

/// Above any error of the few double operations of a bound.
constexpr double up = 1 + 0x1p-40;

int slices_of(long width, int bits, int most) {
  const long needed = std::max(1L, (width + bits - 1) / bits);
  return static_cast<int>(std::min(needed, static_cast<long>(most)));
}

/// With as wide slices as the pairs that really occur allow.
Plan plan_of(Index depth, const Extent& left, const Extent& right, int diagonals) {
  Plan plan;
  int pairs = diagonals;
  for (int round = 0; round < 2; ++round) {
    plan.bits = slice_bits(depth, pairs);
    if (plan.bits < least_slice_bits) return {};
    plan.left = slices_of(left.width, plan.bits, diagonals);
    plan.right = slices_of(right.width, plan.bits, diagonals);
    pairs = std::min({plan.left, plan.right, diagonals});
  }
  plan.diagonals = std::min(diagonals, plan.left + plan.right - 1);
  const double left_cut = left.width > static_cast<long>(plan.bits) * plan.left
                              ? truncation(plan.left, plan.bits)
                              : 0,
               right_cut = right.width > static_cast<long>(plan.bits) * plan.right
                               ? truncation(plan.right, plan.bits)
                               : 0;
  plan.error = (dropped(depth, plan.bits, plan.left, plan.right, plan.diagonals) + left_cut * right.sum +
                right_cut * (left.sum + static_cast<double>(depth) * left_cut)) *
               up;
  return plan;
}

}  // namespace

int slice_bits(Index depth, int pairs) {
  // depth * pairs * 2^(2 bits - 2) + 2^(55 - bits) <= 2^53, the second term for the carries of the sum.
  const double terms = static_cast<double>(depth) * pairs;
  for (int bits = 26; bits >= least_slice_bits; --bits)
    if (std::ldexp(terms, 2 * bits - 2) + std::ldexp(1.0, 55 - bits) <= 0x1p53) return bits;
  return 0;
}

int Plan::pairs() const {
  int count = 0;
  for (int i = 0; i < left; ++i) count += std::clamp(diagonals - i, 0, right);
  return count;
}

double truncation(int slices, int bits) {
  return std::ldexp(0.51, -slices * bits);
}

double dropped(Index depth, int bits, int left, int right, int diagonals) {
  double sum = 0;
  for (int u = left + right - 2; u >= diagonals; --u) {
    const int first = std::max(0, u - right + 1), last = std::min(left - 1, u);
    sum += std::ldexp(last - first + 1, -bits * u);
  }
  return sum * static_cast<double>(depth) * 0.25 * up;
}

Plan make_plan(Index depth, const Extent& left, const Extent& right, double budget) {
  for (int diagonals = 1; diagonals <= most_slices; ++diagonals) {
    const Plan plan = plan_of(depth, left, right, diagonals);
    if (plan.diagonals > 0 && plan.error <= budget) return plan;
  }
  return {};
}

}  // namespace rankfall::slices
