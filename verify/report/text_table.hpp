#pragma once
#include <string>
#include <vector>

namespace rankfall::verify {

/// A table of texts. Numbers are in the plain notation of number_text.hpp: "1.2e-7", "0.1 to 0.2", "12 %".
struct TextTable {
  struct Column {
    std::string heading;
    enum class Kind { words, number, command } kind = Kind::words;
  };
  std::string name;  ///< of its files
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

// Each carries `made`, the line that says how the table was made, unless that is empty.

/// A pipe table under its caption.
std::string markdown(const TextTable& table, const std::string& made);
/// A tabular of booktabs, or a longtable where it does not fit a page; to be read by \input.
std::string latex(const TextTable& table, const std::string& made);
/// A document with all of them, each from NAME.tex.
std::string latex_document(const std::vector<TextTable>& tables, const std::string& made);

/// RFC 4180 with line feeds.
std::string csv(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows);

}  // namespace rankfall::verify
