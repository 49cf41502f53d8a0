#pragma once
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

namespace rankfall::verify {

/// Throws InputError that names the file and the line.
toml::table parse_toml(std::string_view text, std::string_view name);

/// Throws InputError: "name: line N: message", N the line of the node.
[[noreturn]] void refuse(std::string_view name, const toml::node& node, const std::string& message);

/// Throws InputError for the first key that is not allowed, naming its line and the nearest that is.
void refuse_unknown_keys(std::string_view name, const toml::table& table,
                         const std::vector<std::string>& allowed);

}  // namespace rankfall::verify
