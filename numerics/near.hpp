#pragma once
#include <vector>

#include "numerics/matrix.hpp"

namespace rankfall {

/// Balls in doubles, with bounds of what each misses: what doubles prove not to matter needs no balls.
struct Near {
  Matrix<double> entries, missing;

  explicit Near(const BallMatrix& a);
};

/// A double within a relative 2^-52 of a's midpoint, or within 2^-500; quicker than the nearest one.
double near_double(const Ball& a);

/// Numbers known up to something each: which of them may be the largest. None is left out for lack of range.
std::vector<Index> may_be_largest(const std::vector<double>& near, const std::vector<double>& missing);

}  // namespace rankfall
