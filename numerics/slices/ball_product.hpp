#pragma once
#include <optional>

#include "numerics/matrix.hpp"
#include "numerics/slices/kernel.hpp"

namespace rankfall {

/// Encloses A B, like product(), by products of doubles; the same balls with every kernel. Nothing when a
/// number is not finite or has an exponent beyond 2^30, or when exponents are spread so widely that radii as
/// small as Arb's would take more than `most_pairs` products of doubles, or p is above 512.
///
/// Entries whose terms all have a factor that is exactly zero are exactly zero. Exact operands give exact
/// entries where Arb's plain sum would: when the sum fits p bits, and the operands, measured from the
/// largest entry of each row of A and each column of B, take no more slices than the budget of the radii
/// allows.
std::optional<BallMatrix> sliced_product(const BallMatrix& a, const BallMatrix& b, Precision p,
                                         Kernel kernel = fastest_kernel(), int most_pairs = 300);

}  // namespace rankfall
