#pragma once
#include "numerics/slices/kernel.hpp"

#if defined(__x86_64__)
namespace rankfall::slices {

// To be called on machines that have the instructions only.
void add_exact_avx2(const Terms& terms, double* tile);
void add_in_order_avx2(const Terms& terms, double* tile);
bool split_avx2(const double* x, const double* y, int slices, int bits, double* out, Index stride);
void join_avx2(const double* sums, int diagonals, int bits, const long* exponents, double* hi, double* lo);
void add_exact_avx512(const Terms& terms, double* tile);
void add_in_order_avx512(const Terms& terms, double* tile);
bool split_avx512(const double* x, const double* y, int slices, int bits, double* out, Index stride);
void join_avx512(const double* sums, int diagonals, int bits, const long* exponents, double* hi, double* lo);

}  // namespace rankfall::slices
#endif
