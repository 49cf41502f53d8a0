#pragma once
#include <algorithm>

#include "numerics/slices/slice_matrix.hpp"

namespace rankfall::slices {

/// So many inner indices at a time that the panels they come from stay in the second cache.
constexpr Index depth_block = 256;

/// Calls visit(row panel, column panel, sums) for every tile of a b, where sums[t * tile_size ...] is the
/// exact sum over the pairs i + j = t, for t below `diagonals`.
template <class Visit>
void for_each_tile(const SliceMatrix& a, const SliceMatrix& b, int diagonals, Kernel kernel, Visit visit) {
  alignas(64) double sums[most_slices * tile_size];
  const Index left_slice = a.slice_size(), right_slice = b.slice_size();
  for (Index j = 0; j < b.panels(); ++j)
    for (Index i = 0; i < a.panels(); ++i) {
      std::fill_n(sums, diagonals * tile_size, 0.0);
      for (Index k = 0; k < a.inner(); k += depth_block)
        for (int t = 0; t < diagonals; ++t) {
          const int first = std::max(0, t - b.slices() + 1), last = std::min(t, a.slices() - 1);
          add_exact(kernel,
                    {a.panel(i) + first * left_slice + k * left_width, left_slice,
                     b.panel(j) + (t - first) * right_slice + k * right_width, -right_slice, last - first + 1,
                     std::min(depth_block, a.inner() - k)},
                    sums + t * tile_size);
        }
      visit(i, j, sums);
    }
}

}  // namespace rankfall::slices
