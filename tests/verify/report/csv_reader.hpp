#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rankfall::test {

using CsvLine = std::vector<std::string>;

/// RFC 4180 with line feeds, taken strictly: a quote only at the ends of a field, every line closed, all of
/// the same length. Throws std::runtime_error otherwise.
inline std::vector<CsvLine> read_csv(std::string_view text) {
  std::vector<CsvLine> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    CsvLine line;
    for (bool more = true; more;) {
      std::string field;
      if (text[at] == '"') {
        for (++at;; ++at) {
          if (at >= text.size()) throw std::runtime_error("a quoted field is not closed");
          if (text[at] == '"') {
            if (at + 1 >= text.size() || text[at + 1] != '"') break;
            ++at;
          }
          field += text[at];
        }
        ++at;
      } else {
        for (; at < text.size() && text[at] != ',' && text[at] != '\n'; ++at) {
          if (text[at] == '"' || text[at] == '\r')
            throw std::runtime_error("a bare quote or carriage return");
          field += text[at];
        }
      }
      line.push_back(field);
      if (at >= text.size() || (text[at] != ',' && text[at] != '\n'))
        throw std::runtime_error("a field ends neither with a comma nor with a line feed");
      more = text[at++] == ',';
    }
    if (!lines.empty() && line.size() != lines.front().size())
      throw std::runtime_error("line " + std::to_string(lines.size() + 1) + " has another number of fields");
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace rankfall::test
