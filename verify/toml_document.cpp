#include "verify/toml_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::verify {

toml::table parse_toml(std::string_view text, std::string_view name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}: line {}: not TOML: {}", name, error.source().begin.line,
                                 std::string(error.description())));
  }
}

void refuse(std::string_view name, const toml::node& node, const std::string& message) {
  throw InputError(fmt::format("{}: line {}: {}", name, node.source().begin.line, message));
}

void refuse_unknown_keys(std::string_view name, const toml::table& table,
                         const std::vector<std::string>& allowed) {
  const toml::node* first = nullptr;  // by line: a table is sorted by its keys
  std::string word;
  for (const auto& [key, node] : table) {
    if (std::ranges::find(allowed, key.str()) != allowed.end()) continue;
    if (first && first->source().begin.line <= node.source().begin.line) continue;
    first = &node;
    word = std::string(key.str());
  }
  if (!first) return;
  const std::string near = nearest(word, allowed);
  refuse(name, *first,
         fmt::format("unknown key '{}'; {}", word,
                     near.empty() ? fmt::format("allowed are {}", fmt::join(allowed, ", "))
                                  : "did you mean '" + near + "'?"));
}

}  // namespace rankfall::verify
