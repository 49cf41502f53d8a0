#pragma once
#include "numerics/matrix.hpp"

namespace rankfall::slices {

/// Digits of a slice, 2^bits its base.
constexpr int most_slices = 24, least_slice_bits = 8;

/// The widest slices of which, over an inner size `depth`, up to `pairs` pairs add up exactly in a double;
/// below least_slice_bits when there are none worth having.
int slice_bits(Index depth, int pairs);

/// How a product is done: which slices, and which pairs of them.
struct Plan {
  int bits = 0;       ///< of a slice
  int left = 0;       ///< slices of the left operand
  int right = 0;      ///< slices of the right operand
  int diagonals = 0;  ///< pairs (i, j) with i + j below this are kept
  double error = 0;   ///< bound on what an entry loses, in units of its row's and its column's frame
  int pairs() const;  ///< kept
};

/// What a plan has to know of its operands, in units of the frames. `width`: bits from the frame of a line
/// (row of the left, column of the right operand) down to its last bit; `sum`: at least the sum of the
/// absolute values in any line.
struct Extent {
  long width;
  double sum;
};

/// The cheapest plan with an error of at most `budget` (zero: exact); one of no diagonals when there is none.
Plan make_plan(Index depth, const Extent& left, const Extent& right, double budget);

/// Bound on what is lost by cutting numbers to `slices` slices of `bits` bits, in units of the frame.
double truncation(int slices, int bits);
/// Bound on an entry of the pairs left out (docs/engine.md, "Sliced products").
double dropped(Index depth, int bits, int left, int right, int diagonals);

}  // namespace rankfall::slices
