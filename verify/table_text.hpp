#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "theory/paths.hpp"
#include "verify/table.hpp"

namespace rankfall::verify {

enum class TableFormat { markdown, csv, latex, json };

/// Takes the next piece of a text; false: no more is wanted.
using Sink = std::function<bool(std::string_view)>;

/// The table as text, piece by piece. Markdown and LaTeX round to `digits` significant digits, fewer where
/// the enclosure supports fewer: 1.23457e-40, beyond 10^(+-10000) the power itself, 10^(-4.31234e95). CSV and
/// JSON
/// ("rankfall-table/1") hold outward-rounded ends of log10. Notes stand with the table, except in CSV.
void write_table(const Table& table, TableFormat format, const Sink& sink);

/// A positive number as above; LaTeX for mathematics mode.
std::string number_text(const Magnitude& value, int digits, bool latex);

/// The paths of one model, or of several side by side. A single one gets its distribution in Markdown and
/// LaTeX, too; CSV and JSON
/// ("rankfall-paths/1") always hold it, exactly.
struct PathRow {
  std::string model;  ///< empty: given by heads and depth
  theory::PathCount paths;
};
std::string path_table(const std::vector<PathRow>& rows, TableFormat format, int digits);

}  // namespace rankfall::verify
