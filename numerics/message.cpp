#include "numerics/message.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rankfall {

namespace {

std::size_t cut(std::string_view text, std::size_t limit) {
  std::size_t end = std::min(text.size(), limit);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return end;
}

std::string between(std::string_view mark, std::string_view text, std::size_t limit) {
  const std::size_t end = cut(text, limit);
  std::string result(mark);
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  result += mark;
  if (end < text.size()) result += fmt::format("... ({} bytes)", text.size());
  return result;
}

}  // namespace

std::string abbreviated(std::string_view text, std::size_t limit) {
  return between("", text, limit);
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  return between("\"", text, limit);
}

std::string listed(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace rankfall
