#pragma once
#include <optional>
#include <vector>

#include "numerics/matrix.hpp"
#include "numerics/slices/slice_matrix.hpp"

namespace rankfall::slices {

/// A matrix of balls seen as an operand of a product, line by line.
class Operand {
 public:
  /// Nothing when a ball is not finite or has an exponent beyond 2^30.
  static std::optional<Operand> read(const BallMatrix& matrix, Side side);

  Index lines() const { return lines_; }
  Index inner() const { return inner_; }
  bool exact() const { return exact_; }
  /// From the frame of a line down to its last bit, at most.
  long width() const { return width_; }
  const std::vector<long>& frames() const { return frames_; }
  arb_srcptr entry(Index line, Index k) const { return first_[line * line_step_ + k * inner_step_].raw(); }

  /// The midpoints in slices.
  SliceMatrix sliced(int slices, int bits) const;
  /// Upper bounds of the midpoints' absolute values m and the radii r in units of the frames, none that is
  /// not zero below 2^-502, packed in panels like slices: m, r for a left operand, r, m + r, m for a right
  /// one.
  Buffer bounds() const;
  static constexpr int left_bounds = 2, right_bounds = 3;

 private:
  bool scan();

  const Ball* first_ = nullptr;
  Side side_ = Side::left;
  Index rows_ = 0, cols_ = 0, lines_ = 0, inner_ = 0, line_step_ = 0, inner_step_ = 0;
  bool exact_ = true;
  long width_ = 1;
  std::vector<long> frames_;
};

}  // namespace rankfall::slices
