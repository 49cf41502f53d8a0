#pragma once
#include <string>
#include <string_view>

namespace rankfall::verify {

/// SHA-256 of the bytes, in lower-case hexadecimal.
std::string sha256(std::string_view bytes);

}  // namespace rankfall::verify
