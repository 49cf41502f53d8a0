#include "verify/search/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

constexpr std::uint64_t search_cell = 0x7365617263680000;  // a cell of its own among the streams

struct Group {
  Index rows, cols;
  enum class Of { tokens, scores, bias, values, mlp } of;
  Index head = 0;
};

std::vector<Group> groups(const Shape& shape) {
  std::vector<Group> result{{shape.tokens, shape.dim, Group::Of::tokens}};
  for (Index layer = 0; layer < shape.depth; ++layer) {
    const Index width = shape.width_behind(layer);
    for (Index h = 0; h < shape.heads; ++h) {
      result.push_back({shape.dim, shape.dim, Group::Of::scores, h});
      result.push_back({1, shape.dim, Group::Of::bias, h});
      result.push_back({shape.dim, width, Group::Of::values, h});
    }
    for (int k = 0; shape.mlp && k < 2; ++k) result.push_back({width, width, Group::Of::mlp});
  }
  return result;
}

ExactMatrix matrix(const Point& point, std::size_t group, Index rows, Index cols) {
  const auto begin =
      point.numbers.begin() + static_cast<std::ptrdiff_t>(group ? point.group_ends[group - 1] : 0);
  return ExactMatrix::from(rows, cols, std::vector<double>(begin, begin + rows * cols));
}

/// Families in which extremal instances are known to lie.
enum class Family { gaussian, two_clusters, one_hot, rank_one, split_norms, large_shift, lattice, sparse };
constexpr std::uint64_t families = 8;

/// Each once in 16 starting points, and more often lattice and sparse, where most worst cases were found.
Family family_of(std::uint64_t number) {
  const std::uint64_t turn = number % (2 * families);
  if (turn < families) return static_cast<Family>(turn);
  return turn < 2 * families - 3 ? Family::sparse : Family::lattice;
}

/// Fills a group, row by row.
class Filler {
 public:
  Filler(const Stream& stream, Family family) : stream_(stream), family_(family) {}

  void fill(std::span<double> numbers, const Group& group) {
    for (double& number : numbers) number = normal();
    if (family_ == Family::lattice)
      for (double& number : numbers) number = std::round(number);
    if (family_ == Family::sparse)  // mostly zeros, the rest +-1
      for (double& number : numbers) number = std::abs(number) < 1 ? 0 : std::copysign(1, number);
    if (group.of == Group::Of::bias) return fill_bias(numbers);
    if (group.of == Group::Of::tokens) return fill_tokens(numbers, group);
    if (family_ == Family::rank_one || (family_ == Family::two_clusters && group.of == Group::Of::scores))
      make_rank_one(numbers, group);
    if (family_ == Family::one_hot && group.of == Group::Of::scores)
      for (double& number : numbers) number *= 16;
    if (family_ == Family::split_norms && group.of == Group::Of::values) split(numbers, group);
  }

 private:
  double normal() { return stream_.normal(next_++); }

  void fill_tokens(std::span<double> numbers, const Group& group) {
    const double shift = family_ == Family::large_shift ? 64 : 0;
    for (Index i = 0; i < group.rows; ++i)
      for (Index j = 0; j < group.cols; ++j) {
        double& number = at(numbers, group, i, j);
        if (family_ == Family::two_clusters) number = i == 0 ? 1 : -1;
        number += shift * static_cast<double>(j + 1);
      }
  }

  /// None, or large where attention is to be one-hot or to rest on a few tokens.
  void fill_bias(std::span<double> numbers) {
    const bool large = family_ == Family::one_hot || family_ == Family::sparse || family_ == Family::lattice;
    for (double& number : numbers) number *= large ? 4 : 0;
  }

  void make_rank_one(std::span<double> numbers, const Group& group) {
    for (Index i = 1; i < group.rows; ++i) {
      const double factor = normal();
      for (Index j = 0; j < group.cols; ++j) at(numbers, group, i, j) = factor * at(numbers, group, 0, j);
    }
  }

