#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/san/generate.hpp"
#include "verify/check.hpp"

namespace rankfall::verify {

/// A family of random networks and what to decide on them: every combination of the axes is a cell
/// (docs/formats).
struct Grid {
  std::vector<long> depth, tokens, dim, heads;
  std::vector<long> d_qk = {0};                      ///< 0: dim / heads
  std::vector<std::optional<Rational>> beta = {{}};  ///< none: unscaled
  std::vector<std::string> law = {"gaussian"}, input_law = {"gaussian"};
  std::vector<std::string> blocks = {"pure"};  ///< forms of the layers, in the words of to_text
  std::vector<std::uint64_t> seeds = {1};
  CheckOptions options;  ///< statements, gammas, digits, precision
};

/// Reads a grid in TOML. Throws InputError naming the line, what was found, and the nearest valid key or what
/// is allowed. `known` are the statements that it may name.
Grid parse_grid(std::string_view text, std::string_view name, const theory::Statements& known = {});
Grid default_grid();
std::string default_grid_text();

/// One network of the grid, run to the greatest depth of the axis; its prefixes are the other depths.
struct Cell {
  GenerateSpec spec;
};

/// How many cells the grid has. Combinations that no network has (a width that the heads do not divide) are
/// an InputError that names them, as are more than 10^7 cells.
std::size_t cell_count(const Grid& grid);
/// One of them, counted from 0 in a fixed order: the seed varies fastest, then input_law, law, beta, d_qk,
/// heads, dim, tokens, blocks.
Cell cell(const Grid& grid, std::size_t index);

}  // namespace rankfall::verify
