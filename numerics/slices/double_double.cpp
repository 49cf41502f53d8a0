#include "numerics/slices/double_double.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/errors.hpp"
#include "numerics/slices/power_of_two.hpp"
#include "numerics/slices/tiles.hpp"

namespace rankfall {
namespace {

using namespace slices;

constexpr int lanes = 8;

/// The least frame of |x| <= 2^(frame - 1) for |x| <= largest, or -960.
long frame_of(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::max<long>(exponent + 1, -960);
}

/// Frames of |hi| + |lo|.
void set_frames(SliceMatrix& a, const Matrix<double>& hi, const Matrix<double>& lo) {
  const bool left = a.side() == Side::left;
  std::vector<double> largest(a.frames().size(), 0.0);
  for (Index i = 0; i < hi.rows(); ++i)
    for (Index j = 0; j < hi.cols(); ++j) {
      const double size = std::abs(hi(i, j)) + (lo.size() == 0 ? 0.0 : std::abs(lo(i, j)));
      if (!(size <= 0x1p900))
        throw DomainError("slices of " + std::to_string(hi(i, j)) + " in row " + std::to_string(i) +
                          ", column " + std::to_string(j) + ": finite numbers up to 2^900 are allowed");
      double& most = largest[static_cast<std::size_t>(left ? i : j)];
      most = std::max(most, size);
    }
  for (std::size_t line = 0; line < largest.size(); ++line) a.frames()[line] = frame_of(largest[line]);
}

/// |(2^frame)_lines|_2 2^-shift, for shift the largest frame, rounded up.
double frames_norm(const SliceMatrix& a, long& shift) {
  shift = a.frames().empty() ? 0 : *std::max_element(a.frames().begin(), a.frames().end());
  double sum = 0;
  for (const long frame : a.frames()) sum += power_of_two(2 * std::max(frame - shift, -500L));
  return std::sqrt(sum) * (1 + static_cast<double>(a.lines() + 8) * 0x1p-52);
}

/// At most so many pairs, none of them beyond the longer operand's last slice.
int diagonals_of(const SliceMatrix& a, const SliceMatrix& b) {
  return std::max(a.slices(), b.slices());
}

void check(const SliceMatrix& a, const SliceMatrix& b) {
  if (a.side() != Side::left || b.side() != Side::right)
    throw DomainError("product of slices: a left operand times a right one is allowed");
  if (a.inner() != b.inner())
    throw DomainError("product of slices of " + std::to_string(a.inner()) + " columns and of " +
                      std::to_string(b.inner()) + " rows: the inner sizes differ");
  const int widest = slice_bits(a.inner(), std::min(a.slices(), b.slices()));
  if (a.bits() != b.bits() || a.bits() > widest)
    throw DomainError("product of slices of " + std::to_string(a.bits()) + " and " +
                      std::to_string(b.bits()) + " bits: equal ones of at most " + std::to_string(widest) +
                      " are allowed for an inner size of " + std::to_string(a.inner()));
}

/// x 2^exponent, for an exponent up to 2000, to within 2^-1072; |x| < 2^60.
double scaled(double x, long exponent) {
  exponent = std::max(exponent, -2000L);
  const long half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

}  // namespace

SliceShape slice_shape(Index depth, long bits) {
  for (int count = 1; count <= most_slices; ++count) {
    const int width = slice_bits(depth, count);
    if (static_cast<long>(width) * count >= bits) return {count, width};
  }
  throw DomainError("slices of " + std::to_string(bits) + " bits for an inner size of " +
                    std::to_string(depth) + ": too many");
}

SliceMatrix sliced(const Matrix<double>& hi, const Matrix<double>& lo, Side side, SliceShape shape,
                   Kernel kernel) {
  if (lo.size() != 0 && (lo.rows() != hi.rows() || lo.cols() != hi.cols()))
    throw DomainError("slices of hi + lo: the shapes differ");
  SliceMatrix result(side, hi.rows(), hi.cols(), shape.count, shape.bits);
  set_frames(result, hi, lo);
  const Index line_step = side == Side::left ? hi.cols() : 1, inner_step = side == Side::left ? 1 : hi.cols();
  bool exact = true;
  for (Index line = 0; line < result.panels() * result.width(); line += lanes) {
    double* out = result.panel(line / result.width()) + line % result.width();
    const int filled = static_cast<int>(std::clamp<Index>(result.lines() - line, 0, lanes));
    double unit[lanes], back[lanes], x[lanes] = {}, y[lanes] = {};
    for (int lane = 0; lane < filled; ++lane) {
      unit[lane] = power_of_two(-result.frames()[static_cast<std::size_t>(line + lane)]);
      back[lane] = power_of_two(result.frames()[static_cast<std::size_t>(line + lane)]);
    }
    for (Index k = 0; k < result.inner(); ++k, out += result.width()) {
      const Index first = line * line_step + k * inner_step;
      for (int lane = 0; lane < filled; ++lane) {
        const double high = hi.data()[first + lane * line_step];
        x[lane] = high * unit[lane];
        exact &= x[lane] * back[lane] == high;
      }
      if (lo.size() != 0)
        for (int lane = 0; lane < filled; ++lane) {
          const double low = lo.data()[first + lane * line_step];
          y[lane] = low * unit[lane];
          exact &= y[lane] * back[lane] == low;
        }
      exact &= split(kernel, x, y, shape.count, shape.bits, out, result.slice_size());
    }
  }
  if (!exact) result.set_truncation(truncation(shape.count, shape.bits));
  return result;
}

SliceProduct product(const SliceMatrix& a, const SliceMatrix& b, Kernel kernel) {
  check(a, b);
  SliceProduct result{Matrix<double>(a.rows(), b.cols()), Matrix<double>(a.rows(), b.cols()), 0, 0};
  long left_shift, right_shift;
  const double left_norm = frames_norm(a, left_shift), right_norm = frames_norm(b, right_shift);
  const long shift = left_shift + right_shift;
  if (shift + static_cast<long>(std::log2(static_cast<double>(a.inner() + 1))) > 1000)
    throw DomainError("product of slices: entries may exceed 2^1000");
  const int diagonals = diagonals_of(a, b);
  for_each_tile(a, b, diagonals, kernel, [&](Index i, Index j, const double* sums) {
    const Index rows = std::min(left_width, a.rows() - i * left_width), col = j * right_width,
                cols = std::min(right_width, b.cols() - col);
    for (Index row = 0; row < rows; ++row) {
      const Index r = i * left_width + row;
      long exponents[right_width] = {};
      for (Index c = 0; c < cols; ++c)
        exponents[c] =
            a.frames()[static_cast<std::size_t>(r)] + b.frames()[static_cast<std::size_t>(col + c)];
      double hi[right_width], lo[right_width];
      join(kernel, sums + row * right_width, diagonals, a.bits(), exponents, hi, lo);
      std::copy_n(hi, cols, &result.hi(r, col));
      std::copy_n(lo, cols, &result.lo(r, col));
    }
  });
  const double lost = dropped(a.inner(), a.bits(), a.slices(), b.slices(), diagonals), up = 1 + 0x1p-20;
  const double largest = result.hi.size() == 0 ? 0 : result.hi.cwiseAbs().maxCoeff();
  int exponent = 0;
  std::frexp(largest, &exponent);
  const double norm = std::sqrt((result.hi * power_of_two(std::clamp(-exponent, -1000, 1000))).squaredNorm());
  result.entry_error = (scaled(lost, shift) + 0x1p-104 * largest) * up + 0x1p-1000;
  result.norm_error =
      (scaled(lost * left_norm * right_norm, shift) + scaled(0x1p-104 * norm, exponent)) * up + 0x1p-1000;
  return result;
}

double truncation_norm(const SliceMatrix& a) {
  if (a.truncation() == 0) return 0;
  long shift;
  const double norm = frames_norm(a, shift);
  return scaled(norm * a.truncation() * std::sqrt(static_cast<double>(a.inner())) * (1 + 0x1p-40), shift) +
         0x1p-1000;
}

}  // namespace rankfall
