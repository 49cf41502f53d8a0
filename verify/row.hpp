#pragma once
#include <array>
#include <string>
#include <string_view>

#include "verify/report/instances.hpp"

namespace rankfall::verify {

/// What is written of one decided inequality: the columns of tightness.csv, of a ledger's view `result` and
/// of its exports, in this order. Ends of enclosures are outward-rounded texts; what is absent is empty.
inline constexpr std::array<std::string_view, 30> row_columns = {
    "statement",     "gamma",         "depth",          "tokens",
    "dim",           "heads",         "d_qk",           "beta",
    "law",           "seed",          "verdict",        "reason",
    "log10_left_lo", "log10_left_hi", "log10_right_lo", "log10_right_hi",
    "slack_lo",      "slack_hi",      "looseness_lo",   "looseness_hi",
    "bits",          "quantity",      "from",           "to",
    "reference",     "input_law",     "claim_status",   "non_contracting",
    "vacuous",       "blocks"};

using Row = std::array<std::string, row_columns.size()>;

/// Position of a column; a name that is none does not compile where the name is constant.
constexpr std::size_t column(std::string_view name) {
  std::size_t at = 0;
  while (row_columns.at(at) != name) ++at;
  return at;
}

/// What is written of each hypothesis of a row, in this order: holds is true, false, or empty where neither
/// is certified; margin, the bound less the value, is below zero where it fails.
inline constexpr std::array<std::string_view, 6> hypothesis_columns = {
    "hypothesis", "holds", "log10_value_lo", "log10_value_hi", "margin_lo", "margin_hi"};
using HypothesisRow = std::array<std::string, hypothesis_columns.size()>;
/// Positions within it; of an enclosure the lower end's, before the upper end's.
inline constexpr std::size_t hypothesis_name = 0, hypothesis_holds = 1, hypothesis_value = 2,
                             hypothesis_margin = 4;

/// The columns of a row that stand before those of a hypothesis in margins.csv and in a ledger's view
/// `margin`.
inline constexpr std::array<std::string_view, 18> margin_row_columns = {
    "statement", "gamma",  "quantity", "claim_status", "depth", "from", "to",  "reference", "verdict",
    "blocks",    "tokens", "dim",      "heads",        "d_qk",  "beta", "law", "input_law", "seed"};

/// Whether the column holds an integer.
bool is_integer_column(std::size_t column);

/// The columns that describe a network, filled in; the others stay empty.
inline constexpr std::array<std::string_view, 9> cell_columns = {
    "blocks", "tokens", "dim", "heads", "d_qk", "beta", "law", "input_law", "seed"};
Row cell_row(const GenerateSpec& spec);
Row row_of(const Instance& instance, int digits);
std::vector<HypothesisRow> hypothesis_rows(const Decision& decision, int digits);

/// RFC 4180: the field, quoted where it must be; then whole lines with the line feed.
std::string csv_field(const std::string& text);
std::string csv_header();
std::string csv_line(const Row& row);
/// The same for the hypotheses of rows, one line each.
std::string margin_csv_header();
std::string margin_csv_lines(const Row& row, const std::vector<HypothesisRow>& hypotheses);
/// One JSON object with the line feed: integers as numbers, enclosures as in docs/formats, absent values
/// null, hypotheses in a list.
std::string json_line(const Row& row, const std::vector<HypothesisRow>& hypotheses);
/// One JSON object for each hypothesis.
std::string margin_json_lines(const Row& row, const std::vector<HypothesisRow>& hypotheses);

}  // namespace rankfall::verify
