#include "numerics/san/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"
#include "numerics/random.hpp"

namespace rankfall {
namespace {

// Only IEEE operations that round correctly (+ - * / and the square root): weights are promised bit for bit.

constexpr std::uint64_t cell = 0, second_cell = 1, input_block = 0;
enum class Role : std::uint64_t { W_Q, W_K, W_V, W_O, count };

/// What a matrix is drawn from: one stream, and a second where a law needs two.
struct Source {
  Stream first, second;
};

Source source(const HeadSite& site, Role role) {
  const auto matrix = site.head * static_cast<std::uint64_t>(Role::count) + static_cast<std::uint64_t>(role);
  return {{site.seed, cell, site.block, matrix}, {site.seed, second_cell, site.block, matrix}};
}

/// rows x cols entries, each from its own index.
template <class Entry>
Matrix<double> entrywise(Index rows, Index cols, Entry entry) {
  Matrix<double> result(rows, cols);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = entry(static_cast<std::uint64_t>(i));
  return result;
}

/// A head whose matrices are drawn alike by draw(rows, cols, source).
template <class Draw>
DrawnHead matrixwise(const HeadSite& site, Draw draw) {
  return {
      draw(site.dim, site.d_qk, source(site, Role::W_Q)), draw(site.dim, site.d_qk, source(site, Role::W_K)),
      draw(site.dim, site.d_qk, source(site, Role::W_V)), draw(site.d_qk, site.dim, source(site, Role::W_O))};
}

DrawnHead gaussian_head(const HeadSite& site) {
  const double root = std::sqrt(static_cast<double>(site.dim));
  return matrixwise(site, [root](Index rows, Index cols, const Source& source) {
    return entrywise(rows, cols, [&](std::uint64_t i) { return source.first.normal(i) / root; });
  });
}

DrawnHead uniform_head(const HeadSite& site) {
  const double reach = std::sqrt(3 / static_cast<double>(site.dim));
  return matrixwise(site, [reach](Index rows, Index cols, const Source& source) {
    return entrywise(rows, cols, [&](std::uint64_t i) { return (2 * source.first.uniform(i) - 1) * reach; });
  });
}

/// Makes the columns orthonormal up to rounding, from left to right, each treated twice; at most as many
/// columns as rows.
void orthonormalise(Matrix<double>& W) {
  for (Index j = 0; j < W.cols(); ++j) {
    for (Index pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < j; ++k) {
        double overlap = 0;
        for (Index i = 0; i < W.rows(); ++i) overlap += W(i, k) * W(i, j);
        for (Index i = 0; i < W.rows(); ++i) W(i, j) -= overlap * W(i, k);
      }
    double square = 0;
    for (Index i = 0; i < W.rows(); ++i) square += W(i, j) * W(i, j);
    const double norm = std::sqrt(square);
    for (Index i = 0; i < W.rows(); ++i) W(i, j) /= norm;
  }
}

DrawnHead orthogonal_head(const HeadSite& site) {
  return matrixwise(site, [](Index rows, Index cols, const Source& source) {
    const bool tall = rows >= cols;
    Matrix<double> W = entrywise(tall ? rows : cols, tall ? cols : rows,
                                 [&](std::uint64_t i) { return source.first.normal(i); });
    orthonormalise(W);
    return tall ? W : Matrix<double>(W.transpose());
  });
}

DrawnHead sparse_head(const HeadSite& site) {
  constexpr double kept = 0.125;
  const double root = std::sqrt(static_cast<double>(site.dim) * kept);
  return matrixwise(site, [root](Index rows, Index cols, const Source& source) {
    return entrywise(rows, cols, [&](std::uint64_t i) {
      return source.second.uniform(i) < kept ? source.first.normal(i) / root : 0.0;
    });
  });
}

/// The nearest multiple of 2^-20: products are multiples of 2^-40 and their sums stay below 2^13, hence
/// exact.
double coarse(double x) {
  return std::nearbyint(std::ldexp(x, 20)) / 0x1p20;
}

DrawnHead low_rank_head(const HeadSite& site) {
  return matrixwise(site, [&site](Index rows, Index cols, const Source& source) {
    const Index rank = std::max<Index>(1, std::min({rows, cols, Index{512}}) / 4);
    const double left = std::sqrt(static_cast<double>(site.dim)),
                 right = std::sqrt(static_cast<double>(rank));
    const Matrix<double> A =
        entrywise(rows, rank, [&](std::uint64_t i) { return coarse(source.first.normal(i) / left); });
    const Matrix<double> B =
        entrywise(rank, cols, [&](std::uint64_t i) { return coarse(source.second.normal(i) / right); });
    Matrix<double> W = Matrix<double>::Zero(rows, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index k = 0; k < rank; ++k)
        for (Index j = 0; j < cols; ++j) W(i, j) += A(i, k) * B(k, j);
    return W;
  });
}

/// Gaussian, with scores 16 times as large: nearly all weight on one token.
DrawnHead one_hot_seeking_head(const HeadSite& site) {
  DrawnHead head = gaussian_head(site);
  for (Matrix<double>* W : {&head.W_Q, &head.W_K}) *W *= 4;
  return head;
}

Stream input_stream(std::uint64_t seed, std::uint64_t stream_cell = cell) {
  return {seed, stream_cell, input_block, 0};
}

Matrix<double> gaussian_input(Index tokens, Index dim, std::uint64_t seed) {
  const Stream source = input_stream(seed);
  return entrywise(tokens, dim, [&](std::uint64_t i) { return source.normal(i); });
}

Matrix<double> sphere_input(Index tokens, Index dim, std::uint64_t seed) {
  Matrix<double> X = gaussian_input(tokens, dim, seed);
  for (Index i = 0; i < tokens; ++i) {
    double square = 0;
    for (Index j = 0; j < dim; ++j) square += X(i, j) * X(i, j);
    const double factor = std::sqrt(static_cast<double>(dim) / square);
    for (Index j = 0; j < dim; ++j) X(i, j) *= factor;
  }
  return X;
}

/// Tokens near `centres` points, taken in turn.
Matrix<double> around(Index centres, double spread, Index tokens, Index dim, std::uint64_t seed) {
  const Matrix<double> noise = gaussian_input(tokens, dim, seed);
  const Stream source = input_stream(seed, second_cell);
  const Matrix<double> centre = entrywise(centres, dim, [&](std::uint64_t i) { return source.normal(i); });
  Matrix<double> X(tokens, dim);
  for (Index i = 0; i < tokens; ++i)
    for (Index j = 0; j < dim; ++j) X(i, j) = centre(i % centres, j) + spread * noise(i, j);
  return X;
}

Matrix<double> clustered_input(Index tokens, Index dim, std::uint64_t seed) {
  return around(3, 0x1p-4, tokens, dim, seed);
}

Matrix<double> near_collapsed_input(Index tokens, Index dim, std::uint64_t seed) {
  return around(1, 0x1p-20, tokens, dim, seed);
}

Matrix<double> large_shift_input(Index tokens, Index dim, std::uint64_t seed) {
  const Stream source = input_stream(seed, second_cell);
  Matrix<double> X = gaussian_input(tokens, dim, seed);
  for (Index i = 0; i < tokens; ++i)
    for (Index j = 0; j < dim; ++j) X(i, j) += 1024 * source.normal(static_cast<std::uint64_t>(j));
  return X;
}

constexpr WeightLaw weight_laws[] = {
    {"gaussian", gaussian_head}, {"uniform", uniform_head},   {"orthogonal", orthogonal_head},
    {"sparse", sparse_head},     {"low-rank", low_rank_head}, {"one-hot-seeking", one_hot_seeking_head}};
constexpr InputLaw input_laws[] = {{"gaussian", gaussian_input},
                                   {"sphere", sphere_input},
                                   {"clustered", clustered_input},
                                   {"near-collapsed", near_collapsed_input},
                                   {"large-shift", large_shift_input}};

template <class Law, std::size_t count>
const Law& find(const Law (&laws)[count], std::string_view what, std::string_view name) {
  std::vector<std::string> names;
  for (const Law& law : laws) {
    if (law.name == name) return law;
    names.emplace_back(law.name);
  }
  const std::string near = nearest(name, names);
  throw InputError(fmt::format("unknown {} {}{}; allowed: {}", what, in_quotes(name),
                               near.empty() ? "" : fmt::format(" (did you mean {}?)", near),
                               fmt::join(names, ", ")));
}

}  // namespace

ExactMatrix exact(const Matrix<double>& drawn) {
  return ExactMatrix::from(drawn.rows(), drawn.cols(),
                           std::vector<double>(drawn.data(), drawn.data() + drawn.size()));
}

Head exact(const DrawnHead& drawn) {
  Head head;
  head.W_Q = exact(drawn.W_Q);
  head.W_K = exact(drawn.W_K);
  head.W_V = exact(drawn.W_V);
  head.W_O = exact(drawn.W_O);
  head.d_qk = drawn.W_Q.cols();
  return head;
}

const WeightLaw& weight_law(std::string_view name) {
  return find(weight_laws, "weight law", name);
}

const InputLaw& input_law(std::string_view name) {
  return find(input_laws, "input law", name);
}

}  // namespace rankfall
