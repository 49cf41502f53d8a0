#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "verify/report/heat.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

constexpr double cell_height = 22, heat_top = 58, heat_below = 52, pixels_a_letter = 6.1;

std::size_t letters(const std::string& text) {  // of UTF-8
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

/// As it stands in a cell of a figure.
std::string shown_text(const HeatMap& map, std::size_t row, std::size_t column) {
  std::string text = map.text(row, column, false);
  if (const std::size_t at = text.find(" to "); at != std::string::npos) text.replace(at, 4, "\u2013");
  return text;
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, letters(text));
  return most;
}

Canvas canvas_of(const HeatMap& map) {
  std::size_t most = longest(map.columns);
  for (std::size_t row = 0; row < map.rows.size(); ++row)
    for (std::size_t column = 0; column < map.columns.size(); ++column)
      most = std::max(most, letters(shown_text(map, row, column)));
  const double width = std::max(40.0, pixels_a_letter * static_cast<double>(most) + 8);
  Canvas result;
  result.left = std::max(60.0, pixels_a_letter * static_cast<double>(longest(map.rows)) + 22);
  result.right = result.left + width * static_cast<double>(map.columns.size());
  result.top = heat_top;
  result.bottom = heat_top + cell_height * static_cast<double>(map.rows.size());
  result.width = std::max(result.right + 12, 430.0);
  result.height = result.bottom + heat_below;
  return result;
}

/// Darker for greater, and letters that can be read on it.
struct Shade {
  std::string cell, text;
};
Shade colours(const std::optional<double>& shade) {
  constexpr auto steps = std::size(colour::ordinal);
  if (!shade) return {"#e2e2e2", "#1a1a1a"};
  const auto step = std::min(static_cast<std::size_t>(*shade * static_cast<double>(steps)), steps - 1);
  return {colour::ordinal[step], step < steps / 2 ? "#1a1a1a" : "#ffffff"};
}

std::string hexadecimal(const std::string& colour) {
  return "0x" + colour.substr(1);
}

std::string heat_data(const HeatMap& map, const std::string& description) {
  std::string text = fmt::format(
      "# {}. {}\n# column row cell_colour text_colour text count least_lo least_hi lower_quartile_lo "
      "lower_quartile_hi median_lo median_hi upper_quartile_lo upper_quartile_hi greatest_lo greatest_hi\n",
      map.heading(), description);
  for (std::size_t row = 0; row < map.rows.size(); ++row)
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const Distribution& d = map.cells[row][column].numbers;
      if (d.count == 0) continue;
      const Shade shade = colours(map.shade(row, column));
      text += fmt::format("{} {} {} {} \"{}\" {} {} {} {} {} {}\n", column, row, hexadecimal(shade.cell),
                          hexadecimal(shade.text), shown_text(map, row, column), d.count,
                          ends_text(d.least, figure_digits), ends_text(d.lower_quartile, figure_digits),
                          ends_text(d.median, figure_digits), ends_text(d.upper_quartile, figure_digits),
                          ends_text(d.greatest, figure_digits));
    }
  return text;
}

std::string tick_list(const std::vector<std::string>& labels) {
  std::string text;
  for (std::size_t i = 0; i < labels.size(); ++i)
    text += fmt::format("{}{} {}", i > 0 ? ", " : "", quoted(labels[i]), i);
  return text;
}

}  // namespace

Figure heat_figure(const HeatMap& map) {
  Figure figure;
  figure.name = map.name;
  figure.title = map.heading();
  figure.description = map.measure == Measure::vacuous
                           ? "Share of the instances on which the bound exceeds what holds without attention."
                           : "Median over the instances to which the claim applies; darker is greater.";
  figure.canvas = canvas_of(map);
  figure.data = heat_data(map, figure.description);
  figure.script = script_head(
      figure.name, figure.title,
      map.measure == Measure::vacuous ? "share of instances" : "median; darker is greater", figure.canvas);
  fmt::format_to(
      std::back_inserter(figure.script),
      "unset border\nset xrange [-0.5:{0}]\nset yrange [{1}:-0.5]\nset tics scale 0\n"
      "set xtics ({2}) noenhanced textcolor rgb '{6}'\nset ytics ({3}) noenhanced textcolor rgb '{6}'\n"
      "set xlabel {4} offset 0,0.2 noenhanced textcolor rgb '{7}'\n"
      "plot {5} using 1:2:(0.48):(0.46):3 with boxxyerror fill solid noborder lc rgb variable notitle, \\\n"
      "     {5} using 1:2:5:4 with labels noenhanced font \"sans-serif,11\" textcolor rgb variable notitle\n",
      static_cast<double>(map.columns.size()) - 0.5, static_cast<double>(map.rows.size()) - 0.5,
      tick_list(map.columns), tick_list(map.rows), quoted(map.column_axis), quoted(map.name + ".dat"),
      colour::ink, colour::muted);
  return figure;
}

}  // namespace rankfall::verify
