#include "verify/text_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankfall::verify {

std::string markdown(const TextGrid& grid) {
  std::string text = fmt::format("| {} |\n|", fmt::join(grid.titles, " | "));
  for (std::size_t i = 0; i < grid.titles.size(); ++i) text += "---:|";
  text += "\n";
  for (const auto& row : grid.rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

std::string latex(const TextGrid& grid) {
  std::string text =
      fmt::format("% \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n",
                  std::string(grid.titles.size(), 'r'), fmt::join(grid.titles, " & "));
  for (const auto& row : grid.rows) text += fmt::format("{} \\\\\n", fmt::join(row, " & "));
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string csv(const TextGrid& grid) {
  std::string text = fmt::format("{}\n", fmt::join(grid.titles, ","));
  for (const auto& row : grid.rows) text += fmt::format("{}\n", fmt::join(row, ","));
  return text;
}

}  // namespace rankfall::verify