  /// One head into the first column, the others evenly into the rest: composite norms that do not add.
  void split(std::span<double> numbers, const Group& group) {
    const Index rest = std::max<Index>(1, group.cols - 1);
    for (Index i = 0; i < group.rows; ++i)
      for (Index j = 0; j < group.cols; ++j) {
        const bool first = j == 0 || group.cols == 1;
        at(numbers, group, i, j) = group.head == 0 ? static_cast<double>(first)
                                                   : (first ? 0 : 1 / std::sqrt(static_cast<double>(rest)));
      }
  }

  static double& at(std::span<double> numbers, const Group& group, Index i, Index j) {
    return numbers[static_cast<std::size_t>(i * group.cols + j)];
  }

  Stream stream_;
  Family family_;
  std::uint64_t next_ = 0;
};

}  // namespace

void validate(const Shape& shape) {
  for (const Index size : {shape.tokens, shape.dim, shape.heads, shape.outputs, shape.depth})
    if (size < 1 || size > most_search_numbers)
      throw InputError(fmt::format("a size of {}; allowed are 1 to {}", size, most_search_numbers));
  const Integer dim = shape.dim, between = shape.depth - 1, outputs = shape.outputs, heads = shape.heads;
  const Integer widths = between * dim + outputs, squares = between * dim * dim + outputs * outputs;
  const Integer count = shape.tokens * dim + heads * (shape.depth * (dim * dim + dim) + dim * widths) +
                        (shape.mlp ? 2 * squares : Integer(0));
  if (count > most_search_numbers)
    throw InputError(
        fmt::format("{} numbers to search over; allowed are at most {}", count.str(), most_search_numbers));
}

Network network_of(const Shape& shape, const Point& point) {
  Network network;
  std::size_t group = 0;
  network.input = matrix(point, group++, shape.tokens, shape.dim);
  for (Index layer = 0; layer < shape.depth; ++layer) {
    const Index width = shape.width_behind(layer);
    AttentionBlock attention;
    attention.skip = shape.skip;
    for (Index h = 0; h < shape.heads; ++h) {
      Head head;
      head.d_qk = shape.dim;
      head.W_Q = matrix(point, group++, shape.dim, shape.dim);
      head.W_K = ExactMatrix::identity(shape.dim);
      head.b_Q = matrix(point, group++, 1, shape.dim);
      head.W_V = matrix(point, group++, shape.dim, width);
      attention.heads.push_back(std::move(head));
    }
    network.blocks.emplace_back(std::move(attention));
    if (!shape.mlp) continue;
    MlpBlock block;
    block.activation = Activation::relu;
    for (int k = 0; k < 2; ++k) block.layers.push_back({matrix(point, group++, width, width), {}});
    network.blocks.emplace_back(std::move(block));
  }
  return network;
}

Point starting_point(const Shape& shape, std::uint64_t seed, std::uint64_t number) {
  Point point;
  Filler filler(Stream(seed, search_cell, number, 0), family_of(number));
  for (const Group& group : groups(shape)) {
    const std::size_t begin = point.numbers.size();
    point.numbers.resize(begin + static_cast<std::size_t>(group.rows * group.cols));
    point.group_ends.push_back(point.numbers.size());
    filler.fill(std::span(point.numbers).subspan(begin), group);
  }
  return point;
}

Point rounded(const Point& point, int bits) {
  Point result = point;
  for (std::size_t group = 0; group < point.group_ends.size(); ++group) {
    const std::size_t begin = group ? point.group_ends[group - 1] : 0, end = point.group_ends[group];
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(point.numbers[i]));
    if (largest == 0) continue;
    const int unit = std::ilogb(largest) + 1 - bits;
    for (std::size_t i = begin; i < end; ++i)
      result.numbers[i] = std::ldexp(std::round(std::ldexp(point.numbers[i], -unit)), unit);
  }
  return result;
}

}  // namespace rankfall::verify
