#pragma once
#include <string>
#include <vector>

namespace rankfall::verify {

/// Rows of cells under titles, ready to be written.
struct TextGrid {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
};

/// A Markdown table, columns flush right.
std::string markdown(const TextGrid& grid);
/// A LaTeX tabular with the rules of booktabs; cells are taken as they are.
std::string latex(const TextGrid& grid);
/// RFC 4180 with line feeds; cells are taken as they are.
std::string csv(const TextGrid& grid);

}  // namespace rankfall::verify
