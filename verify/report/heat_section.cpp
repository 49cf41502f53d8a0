#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "verify/report/heat.hpp"
#include "verify/report/html.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

constexpr int heat_shades = 6;

/// What the pointer finds behind a cell.
std::string behind(const HeatMap& map, std::size_t row, std::size_t column) {
  const HeatCell& cell = map.cells[row][column];
  const Distribution& d = cell.numbers;
  const std::string place = fmt::format("{}, {} {}", map.rows[row], map.column_axis, map.columns[column]);
  if (map.measure == Measure::vacuous) return fmt::format("{}: {} of {}", place, cell.ones, d.count);
  const auto said = [](const Span& number) { return certified_text(number, 4, Notation::plain); };
  return fmt::format("{}: median {}, quartiles {} and {}, least {}, greatest {}, of {} instances", place,
                     said(d.median), said(d.lower_quartile), said(d.upper_quartile), said(d.least),
                     said(d.greatest), d.count);
}

int heat_step(const std::optional<double>& shade) {
  return shade ? std::min(static_cast<int>(*shade * heat_shades), heat_shades - 1) + 1 : 0;
}

std::string heat_cell(const HeatMap& map, std::size_t row, std::size_t column) {
  const std::string text = map.text(row, column, true);
  if (text.empty()) return "<td></td>";
  return fmt::format("<td class=\"s{}\" title=\"{}\">{}</td>", heat_step(map.shade(row, column)),
                     escaped(behind(map, row, column)), text);
}

/// The same in fewer words, for many cells.
std::string behind_choice(const HeatMap& map, std::size_t row, std::size_t column) {
  const HeatCell& cell = map.cells[row][column];
  const Distribution& d = cell.numbers;
  if (map.measure == Measure::vacuous) return fmt::format("{} of {}", cell.ones, d.count);
  return fmt::format("{} to {}, of {}", certified_text(Span{d.least.low, d.least.low}, 3, Notation::plain),
                     certified_text(Span{d.greatest.high, d.greatest.high}, 3, Notation::plain), d.count);
}

std::string heat_html(const HeatMap& map) {
  std::string text = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"heat\" id=\"heat-{}\"><caption>{} "
      "<small>figures/{}.svg, .pdf</small></caption>\n<thead><tr><th scope=\"col\">{}</th>",
      map.name, escaped(map.heading()), escaped(map.name), escaped(map.row_axis));
  for (const std::string& column : map.columns)
    text += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    text += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(map.rows[row]));
    for (std::size_t column = 0; column < map.columns.size(); ++column) text += heat_cell(map, row, column);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

const char* measure_note(Measure measure) {
  switch (measure) {
    case Measure::looseness:
      return "Implied over stated constant: 1 where the bound is attained.";
    case Measure::slack:
      return "log<sub>10</sub> of the right over the left side. It grows like 3<sup>L</sup>, so compare "
             "within "
             "one depth.";
    case Measure::implied_constant:
      return "The C that would make the bound an equality: looseness times C, where C follows from the sizes "
             "and the beta that all heads were scaled to (to a part in 2<sup>40</sup>, which is enclosed).";
    case Measure::implied_gamma:
      return "The gamma that would make the theorem an equality: the looseness of its reading with gamma "
             "one.";
    case Measure::vacuous:
      return "The bound exceeds what holds without any property of attention.";
  }
  return "";
}

/// Position of the text in the list, to which it is added where it is new.
std::size_t position_in(std::vector<std::string>& list, const std::string& text) {
  const auto found = std::find(list.begin(), list.end(), text);
  const auto at = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(text);
  return at;
}

/// What page.js draws the chosen map from: by "measure bound rows columns" the labels and cells, each cell as
/// it is shown, its shade, and what the pointer finds.
std::string choices_json(const std::vector<HeatChoice>& choices) {
  std::vector<std::string> measures, bounds, axes;
  nlohmann::json maps = nlohmann::json::object();
  for (const HeatChoice& choice : choices) {
    const HeatMap& map = choice.map;
    const std::string key = fmt::format(
        "{} {} {} {}", position_in(measures, words(map.measure)), position_in(bounds, choice.bound),
        position_in(axes, name(choice.rows)), position_in(axes, name(choice.columns)));
    nlohmann::json cells = nlohmann::json::array();
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
      nlohmann::json line = nlohmann::json::array();
      for (std::size_t column = 0; column < map.columns.size(); ++column) {
        const std::string text = map.text(row, column, true);
        if (text.empty())
          line.push_back(nullptr);
        else
          line.push_back({text, heat_step(map.shade(row, column)), behind_choice(map, row, column)});
      }
      cells.push_back(std::move(line));
    }
    maps[key] = {{"rows", map.rows}, {"columns", map.columns}, {"depth", map.depth}, {"cells", cells}};
  }
  return nlohmann::json{{"measures", measures}, {"bounds", bounds}, {"axes", axes}, {"maps", maps}}.dump();
}

std::string explorer_html(const std::vector<HeatChoice>& choices) {
  if (choices.empty()) return "";
  return "<details id=\"explore\"><summary>One bound over any two axes</summary>\n"
         "<noscript><p>Choosing needs JavaScript.</p></noscript>\n<form>"
         "<label>measure <select name=\"measure\"></select></label>"
         "<label>bound <select name=\"bound\"></select></label>"
         "<label>rows <select name=\"rows\"></select></label>"
         "<label>columns <select name=\"columns\"></select></label></form>\n"
         "<div class=\"scroll\" tabindex=\"0\"><table class=\"heat\"></table></div>\n"
         "<script type=\"application/json\">" +
         choices_json(choices) + "</script>\n</details>\n";
}

}  // namespace

std::string heat_section(const std::vector<HeatMap>& maps, const std::vector<HeatChoice>& choices) {
  if (maps.empty()) return "";
  std::string text =
      "<section id=\"heat\">\n<h2>Across the grid</h2>\n<p>Each cell shows the median over all networks that "
      "fall there and to which the claim applies, at the greatest depth where depth is not an axis; the "
      "pointer "
      "finds quartiles, extremes and counts. Darker is greater.</p>\n";
  for (const Measure measure : all_measures) {
    std::string tables;
    for (const HeatMap& map : maps)
      if (map.measure == measure) tables += heat_html(map);
    if (tables.empty()) continue;
    text += fmt::format("<details{}><summary>{}</summary>\n<p>{}</p>\n{}</details>\n",
                        measure == Measure::looseness ? " open" : "", words(measure), measure_note(measure),
                        tables);
  }
  return text + explorer_html(choices) + "</section>\n";
}

}  // namespace rankfall::verify
