#pragma once
#include <vector>

#include "numerics/slices/buffer.hpp"
#include "numerics/slices/kernel.hpp"
#include "numerics/slices/plan.hpp"

namespace rankfall {

/// Which operand of a product a matrix in slices is made for.
enum class Side { left, right };

/// A matrix as integers in doubles: entry = 2^frame sum_t d_t 2^(-bits (t+1)), |d_t| <= 2^(bits-1), one frame
/// for each line: each row of a left operand, each column of a right one. Products of two add up exactly.
class SliceMatrix {
 public:
  /// Uninitialised digits, frames of zero.
  SliceMatrix(Side side, Index rows, Index cols, int slices, int bits);

  Side side() const { return side_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index lines() const { return side_ == Side::left ? rows_ : cols_; }
  Index inner() const { return side_ == Side::left ? cols_ : rows_; }
  int slices() const { return slices_; }
  int bits() const { return bits_; }
  /// |entry| <= 2^(frame - 1).
  const std::vector<long>& frames() const { return frames_; }
  std::vector<long>& frames() { return frames_; }
  /// What an entry may differ from the number it was made of, in units of 2^frame.
  double truncation() const { return truncation_; }
  void set_truncation(double bound) { truncation_ = bound; }

  /// Lines of a panel, panels, and the digits of one: for each slice, for each inner index, one of each line;
  /// lines that pad the last panel are zero.
  Index width() const { return side_ == Side::left ? slices::left_width : slices::right_width; }
  Index panels() const { return (lines() + width() - 1) / width(); }
  Index slice_size() const { return inner() * width(); }
  double* panel(Index i) { return digits_.data() + i * slice_size() * slices_; }
  const double* panel(Index i) const { return digits_.data() + i * slice_size() * slices_; }

 private:
  Side side_;
  Index rows_, cols_;
  int slices_, bits_;
  double truncation_ = 0;
  std::vector<long> frames_;
  slices::Buffer digits_;
};

}  // namespace rankfall
