#include "numerics/slices/slice_matrix.hpp"

namespace rankfall {

SliceMatrix::SliceMatrix(Side side, Index rows, Index cols, int slices, int bits)
    : side_(side),
      rows_(rows),
      cols_(cols),
      slices_(slices),
      bits_(bits),
      frames_(static_cast<std::size_t>(lines()), 0),
      digits_(static_cast<std::size_t>(panels() * slice_size() * slices)) {}

}  // namespace rankfall
