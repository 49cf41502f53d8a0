#pragma once
#include <string>
#include <string_view>

namespace rankfall::verify {

/// Text for the body of an element or a quoted attribute.
std::string escaped(std::string_view text);

/// "12 345" with thin spaces.
std::string grouped(std::size_t number);

}  // namespace rankfall::verify
