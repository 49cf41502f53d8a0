#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class Option;
}

namespace rankfall::verify::cli {

// What the value of an option may be. Anything else is refused with a message that says what was found and
// what is allowed, and --help shows the same.

/// A whole number in decimal digits from `least` to `greatest`; leading zeros mean nothing ("010" is ten).
CLI::Option* takes_whole_number(CLI::Option* option, std::uint64_t least, std::uint64_t greatest);

/// Any text but the empty one, such as "a file".
CLI::Option* takes_text(CLI::Option* option, std::string_view what);

/// One of the words, each with the text that it is read as.
CLI::Option* takes_word(CLI::Option* option, std::vector<std::pair<std::string, std::string>> words);

/// One of the words, for an option on an enumeration.
template <class Value>
CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::pair<std::string, Value>>& values) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [word, value] : values) words.emplace_back(word, std::to_string(static_cast<int>(value)));
  return takes_word(option, std::move(words));
}

}  // namespace rankfall::verify::cli
