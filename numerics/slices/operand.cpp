#include "numerics/slices/operand.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "numerics/slices/digits.hpp"
#include "numerics/slices/power_of_two.hpp"

namespace rankfall::slices {
namespace {

constexpr long largest_exponent = 1L << 30;
constexpr long least_scale = -500;

bool small(const fmpz& exponent) {
  return !COEFF_IS_MPZ(exponent) && exponent >= -largest_exponent && exponent <= largest_exponent;
}

/// Finite, with exponents that fit.
bool readable(arb_srcptr x) {
  const bool mid = arf_is_special(arb_midref(x)) ? arf_is_zero(arb_midref(x)) : small(ARF_EXP(arb_midref(x)));
  const bool rad = mag_is_special(arb_radref(x)) ? mag_is_zero(arb_radref(x)) : small(MAG_EXP(arb_radref(x)));
  return mid && rad;
}

/// At least |x| 2^-frame.
double bound(arf_srcptr x, long frame) {
  if (arf_is_special(x)) return 0;
  mp_srcptr limbs;
  mp_size_t size;
  ARF_GET_MPN_READONLY(limbs, size, x);
  const double top = static_cast<double>((limbs[size - 1] >> 11) + 1);
  return top * power_of_two(std::max(ARF_EXP(x) - frame, least_scale) - 53);
}

double bound(mag_srcptr x, long frame) {
  if (mag_is_special(x)) return 0;
  return static_cast<double>(MAG_MAN(x)) * power_of_two(std::max(MAG_EXP(x) - frame, least_scale) - MAG_BITS);
}

}  // namespace

std::optional<Operand> Operand::read(const BallMatrix& matrix, Side side) {
  Operand result;
  const bool left = side == Side::left;
  result.first_ = matrix.data();
  result.side_ = side;
  result.rows_ = matrix.rows();
  result.cols_ = matrix.cols();
  result.lines_ = left ? matrix.rows() : matrix.cols();
  result.inner_ = left ? matrix.cols() : matrix.rows();
  result.line_step_ = left ? matrix.cols() : 1;
  result.inner_step_ = left ? 1 : matrix.cols();
  if (!result.scan()) return std::nullopt;
  return result;
}

bool Operand::scan() {
  constexpr long none = std::numeric_limits<long>::min();
  const auto size = static_cast<std::size_t>(lines_);
  std::vector<long> last(size, std::numeric_limits<long>::max());
  frames_.assign(size, none);
  for (Index row = 0; row < rows_; ++row)
    for (Index col = 0; col < cols_; ++col) {
      arb_srcptr x = first_[row * cols_ + col].raw();
      if (!readable(x)) return false;
      const auto line = static_cast<std::size_t>(side_ == Side::left ? row : col);
      long top = frames_[line];
      if (arf_srcptr mid = arb_midref(x); !arf_is_special(mid)) {
        mp_srcptr limbs;
        mp_size_t limb_count;
        ARF_GET_MPN_READONLY(limbs, limb_count, mid);
        top = std::max(top, static_cast<long>(ARF_EXP(mid)));
        last[line] = std::min(last[line], ARF_EXP(mid) - 64 * limb_count + std::countr_zero(limbs[0]));
      }
      if (!mag_is_special(arb_radref(x))) {
        top = std::max(top, static_cast<long>(MAG_EXP(arb_radref(x))));
        exact_ = false;
      }
      frames_[line] = top;
    }
  for (std::size_t line = 0; line < size; ++line) {
    frames_[line] = frames_[line] == none ? 0 : frames_[line] + 1;
    if (last[line] < frames_[line]) width_ = std::max(width_, frames_[line] - last[line]);
  }
  return true;
}

SliceMatrix Operand::sliced(int slices, int bits) const {
  SliceMatrix result(side_, rows_, cols_, slices, bits);
  result.frames() = frames_;
  if (width_ > static_cast<long>(slices) * bits) result.set_truncation(truncation(slices, bits));
  Digits digits(slices, bits);
  for (Index line = 0; line < lines_; line += Digits::lanes) {
    double* out = result.panel(line / result.width()) + line % result.width();
    const int filled = static_cast<int>(std::min<Index>(Digits::lanes, lines_ - line));
    for (int lane = filled; lane < Digits::lanes; ++lane) digits.put_zero(lane);
    for (Index k = 0; k < inner_; ++k, out += result.width()) {
      for (int lane = 0; lane < filled; ++lane)
        digits.put(lane, arb_midref(entry(line + lane, k)), frames_[static_cast<std::size_t>(line + lane)]);
      digits.write(out, result.slice_size());
    }
  }
  // Half of a last wide panel may have no lines at all.
  const Index padded = (lines_ + Digits::lanes - 1) / Digits::lanes * Digits::lanes;
  if (padded % result.width() != 0)
    for (int t = 0; t < slices; ++t)
      for (Index k = 0; k < inner_; ++k)
        std::fill_n(result.panel(result.panels() - 1) + t * result.slice_size() + k * result.width() +
                        padded % result.width(),
                    Digits::lanes, 0.0);
  return result;
}

Buffer Operand::bounds() const {
  const bool left = side_ == Side::left;
  const Index width = left ? left_width : right_width, count = left ? left_bounds : right_bounds;
  const Index panels = (lines_ + width - 1) / width, slice = inner_ * width;
  Buffer result(static_cast<std::size_t>(panels * slice * count));
  for (Index panel = 0; panel < panels; ++panel)
    for (Index k = 0; k < inner_; ++k) {
      double* out = result.data() + panel * slice * count + k * width;
      for (Index lane = 0; lane < width; ++lane, ++out) {
        const Index line = panel * width + lane;
        double mid = 0, rad = 0;
        if (line < lines_) {
          const long frame = frames_[static_cast<std::size_t>(line)];
          mid = bound(arb_midref(entry(line, k)), frame);
          rad = bound(arb_radref(entry(line, k)), frame);
        }
        out[0] = left ? mid : rad;
        out[slice] = left ? rad : mid + rad;
        if (!left) out[2 * slice] = mid;
      }
    }
  return result;
}

}  // namespace rankfall::slices
