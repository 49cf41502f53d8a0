#include "verify/path_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "numerics/errors.hpp"
#include "verify/report/chart.hpp"

namespace rankfall::verify {
namespace {

constexpr Canvas canvas;
constexpr double width = 700;              // wider than others: names stand at the left of their strips,
constexpr double left = 316, right = 590;  // means at the right
constexpr double strip_height = 0.78;

double real(const Rational& value) {
  return nearest_double(value);
}

std::string label(const PathRow& row) {
  return row.model.empty() ? fmt::format("{} heads, {} layers", row.paths.heads, row.paths.depth) : row.model;
}

std::string data_text(const std::vector<PathRow>& rows, const std::string& title) {
  std::string text = "# " + title + "\n# length length/depth paths share strip bar_top\n";
  for (std::size_t strip = 0; strip < rows.size(); ++strip) {
    const theory::PathCount& paths = rows[strip].paths;
    const Integer largest = *std::max_element(paths.of_length.begin(), paths.of_length.end());
    text += fmt::format("\n\n# {}: {} heads, {} layers, mean {}\n", label(rows[strip]), paths.heads,
                        paths.depth, to_text(paths.mean));
    for (std::size_t k = 0; k < paths.of_length.size(); ++k) {
      const Integer& count = paths.of_length[k];
      text += fmt::format("{} {:.6g} {} {:.6g} {} {:.6g}\n", k,
                          static_cast<double>(k) / static_cast<double>(paths.depth), count.str(),
                          real(Rational(count, paths.total)), -static_cast<long>(strip),
                          strip_height * real(Rational(count, largest)) - static_cast<double>(strip));
    }
  }
  return text;
}

std::string script_text(const std::vector<PathRow>& rows, const Figure& figure) {
  std::string text = script_head(figure.name, figure.title, "share of paths by length, the mean marked");
  const auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "set terminal svg size {},{} dynamic enhanced font \"sans-serif,12\" background rgb '#ffffff'\n"
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set xrange [-0.01:1.01]\nset yrange [{:.10g}:1]\nunset ytics\n"
      "set xlabel \"heads on the path / layers\" offset 0,0.4 textcolor rgb '{}'\n"
      "set xtics 0,0.25 textcolor rgb '{}'\nset grid xtics lt 1 lc rgb '{}' lw 1\n",
      width, canvas.height, left / width, right / width, 0.75 - static_cast<double>(rows.size()),
      colour::muted, colour::muted, colour::line);
  std::string plot = "plot ";
  for (std::size_t strip = 0; strip < rows.size(); ++strip) {
    const theory::PathCount& paths = rows[strip].paths;
    const double base = -static_cast<double>(strip), mean = real(paths.mean);
    fmt::format_to(
        out,
        "set label {} at graph 0,first {:.10g} offset -0.6,0 right noenhanced textcolor rgb '{}'\n"
        "set label {} at graph 1,first {:.10g} offset 0.6,0 left noenhanced textcolor rgb '{}'\n"
        "set arrow from first {:.10g},first {:.10g} to first {:.10g},first {:.10g} nohead front lc rgb "
        "'{}' lw 1.8\n",
        quoted(label(rows[strip])), base + 0.3, colour::ink,
        quoted(fmt::format("{:.4g} of {}", mean, paths.depth)), base + 0.3, colour::muted,
        mean / static_cast<double>(paths.depth), base - 0.1, mean / static_cast<double>(paths.depth),
        base + strip_height + 0.1, colour::ink);
    plot += fmt::format("{}{} index {} using 2:5:(0):($6-$5) with vectors nohead lw {} lc rgb '{}' notitle",
                        strip > 0 ? ", \\\n     " : "", quoted(figure.name + ".dat"), strip,
                        paths.depth > 40 ? 1.4 : 3.2, colour::repaired);
  }
  return text + plot + "\n";
}

}  // namespace

Figure path_figure(const std::vector<PathRow>& rows) {
  if (rows.empty() || rows.size() > most_figure_rows)
    throw InputError(fmt::format("a figure of {} rows; allowed are 1 to {}", rows.size(), most_figure_rows));
  Figure figure;
  figure.name = "path-count";
  figure.title = "How long paths are";
  figure.description =
      "One strip a network: how the number of heads on a path, over the number of layers, is distributed "
      "over all "
      "paths; the mean is marked and stands at the right.";
  figure.data = data_text(rows, figure.title + ". " + figure.description);
  figure.script = script_text(rows, figure);
  return figure;
}

}  // namespace rankfall::verify
