#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankfall {

/// The text fit for a message on one line: control characters escaped, and whatever is beyond `limit` bytes
/// cut (never inside a UTF-8 character) and counted.
std::string abbreviated(std::string_view text, std::size_t limit = 60);

/// The same between double quotes.
std::string in_quotes(std::string_view text, std::size_t limit = 60);

/// "a, b, c".
std::string listed(const std::vector<std::string_view>& words);

}  // namespace rankfall
