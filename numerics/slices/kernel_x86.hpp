#pragma once
#include "numerics/slices/kernel.hpp"

#if defined(__x86_64__)
namespace rankfall::slices {

// To be called on machines that have the instructions only.
void add_exact_avx2(const Terms& terms, double* tile);
void add_in_order_avx2(const Terms& terms, double* tile);
void add_exact_avx512(const Terms& terms, double* tile);
void add_in_order_avx512(const Terms& terms, double* tile);

}  // namespace rankfall::slices
#endif
