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

/// Whether the column holds an integer.
bool is_integer_column(std::size_t column);

/// The columns that describe a network, filled in; the others stay empty.
inline constexpr std::array<std::string_view, 9> cell_columns = {
    "blocks", "tokens", "dim", "heads", "d_qk", "beta", "law", "input_law", "seed"};
Row cell_row(const GenerateSpec& spec);
Row row_of(const Instance& instance, int digits);

/// RFC 4180: the field, quoted where it must be; then whole lines with the line feed.
std::string csv_field(const std::string& text);
std::string csv_header();
std::string csv_line(const Row& row);
/// One JSON object with the line feed: integers as numbers, enclosures as in docs/formats, absent values
/// null.
std::string json_line(const Row& row);

}  // namespace rankfall::verify
