#include "numerics/slices/ball_product.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "numerics/slices/operand.hpp"
#include "numerics/slices/power_of_two.hpp"
#include "numerics/slices/rounding.hpp"
#include "numerics/slices/tiles.hpp"

namespace rankfall {
namespace {

using namespace slices;

/// The largest sum of one of `count` bounds over a line.
double largest_sum(const Buffer& bounds, Index panels, Index inner, Index width, Index count, Index which) {
  double largest = 0;
  double sums[right_width];
  for (Index panel = 0; panel < panels; ++panel) {
    std::fill_n(sums, width, 0.0);
    const double* x = bounds.data() + (panel * count + which) * inner * width;
    for (Index k = 0; k < inner; ++k)
      for (Index lane = 0; lane < width; ++lane) sums[lane] += *x++;
    largest = std::max(largest, *std::max_element(sums, sums + width));
  }
  return largest * (1 + static_cast<double>(inner + 2) * 0x1p-52);
}

/// Whether every entry of the product is a number of at most so many bits.
bool has_exact_product(const Operand& a, const Operand& b, long bits) {
  return a.exact() && b.exact() &&
         a.width() + b.width() + static_cast<long>(std::bit_width(static_cast<std::size_t>(a.inner()))) <=
             bits;
}

class Product {
 public:
  Product(const Operand& a, const Operand& b, Precision p, Kernel kernel)
      : a_(a),
        b_(b),
        p_(p),
        kernel_(kernel),
        left_panels_((a.lines() + left_width - 1) / left_width),
        right_panels_((b.lines() + right_width - 1) / right_width) {}

  std::optional<BallMatrix> result(int most_pairs) {
    const Buffer left = a_.bounds(), right = b_.bounds();
    const double budget = find_radii(left, right);
    const Extent rows{a_.width(),
                      largest_sum(left, left_panels_, a_.inner(), left_width, Operand::left_bounds, 0)},
        cols{b_.width(),
             largest_sum(right, right_panels_, a_.inner(), right_width, Operand::right_bounds, 2)};
    const Plan plan = make_plan(a_.inner(), rows, cols, fits() ? 0 : budget);
    if (plan.diagonals == 0 || plan.pairs() > most_pairs) return std::nullopt;
    return rounded(plan);
  }

 private:
  /// Fills radii_ and returns how much more the slices may add to each.
  double find_radii(const Buffer& left, const Buffer& right);
  BallMatrix rounded(const Plan& plan) const;
  bool fits() const { return has_exact_product(a_, b_, p_.bits); }

  const Operand &a_, &b_;
  Precision p_;
  Kernel kernel_;
  Index left_panels_, right_panels_;
  Buffer radii_;
};

double Product::find_radii(const Buffer& left, const Buffer& right) {
  const Index depth = a_.inner(), left_slice = depth * left_width, right_slice = depth * right_width;
  // (2 depth + 1) roundings down by at most 2^-53 each, and a few more.
  const double up = 1 + static_cast<double>(2 * depth + 4) * 0x1p-52, unit = power_of_two(-p_.bits - 3);
  radii_ = Buffer(static_cast<std::size_t>(left_panels_ * right_panels_ * tile_size));
  double budget = std::numeric_limits<double>::infinity();
  alignas(64) double sizes[tile_size];
  for (Index j = 0; j < right_panels_; ++j)
    for (Index i = 0; i < left_panels_; ++i) {
      const double* x = left.data() + i * left_slice * Operand::left_bounds;
      const double* y = right.data() + j * right_slice * Operand::right_bounds;
      double* const radii = radii_.data() + (j * left_panels_ + i) * tile_size;
      std::fill_n(sizes, tile_size, 0.0);
      std::fill_n(radii, tile_size, 0.0);
      add_in_order(kernel_, {x, 0, y + 2 * right_slice, 0, 1, depth}, sizes);
      if (!a_.exact() || !b_.exact())  // |A| r_B + r_A (|B| + r_B)
        add_in_order(kernel_, {x, left_slice, y, right_slice, 2, depth}, radii);
      for (Index entry = 0; entry < tile_size; ++entry) {
        if (sizes[entry] > 0) budget = std::min(budget, std::max(sizes[entry] * unit, radii[entry] * 0.25));
        radii[entry] = sizes[entry] + radii[entry] > 0 ? radii[entry] * up : -1;
      }
    }
  return budget;
}

BallMatrix Product::rounded(const Plan& plan) const {
  const SliceMatrix left = a_.sliced(plan.left, plan.bits), right = b_.sliced(plan.right, plan.bits);
  const Rounding rounding(plan.bits, plan.diagonals, tile_size, p_);
  BallMatrix result(a_.lines(), b_.lines());
  for_each_tile(left, right, plan.diagonals, kernel_, [&](Index i, Index j, const double* sums) {
    const double* const radii = radii_.data() + (j * left_panels_ + i) * tile_size;
    const Index rows = std::min(left_width, result.rows() - i * left_width),
                cols = std::min(right_width, result.cols() - j * right_width);
    for (Index row = 0; row < rows; ++row)
      for (Index col = 0; col < cols; ++col) {
        const Index entry = row * right_width + col, r = i * left_width + row, c = j * right_width + col;
        if (radii[entry] < 0) continue;
        const double radius = (radii[entry] + plan.error) * (1 + 0x1p-50);
        rounding.set(
            result(r, c).raw(), sums + entry, radius,
            left.frames()[static_cast<std::size_t>(r)] + right.frames()[static_cast<std::size_t>(c)]);
      }
  });
  return result;
}

}  // namespace

std::optional<BallMatrix> sliced_product(const BallMatrix& a, const BallMatrix& b, Precision p, Kernel kernel,
                                         int most_pairs) {
  const std::optional<Operand> left = Operand::read(a, Side::left), right = Operand::read(b, Side::right);
  if (!left || !right) return std::nullopt;
  if (p.bits > most_sliced_bits) {
    if (!has_exact_product(*left, *right, most_sliced_bits)) return std::nullopt;
    p = Precision(most_sliced_bits);
  }
  if (a.cols() == 0) return BallMatrix(a.rows(), b.cols());
  return Product(*left, *right, p, kernel).result(most_pairs);
}

}  // namespace rankfall
