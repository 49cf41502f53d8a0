#pragma once
#include "numerics/matrix.hpp"
#include "numerics/slices/slice_matrix.hpp"

namespace rankfall {

/// Slices for products over an inner size `depth`, in both operands: how many, of how many bits.
struct SliceShape {
  int count, bits;
};
/// The fewest with at least so many bits in all; throws DomainError when there are none.
SliceShape slice_shape(Index depth, long bits);

/// hi + lo in slices, each entry within truncation() 2^frame, and equal where its last bit fits. `lo` is of
/// the same shape or empty (zero). Throws DomainError for other shapes and for numbers that are not finite or
/// exceed 2^900. The same with every kernel.
SliceMatrix sliced(const Matrix<double>& hi, const Matrix<double>& lo, Side side, SliceShape shape,
                   Kernel kernel = fastest_kernel());

/// A product as unevaluated sums hi + lo of two doubles, |lo| at most half a unit in the last place of hi,
/// and bounds on the distance to the exact product: of any entry, and in the Frobenius norm.
struct SliceProduct {
  Matrix<double> hi, lo;
  double entry_error, norm_error;
};

/// a b, of a left and a right operand as they stand in slices (see truncation_norm for what they were made
/// of), without the pairs of slices beyond the longer operand's last: short weights may have fewer slices, of
/// the same bits. The same with every kernel. Throws
/// DomainError when the sides or the inner sizes do not fit, when slices differ in bits or are too wide for
/// sums over the inner size, or when an entry might exceed 2^1000.
SliceProduct product(const SliceMatrix& a, const SliceMatrix& b, Kernel kernel = fastest_kernel());

/// Upper bound of the Frobenius norm of the distance to the matrix that the slices were made of.
double truncation_norm(const SliceMatrix& a);

}  // namespace rankfall
