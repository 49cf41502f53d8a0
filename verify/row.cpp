#include "verify/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

constexpr std::array integer_columns = {column("depth"), column("tokens"), column("dim"),
                                        column("heads"), column("d_qk"),   column("seed"),
                                        column("bits"),  column("from"),   column("to")};

constexpr std::array boolean_columns = {column("non_contracting"), column("vacuous")};

/// A pair of columns that print as one enclosure.
struct Ends {
  std::size_t low;  ///< the column; that of the upper end follows
  const char* name;
  const char* unit;
};
constexpr std::array enclosures = {
    Ends{column("log10_left_lo"), "left", "log10"}, Ends{column("log10_right_lo"), "right", "log10"},
    Ends{column("slack_lo"), "slack", "value"}, Ends{column("looseness_lo"), "looseness", "value"}};

std::string truth(const std::optional<bool>& value) {
  return value ? (*value ? "true" : "false") : "";
}

void put(Row& row, std::size_t low, const EnclosureText& text) {
  row[low] = text.low;
  row[low + 1] = text.high;
}

template <class Columns>
bool among(const Columns& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

nlohmann::ordered_json json_value(const Row& row, std::size_t column) {
  const std::string& text = row[column];
  if (text.empty()) return nullptr;
  if (is_integer_column(column)) return nlohmann::ordered_json::parse(text);
  if (among(boolean_columns, column)) return text == "true";
  return text;
}

nlohmann::ordered_json enclosure_json(const char* unit, const std::string& low, const std::string& high) {
  return low.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json{{unit, {low, high}}};
}

/// As in rankfall-check/1.
nlohmann::ordered_json hypothesis_json(const HypothesisRow& h) {
  const std::string& holds = h[hypothesis_holds];
  return {
      {"name", h[hypothesis_name]},
      {"holds", holds.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(holds == "true")},
      {"value", enclosure_json("log10", h[hypothesis_value], h[hypothesis_value + 1])},
      {"margin", enclosure_json("value", h[hypothesis_margin], h[hypothesis_margin + 1])}};
}

}  // namespace

bool is_integer_column(std::size_t column) {
  return among(integer_columns, column);
}

Row cell_row(const GenerateSpec& spec) {
  Row row;
  row[column("tokens")] = std::to_string(spec.tokens);
  row[column("dim")] = std::to_string(spec.dim);
  row[column("heads")] = std::to_string(spec.heads);
  row[column("d_qk")] = std::to_string(query_width(spec));
  row[column("beta")] = beta_text(spec);
  row[column("law")] = spec.law;
  row[column("input_law")] = spec.input_law;
  row[column("blocks")] = spec.blocks;
  row[column("seed")] = std::to_string(spec.seed);
  return row;
}

Row row_of(const Instance& instance, int digits) {
  const Decision& d = *instance.decision;
  Row row = cell_row(instance.cell->cell.spec);
  row[column("statement")] = d.statement->id;
  row[column("gamma")] = d.gamma ? name(*d.gamma) : "";
  row[column("depth")] = std::to_string(d.depth);
  row[column("verdict")] = name(d.verdict);
  row[column("reason")] = d.reason;
  if (d.compared) {
    put(row, column("log10_left_lo"), log10_text(d.left, digits));
    put(row, column("log10_right_lo"), log10_text(d.right, digits));
    put(row, column("slack_lo"), value_text(d.slack, digits));
    if (d.looseness) put(row, column("looseness_lo"), value_text(*d.looseness, digits));
  }
  row[column("bits")] = std::to_string(d.bits);
  row[column("quantity")] = d.subject();
  row[column("from")] = std::to_string(d.from);
  row[column("to")] = std::to_string(d.to);
  row[column("reference")] = d.reference;
  row[column("claim_status")] = name(d.claim());
  row[column("non_contracting")] = truth(d.non_contracting);
  row[column("vacuous")] = truth(d.vacuous);
  return row;
}

std::vector<HypothesisRow> hypothesis_rows(const Decision& decision, int digits) {
  std::vector<HypothesisRow> rows;
  for (const HypothesisResult& h : decision.hypotheses) {
    const EnclosureText value = log10_text(h.value, digits), margin = value_text(h.margin, digits);
    rows.push_back({h.name, truth(h.holds), value.low, value.high, margin.low, margin.high});
  }
  return rows;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string csv_header() {
  return fmt::format("{}\n", fmt::join(row_columns, ","));
}

std::string csv_line(const Row& row) {
  std::string line;
  for (const std::string& text : row) line += (line.empty() ? "" : ",") + csv_field(text);
  return line + '\n';
}

std::string margin_csv_header() {
  return fmt::format("{},{}\n", fmt::join(margin_row_columns, ","), fmt::join(hypothesis_columns, ","));
}

std::string margin_csv_lines(const Row& row, const std::vector<HypothesisRow>& hypotheses) {
  if (hypotheses.empty()) return "";
  std::string shared, lines;
  for (const std::string_view name : margin_row_columns) shared += csv_field(row[column(name)]) + ',';
  for (const HypothesisRow& h : hypotheses) {
    lines += shared;
    for (std::size_t c = 0; c < h.size(); ++c) lines += (c == 0 ? "" : ",") + csv_field(h[c]);
    lines += '\n';
  }
  return lines;
}

std::string json_line(const Row& row, const std::vector<HypothesisRow>& hypotheses) {
  nlohmann::ordered_json object;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto pair = std::find_if(enclosures.begin(), enclosures.end(),
                                   [c](const Ends& ends) { return c == ends.low || c == ends.low + 1; });
    if (pair == enclosures.end())
      object[std::string(row_columns[c])] = json_value(row, c);
    else if (c == pair->low)
      object[pair->name] = enclosure_json(pair->unit, row[c], row[c + 1]);
  }
  object["hypotheses"] = nlohmann::ordered_json::array();
  for (const HypothesisRow& h : hypotheses) object["hypotheses"].push_back(hypothesis_json(h));
  return object.dump() + '\n';
}

std::string margin_json_lines(const Row& row, const std::vector<HypothesisRow>& hypotheses) {
  std::string lines;
  for (const HypothesisRow& h : hypotheses) {
    nlohmann::ordered_json object;
    for (const std::string_view name : margin_row_columns)
      object[std::string(name)] = json_value(row, column(name));
    const nlohmann::ordered_json told = hypothesis_json(h);
    for (const auto& [name, value] : told.items()) object[name == "name" ? "hypothesis" : name] = value;
    lines += object.dump() + '\n';
  }
  return lines;
}

}  // namespace rankfall::verify
