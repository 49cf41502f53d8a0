#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "verify/report/number_text.hpp"
#include "verify/table_text.hpp"
#include "verify/text_grid.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t longest_count = 20;  // digits of a count that is written out for a person
constexpr Precision share_precision(256);

std::string share_text(const Rational& share, int digits) {
  const Ball value(share, share_precision);
  return certified_text({value, value}, digits, Notation::plain);
}

std::string marked(const std::string& text, bool mathematics) {
  return mathematics ? "$" + text + "$" : text;
}

std::string count_text(const Integer& count, int digits, bool latex) {
  const std::string text = count.str();
  return text.size() <= longest_count
             ? text
             : number_text(Magnitude(Rational(count), share_precision), digits, latex);
}

std::string modes_text(const theory::PathCount& paths) {
  return fmt::format("{}", fmt::join(paths.modes, " and "));
}

std::string label(const PathRow& row) {
  if (!row.model.empty()) return row.model;
  const auto counted = [](long count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  return counted(row.paths.heads, "head") + ", " + counted(row.paths.depth, "layer");
}

std::string in_format(const TextGrid& grid, TableFormat format) {
  return format == TableFormat::latex ? latex(grid) : markdown(grid);
}

TextGrid summary(const std::vector<PathRow>& rows, TableFormat format, int digits) {
  const bool mathematics = format == TableFormat::latex;
  TextGrid grid{{"model", "heads", "depth", "mean length", "share of full length", "mode", "paths"}, {}};
  for (const PathRow& row : rows)
    grid.rows.push_back({label(row), std::to_string(row.paths.heads), std::to_string(row.paths.depth),
                         share_text(row.paths.mean, digits), share_text(row.paths.full_length, digits),
                         modes_text(row.paths),
                         marked(count_text(row.paths.total, digits, mathematics), mathematics)});
  return grid;
}

TextGrid distribution(const theory::PathCount& paths, TableFormat format, int digits) {
  const bool mathematics = format == TableFormat::latex;
  TextGrid grid{{"length", "paths", "share"}, {}};
  for (std::size_t k = 0; k < paths.of_length.size(); ++k)
    grid.rows.push_back({std::to_string(k),
                         marked(count_text(paths.of_length[k], digits, mathematics), mathematics),
                         share_text(Rational(paths.of_length[k], paths.total), digits)});
  return grid;
}

/// One line a length, exact; the model is empty where there is none.
std::string path_csv(const std::vector<PathRow>& rows) {
  std::string text = "model,heads,depth,length,paths,total\n";
  for (const PathRow& row : rows) {
    const std::string model = row.model.find(',') == std::string::npos ? row.model : "\"" + row.model + "\"";
    for (std::size_t k = 0; k < row.paths.of_length.size(); ++k)
      text += fmt::format("{},{},{},{},{},{}\n", model, row.paths.heads, row.paths.depth, k,
                          row.paths.of_length[k].str(), row.paths.total.str());
  }
  return text;
}

std::string json(const std::vector<PathRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PathRow& row : rows) {
    std::vector<std::string> counts;
    for (const Integer& count : row.paths.of_length) counts.push_back(count.str());
    list.push_back(
        {{"model", row.model.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row.model)},
         {"heads", row.paths.heads},
         {"depth", row.paths.depth},
         {"total", row.paths.total.str()},
         {"mean", to_text(row.paths.mean)},
         {"full_length", to_text(row.paths.full_length)},
         {"modes", row.paths.modes},
         {"of_length", counts}});
  }
  return nlohmann::ordered_json{{"format", "rankfall-paths/1"}, {"rows", list}}.dump(1) + "\n";
}

}  // namespace

std::string path_table(const std::vector<PathRow>& rows, TableFormat format, int digits) {
  if (format == TableFormat::csv) return path_csv(rows);
  if (format == TableFormat::json) return json(rows);
  std::string text = in_format(summary(rows, format, digits), format);
  if (rows.size() == 1) text += "\n" + in_format(distribution(rows.front().paths, format, digits), format);
  return text;
}

}  // namespace rankfall::verify
