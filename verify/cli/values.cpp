#include "verify/cli/values.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "numerics/message.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::verify::cli {

CLI::Option* takes_whole_number(CLI::Option* option, std::uint64_t least, std::uint64_t greatest) {
  const auto read = [least, greatest](std::string& text) -> std::string {
    const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const char* const end = text.data() + text.size();
    std::uint64_t value = 0;
    const bool fits = digits && std::from_chars(text.data(), end, value).ec == std::errc();
    if (!fits || value < least || value > greatest)
      return fmt::format("found {}; a whole number from {} to {} is needed", in_quotes(text), least,
                         greatest);
    text = std::to_string(value);  // without zeros in front, which would be read as octal
    return {};
  };
  return option->transform(CLI::Validator(read, ""))->type_name(fmt::format("{}..{}", least, greatest));
}

CLI::Option* takes_text(CLI::Option* option, std::string_view what) {
  const auto read = [needed = std::string(what)](const std::string& text) {
    return text.empty() ? fmt::format("found \"\"; {} is needed", needed) : std::string();
  };
  return option->check(CLI::Validator(read, ""));
}

CLI::Option* takes_word(CLI::Option* option, std::vector<std::pair<std::string, std::string>> words) {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : words) names.push_back(name);
  const auto read = [words = std::move(words), names](std::string& text) -> std::string {
    for (const auto& [name, meaning] : words)
      if (text == name) {
        text = meaning;
        return {};
      }
    const std::string near = nearest(text, names);
    return fmt::format("found {}{}; allowed are {}", in_quotes(text),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(names, ", "));
  };
  return option->transform(CLI::Validator(read, ""))->type_name(fmt::format("{}", fmt::join(names, "|")));
}

}  // namespace rankfall::verify::cli
