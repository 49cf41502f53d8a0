#pragma once
#include <optional>

#include "numerics/matrix.hpp"
#include "numerics/slices/kernel.hpp"

namespace rankfall {

/// Encloses A B, like product(), by products of doubles; the same balls with every kernel. Nothing when a
/// number is not finite or has an exponent beyond 2^30, or when exponents are spread so widely that radii as
/// small as Arb's would take more than `most_pairs` products of doubles, or p is above 512 and the product
/// not an exact one of so many bits.
///
/// Entries whose terms all have a factor that is exactly zero are exactly zero. Exact operands have an exact
/// product when w_A + w_B + bits of the inner size are at most p, where w counts from one bit above the
/// largest number of a row of A (column of B) to the last bit of any of its numbers.
inline constexpr long most_sliced_bits = 512;
std::optional<BallMatrix> sliced_product(const BallMatrix& a, const BallMatrix& b, Precision p,
                                         Kernel kernel = fastest_kernel(), int most_pairs = 300);

}  // namespace rankfall
