#include "numerics/slices/kernel.hpp"

#include "numerics/slices/kernel_x86.hpp"
#include "numerics/slices/lanes.hpp"

namespace rankfall {

std::string name(Kernel kernel) {
  switch (kernel) {
    case Kernel::avx2:
      return "avx2";
    case Kernel::avx512:
      return "avx512";
    case Kernel::plain:
      break;
  }
  return "plain";
}

// GCC 12 aligns frames on the fake stack of AddressSanitizer less than registers of 64 bytes need (GCC bug
// 110027).
#if defined(__SANITIZE_ADDRESS__)
constexpr bool frames_are_aligned = false;
#else
constexpr bool frames_are_aligned = true;
#endif

std::vector<Kernel> available_kernels() {
  std::vector<Kernel> result{Kernel::plain};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) result.push_back(Kernel::avx2);
  if (frames_are_aligned && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    result.push_back(Kernel::avx512);
#endif
  return result;
}

Kernel fastest_kernel() {
  static const Kernel fastest = available_kernels().back();
  return fastest;
}

namespace slices {
namespace {

using Two = double __attribute__((vector_size(16)));

/// Four rows and four columns of a tile.
void add_block(const Terms& terms, Index row, Index column, double* tile) {
  constexpr int rows = 4;
  double* const corner = tile + row * right_width + column;
  Two sum[rows][2];
#pragma GCC unroll 4
  for (int i = 0; i < rows; ++i) {
    sum[i][0] = Two{corner[i * right_width], corner[i * right_width + 1]};
    sum[i][1] = Two{corner[i * right_width + 2], corner[i * right_width + 3]};
  }
  const double *left = terms.left + row, *right = terms.right + column;
  for (int pair = 0; pair < terms.pairs; ++pair, left += terms.left_step, right += terms.right_step) {
    const double *x = left, *y = right;
    for (Index k = 0; k < terms.depth; ++k, x += left_width, y += right_width) {
      const Two y0{y[0], y[1]}, y1{y[2], y[3]};
#pragma GCC unroll 4
      for (int i = 0; i < rows; ++i) {
        const Two factor{x[i], x[i]};
        sum[i][0] += factor * y0;
        sum[i][1] += factor * y1;
      }
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 4; ++j) corner[i * right_width + j] = sum[i][j / 2][j % 2];
}

void add_plain(const Terms& terms, double* tile) {
  for (Index row = 0; row < left_width; row += 4)
    for (Index column = 0; column < right_width; column += 4) add_block(terms, row, column, tile);
}

}  // namespace

void add_exact([[maybe_unused]] Kernel kernel, const Terms& terms, double* tile) {
#if defined(__x86_64__)
  if (kernel == Kernel::avx512) return add_exact_avx512(terms, tile);
  if (kernel == Kernel::avx2) return add_exact_avx2(terms, tile);
#endif
  add_plain(terms, tile);
}

void add_in_order([[maybe_unused]] Kernel kernel, const Terms& terms, double* tile) {
#if defined(__x86_64__)
  if (kernel == Kernel::avx512) return add_in_order_avx512(terms, tile);
  if (kernel == Kernel::avx2) return add_in_order_avx2(terms, tile);
#endif
  add_plain(terms, tile);
}

bool split([[maybe_unused]] Kernel kernel, const double* x, const double* y, int slices, int bits,
           double* out, Index stride) {
#if defined(__x86_64__)
  if (kernel == Kernel::avx512) return split_avx512(x, y, slices, bits, out, stride);
  if (kernel == Kernel::avx2) return split_avx2(x, y, slices, bits, out, stride);
#endif
  return split_body(x, y, slices, bits, out, stride);
}

void join([[maybe_unused]] Kernel kernel, const double* sums, int diagonals, int bits, const long* exponents,
          double* hi, double* lo) {
#if defined(__x86_64__)
  if (kernel == Kernel::avx512) return join_avx512(sums, diagonals, bits, exponents, hi, lo);
  if (kernel == Kernel::avx2) return join_avx2(sums, diagonals, bits, exponents, hi, lo);
#endif
  join_body(sums, diagonals, bits, exponents, hi, lo);
}

}  // namespace slices
}  // namespace rankfall
