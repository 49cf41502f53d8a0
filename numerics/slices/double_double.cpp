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
constexpr double to_integer_shift = 0x1.8p52;  // adding and taking away rounds |x| < 2^51 to an integer

/// hi + lo = a + b, hi = a + b rounded.
void two_sum(double a, double b, double& hi, double& lo) {
  const double sum = a + b, rest = sum - a;
  lo = (a - (sum - rest)) + (b - rest);
  hi = sum;
}

/// The binary exponent e of the largest |x| < 2^e.
long frame_of(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::max<long>(exponent + 1, -960);
}

/// Eight numbers of one inner index, x + y in units of their frames, to digits; whether nothing is left.
bool write_digits(double (&x)[lanes], double (&y)[lanes], int slices, int bits, double* out, Index stride) {
  const double base = power_of_two(bits);
  for (int t = 0; t < slices; ++t, out += stride)
    for (int lane = 0; lane < lanes; ++lane) {
      const double scaled = x[lane] * base, digit = (scaled + to_integer_shift) - to_integer_shift;
      out[lane] = digit;
      two_sum(scaled - digit, y[lane] * base, x[lane], y[lane]);
    }
  bool left = false;
  for (int lane = 0; lane < lanes; ++lane) left = left || x[lane] != 0;
  return !left;
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

/// sum_t sums[t] 2^(-bits (t + 2)) to within 2^-104 of itself.
void evaluate(const double* sums, int diagonals, int bits, double& hi, double& lo) {
  const double base = power_of_two(bits), inverse = power_of_two(-bits);
  double digits[most_slices];
  double carry = 0;
  for (int t = diagonals - 1; t > 0; --t) {
    const double sum = sums[t * tile_size] + carry;
    carry = (sum * inverse + to_integer_shift) - to_integer_shift;
    digits[t] = sum - carry * base;
  }
  digits[0] = sums[0] + carry;
  double unit = power_of_two(-static_cast<long>(bits) * (diagonals + 1)), sum = 0, rest = 0;
  for (int t = diagonals - 1; t >= 0; --t, unit *= base) {
    double error;
    two_sum(digits[t] * unit, sum, sum, error);
    rest += error;
  }
  two_sum(sum, rest, hi, lo);
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

SliceMatrix sliced(const Matrix<double>& hi, const Matrix<double>& lo, Side side, SliceShape shape) {
  if (lo.size() != 0 && (lo.rows() != hi.rows() || lo.cols() != hi.cols()))
    throw DomainError("slices of hi + lo: the shapes differ");
  SliceMatrix result(side, hi.rows(), hi.cols(), shape.count, shape.bits);
  const bool left = side == Side::left;
  std::vector<double> largest(result.frames().size(), 0.0);
  Matrix<double> high(hi.rows(), hi.cols()), low(hi.rows(), hi.cols());
  for (Index i = 0; i < hi.rows(); ++i)
    for (Index j = 0; j < hi.cols(); ++j) {
      two_sum(hi(i, j), lo.size() == 0 ? 0.0 : lo(i, j), high(i, j), low(i, j));
      if (!(std::abs(high(i, j)) <= 0x1p900) || !std::isfinite(low(i, j)))
        throw DomainError("slices of " + std::to_string(hi(i, j)) +
                          ": finite numbers up to 2^900 are allowed");
      double& most = largest[static_cast<std::size_t>(left ? i : j)];
      most = std::max(most, std::abs(high(i, j)));
    }
  for (std::size_t line = 0; line < largest.size(); ++line) result.frames()[line] = frame_of(largest[line]);
  bool exact = true;
  for (Index line = 0; line < result.panels() * result.width(); line += lanes) {
    double* out = result.panel(line / result.width()) + line % result.width();
    double unit[lanes];
    for (int lane = 0; lane < lanes; ++lane)
      unit[lane] = line + lane < result.lines()
                       ? power_of_two(-result.frames()[static_cast<std::size_t>(line + lane)])
                       : 0;
    for (Index k = 0; k < result.inner(); ++k, out += result.width()) {
      double x[lanes] = {}, y[lanes] = {};
      for (int lane = 0; lane < lanes && line + lane < result.lines(); ++lane) {
        const double h = left ? high(line + lane, k) : high(k, line + lane),
                     l = left ? low(line + lane, k) : low(k, line + lane);
        x[lane] = h * unit[lane];
        y[lane] = l * unit[lane];
        exact = exact && x[lane] / unit[lane] == h && y[lane] / unit[lane] == l;
      }
      exact = write_digits(x, y, shape.count, shape.bits, out, result.slice_size()) && exact;
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
  if (left_shift + right_shift + static_cast<long>(std::log2(static_cast<double>(a.inner() + 1))) > 1000)
    throw DomainError("product of slices: entries may exceed 2^1000");
  const int diagonals = diagonals_of(a, b);
  double largest = 0, squares = 0;
  for_each_tile(a, b, diagonals, kernel, [&](Index i, Index j, const double* sums) {
    const Index rows = std::min(left_width, a.rows() - i * left_width),
                cols = std::min(right_width, b.cols() - j * right_width);
    for (Index row = 0; row < rows; ++row)
      for (Index col = 0; col < cols; ++col) {
        const Index r = i * left_width + row, c = j * right_width + col;
        const long left_frame = a.frames()[static_cast<std::size_t>(r)],
                   right_frame = b.frames()[static_cast<std::size_t>(c)];
        double hi, lo;
        evaluate(sums + row * right_width + col, diagonals, a.bits(), hi, lo);
        const double relative =
            scaled(hi, std::max(left_frame + right_frame - left_shift - right_shift, -900L));
        largest = std::max(largest, std::abs(relative));
        squares += relative * relative;
        result.hi(r, c) = scaled(hi, left_frame + right_frame);
        result.lo(r, c) = scaled(lo, left_frame + right_frame);
      }
  });
  const double lost = dropped(a.inner(), a.bits(), a.slices(), b.slices(), diagonals), up = 1 + 0x1p-20;
  result.entry_error = scaled((lost + 0x1p-104 * largest) * up, left_shift + right_shift) + 0x1p-1000;
  result.norm_error =
      scaled((lost * left_norm * right_norm + 0x1p-104 * std::sqrt(squares)) * up, left_shift + right_shift) +
      0x1p-1000;
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
