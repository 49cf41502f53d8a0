#pragma once
#include <string>
#include <vector>

#include "numerics/matrix.hpp"

namespace rankfall {

/// Instructions that products of doubles are computed with. All give the same bits.
enum class Kernel { plain, avx2, avx512 };
std::string name(Kernel kernel);
/// Those that this machine has, slowest first; `plain` is always among them.
std::vector<Kernel> available_kernels();
Kernel fastest_kernel();

namespace slices {

/// Operands are packed in panels: of so many rows of a left one, so many columns of a right one. A tile is a
/// row-major left_width x right_width block of the product. Buffers and tiles are aligned to 64 bytes.
constexpr Index left_width = 8, right_width = 16, tile_size = left_width * right_width;

/// A sum of `pairs` products of a left panel (depth columns of left_width numbers) and a right panel (depth
/// rows of right_width numbers). Pair p starts at left + p * left_step and right + p * right_step.
struct Terms {
  const double* left;
  Index left_step;
  const double* right;
  Index right_step;
  int pairs;
  Index depth;
};

/// tile += the sum, in any order and with or without fused operations: for integers whose sums stay below
/// 2^53, where all of that is exact.
void add_exact(Kernel kernel, const Terms& terms, double* tile);
/// tile += the sum, every product and every sum rounded to nearest, pair after pair and each from the first
/// index to the last: the same with every kernel.
void add_in_order(Kernel kernel, const Terms& terms, double* tile);

/// Eight numbers x + y, |x + y| <= 1/2, become digits: digit t of lane l to out[t * stride + l]. Returns
/// whether nothing of them is left.
bool split(Kernel kernel, const double* x, const double* y, int slices, int bits, double* out, Index stride);

/// A row of a tile: sum_t sums[t * tile_size] 2^(-bits (t + 2)), t < diagonals, times 2^exponent (at most
/// 1000), as hi + lo to within 2^-104 of itself and 2^-1070. The sums leave room for carries (slice_bits).
void join(Kernel kernel, const double* sums, int diagonals, int bits, const long* exponents, double* hi,
          double* lo);

}  // namespace slices
}  // namespace rankfall
