#include "numerics/san/laws.hpp"

#include <fmt/format.h>

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

constexpr std::uint64_t cell = 0, input_block = 0;
enum class Role : std::uint64_t { W_Q, W_K, W_V, W_O, count };

Stream stream(const HeadSite& site, Role role) {
  const auto matrix = site.head * static_cast<std::uint64_t>(Role::count) + static_cast<std::uint64_t>(role);
  return {site.seed, cell, site.block, matrix};
}

/// rows x cols entries, each from its own index.
template <class Entry>
Matrix<double> entrywise(Index rows, Index cols, Entry entry) {
  Matrix<double> result(rows, cols);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = entry(static_cast<std::uint64_t>(i));
  return result;
}

/// A head whose matrices are drawn alike by draw(rows, cols, stream).
template <class Draw>
DrawnHead matrixwise(const HeadSite& site, Draw draw) {
  return {
      draw(site.dim, site.d_qk, stream(site, Role::W_Q)), draw(site.dim, site.d_qk, stream(site, Role::W_K)),
      draw(site.dim, site.d_qk, stream(site, Role::W_V)), draw(site.d_qk, site.dim, stream(site, Role::W_O))};
}

DrawnHead gaussian_head(const HeadSite& site) {
  const double root = std::sqrt(static_cast<double>(site.dim));
  return matrixwise(site, [root](Index rows, Index cols, const Stream& source) {
    return entrywise(rows, cols, [&](std::uint64_t i) { return source.normal(i) / root; });
  });
}

DrawnHead uniform_head(const HeadSite& site) {
  const double reach = std::sqrt(3 / static_cast<double>(site.dim));
  return matrixwise(site, [reach](Index rows, Index cols, const Stream& source) {
    return entrywise(rows, cols, [&](std::uint64_t i) { return (2 * source.uniform(i) - 1) * reach; });
  });
}

Matrix<double> gaussian_input(Index tokens, Index dim, std::uint64_t seed) {
  const Stream source(seed, cell, input_block, 0);
  return entrywise(tokens, dim, [&](std::uint64_t i) { return source.normal(i); });
}

constexpr WeightLaw weight_laws[] = {{"gaussian", gaussian_head}, {"uniform", uniform_head}};
constexpr InputLaw input_laws[] = {{"gaussian", gaussian_input}};

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
