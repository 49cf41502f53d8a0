#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace rankfall::json {

/// Throws InputError unless the text is UTF-8, without byte order mark and zero bytes, and not empty.
void check_encoding(std::string_view text);

/// Where and why a text is not JSON.
struct SyntaxFault {
  std::string place;   ///< "line 3, column 5", counted from 1, columns in bytes
  std::string reason;  ///< what was found and what would be allowed
};

/// From what the parser tells: `position` (bytes read up to the error) and `report`.
SyntaxFault syntax_fault(std::string_view text, std::size_t position, std::string_view report);

}  // namespace rankfall::json
