#include "numerics/slices/kernel_x86.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include "numerics/slices/lanes.hpp"

namespace rankfall::slices {
namespace {

template <bool fused>
__attribute__((target("avx512f"))) inline void add_avx512(const Terms& terms, double* tile) {
  __m512d sum[left_width][2];
#pragma GCC unroll 8
  for (int i = 0; i < left_width; ++i) {
    sum[i][0] = _mm512_load_pd(tile + i * right_width);
    sum[i][1] = _mm512_load_pd(tile + i * right_width + 8);
  }
  const double *left = terms.left, *right = terms.right;
  for (int pair = 0; pair < terms.pairs; ++pair, left += terms.left_step, right += terms.right_step) {
    const double *x = left, *y = right;
    for (Index k = 0; k < terms.depth; ++k, x += left_width, y += right_width) {
      const __m512d y0 = _mm512_load_pd(y), y1 = _mm512_load_pd(y + 8);
#pragma GCC unroll 8
      for (int i = 0; i < left_width; ++i) {
        const __m512d factor = _mm512_set1_pd(x[i]);
        if constexpr (fused) {
          sum[i][0] = _mm512_fmadd_pd(factor, y0, sum[i][0]);
          sum[i][1] = _mm512_fmadd_pd(factor, y1, sum[i][1]);
        } else {
          sum[i][0] = _mm512_add_pd(sum[i][0], _mm512_mul_pd(factor, y0));
          sum[i][1] = _mm512_add_pd(sum[i][1], _mm512_mul_pd(factor, y1));
        }
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < left_width; ++i) {
    _mm512_store_pd(tile + i * right_width, sum[i][0]);
    _mm512_store_pd(tile + i * right_width + 8, sum[i][1]);
  }
}

/// Half the rows and half the columns of a tile: what 16 registers hold.
template <bool fused>
__attribute__((target("avx2,fma"))) inline void add_quarter_avx2(const Terms& terms, Index row, Index column,
                                                                 double* tile) {
  constexpr int rows = left_width / 2;
  double* const corner = tile + row * right_width + column;
  __m256d sum[rows][2];
#pragma GCC unroll 4
  for (int i = 0; i < rows; ++i) {
    sum[i][0] = _mm256_load_pd(corner + i * right_width);
    sum[i][1] = _mm256_load_pd(corner + i * right_width + 4);
  }
  const double *left = terms.left + row, *right = terms.right + column;
  for (int pair = 0; pair < terms.pairs; ++pair, left += terms.left_step, right += terms.right_step) {
    const double *x = left, *y = right;
    for (Index k = 0; k < terms.depth; ++k, x += left_width, y += right_width) {
      const __m256d y0 = _mm256_load_pd(y), y1 = _mm256_load_pd(y + 4);
#pragma GCC unroll 4
      for (int i = 0; i < rows; ++i) {
        const __m256d factor = _mm256_set1_pd(x[i]);
        if constexpr (fused) {
          sum[i][0] = _mm256_fmadd_pd(factor, y0, sum[i][0]);
          sum[i][1] = _mm256_fmadd_pd(factor, y1, sum[i][1]);
        } else {
          sum[i][0] = _mm256_add_pd(sum[i][0], _mm256_mul_pd(factor, y0));
          sum[i][1] = _mm256_add_pd(sum[i][1], _mm256_mul_pd(factor, y1));
        }
      }
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < rows; ++i) {
    _mm256_store_pd(corner + i * right_width, sum[i][0]);
    _mm256_store_pd(corner + i * right_width + 4, sum[i][1]);
  }
}

template <bool fused>
__attribute__((target("avx2,fma"))) inline void add_avx2(const Terms& terms, double* tile) {
  for (Index row = 0; row < left_width; row += left_width / 2)
    for (Index column = 0; column < right_width; column += right_width / 2)
      add_quarter_avx2<fused>(terms, row, column, tile);
}

}  // namespace

__attribute__((target("avx512f"))) void add_exact_avx512(const Terms& terms, double* tile) {
  add_avx512<true>(terms, tile);
}
__attribute__((target("avx512f"))) void add_in_order_avx512(const Terms& terms, double* tile) {
  add_avx512<false>(terms, tile);
}
__attribute__((target("avx2,fma"))) void add_exact_avx2(const Terms& terms, double* tile) {
  add_avx2<true>(terms, tile);
}
__attribute__((target("avx2,fma"))) void add_in_order_avx2(const Terms& terms, double* tile) {
  add_avx2<false>(terms, tile);
}

__attribute__((target("avx512f,avx512dq,avx512vl"))) bool split_avx512(const double* x, const double* y,
                                                                       int slices, int bits, double* out,
                                                                       Index stride) {
  return split_body(x, y, slices, bits, out, stride);
}
__attribute__((target("avx512f,avx512dq,avx512vl"))) void join_avx512(const double* sums, int diagonals,
                                                                      int bits, const long* exponents,
                                                                      double* hi, double* lo) {
  join_body(sums, diagonals, bits, exponents, hi, lo);
}
__attribute__((target("avx2,fma"))) bool split_avx2(const double* x, const double* y, int slices, int bits,
                                                    double* out, Index stride) {
  return split_body(x, y, slices, bits, out, stride);
}
__attribute__((target("avx2,fma"))) void join_avx2(const double* sums, int diagonals, int bits,
                                                   const long* exponents, double* hi, double* lo) {
  join_body(sums, diagonals, bits, exponents, hi, lo);
}

}  // namespace rankfall::slices
#endif
