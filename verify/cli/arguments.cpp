#include <fmt/format.h>

#include <algorithm>

#include "numerics/io/file.hpp"
#include "numerics/message.hpp"
#include "verify/cli/command.hpp"
#include "verify/define.hpp"

namespace rankfall::verify::cli {

std::vector<std::string> split_list(const std::string& flag, const std::string& text, Repeats repeats) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end == start) throw UsageError(fmt::format("{}: an empty entry in '{}'; write a,b,c", flag, text));
    const std::string part = text.substr(start, end - start);
    if (repeats == Repeats::refused && std::find(parts.begin(), parts.end(), part) != parts.end())
      throw UsageError(fmt::format("{}: '{}' stands twice; once is enough", flag, abbreviated(part)));
    parts.push_back(part);
    start = end + 1;
  }
  return parts;
}

void add_define(Command& command, std::vector<std::string>& files) {
  command.texts("--define", files, "a file",
                "Bounds of one's own, a TOML file (docs/extending.md), beside the built-in ones; repeatable");
}

theory::Statements known_statements(const std::vector<std::string>& files) {
  theory::Statements known;
  for (const std::string& file : files) define(known, std::filesystem::path(file));
  return known;
}

void statement_id(const std::string& flag, const std::string& id, const theory::Statements& known) {
  try {
    known.find(id);
  } catch (const InputError& error) {
    throw UsageError(fmt::format("{}: {} ('rankfall explain' lists all)", flag, error.what()));
  }
}

std::vector<std::string> statement_ids(const std::string& flag, const std::string& text,
                                       const theory::Statements& known) {
  std::vector<std::string> ids = split_list(flag, text);
  for (const std::string& id : ids) statement_id(flag, id, known);
  return ids;
}

std::vector<theory::Gamma> gammas(const std::string& flag, const std::string& text) {
  std::vector<theory::Gamma> result;
  for (const std::string& part : split_list(flag, text)) {
    try {
      result.push_back(theory::parse_gamma(part));
    } catch (const InputError& error) {
      throw UsageError(fmt::format("{}: {}", flag, error.what()));
    }
  }
  return result;
}

std::string grid_text(const std::string& path) {
  constexpr std::size_t most_bytes = std::size_t{1} << 24U;
  return read_file(path, most_bytes);
}

}  // namespace rankfall::verify::cli
