#include "numerics/io/json_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall::json {
namespace {

/// "line 3, column 5", counted from 1; columns in bytes.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", lines + 1, before.size() - line_start + 1);
}

/// Bytes of the well-formed UTF-8 character at the front (RFC 3629, 4), 0 when there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return within(1, low, high) && within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return within(1, low, high) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

/// Bytes at the front that are ASCII and not zero, by eights.
std::size_t plain_ascii(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x80 * ones;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if (((word | (word - ones)) & tops) != 0) break;  // with no top bit set, only a zero byte borrows
  }
  return i;
}

bool begins_with_mark(std::string_view text) {
  constexpr std::array<std::string_view, 3> marks{"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"};
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return text.starts_with(mark); });
}

/// NaN and the infinities, which other programs write into JSON although it has none.
bool is_not_finite(std::string_view rest) {
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  std::string word(rest.substr(0, 3));
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word == "nan" || word == "inf";
}

/// The word, number or single character that holds the byte at `offset`.
std::string_view word_at(std::string_view text, std::size_t offset) {
  const auto in_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '+' || c == '-' || c == '.';
  };
  std::size_t begin = offset, end = offset + 1;
  if (in_word(text[offset])) {
    while (begin > 0 && in_word(text[begin - 1])) --begin;
    while (end < text.size() && in_word(text[end])) ++end;
  } else {
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
    end = begin + character_length(text.substr(begin));
  }
  return text.substr(begin, end - begin);
}

}  // namespace

void check_encoding(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError("found an empty text; a JSON text is needed");
  if (begins_with_mark(text)) throw InputError("found a byte order mark; the text must be UTF-8 without one");
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t plain = plain_ascii(text.substr(i)); plain > 0) {
      i += plain;
      continue;
    }
    const std::size_t length = text[i] == '\0' ? 0 : character_length(text.substr(i));
    if (length == 0)
      throw InputError(fmt::format("{}: found the byte 0x{:02x}; the text must be UTF-8 without zero bytes",
                                   line_and_column(text, i), static_cast<unsigned char>(text[i])));
    i += length;
  }
}

SyntaxFault syntax_fault(std::string_view text, std::size_t position, std::string_view report) {
  if (position > text.size() || report.find("unexpected end of input") != std::string_view::npos)
    return {line_and_column(text, text.size()),
            "the text ends too early; lists, objects and strings must be closed"};
  const std::string_view word = word_at(text, position > 0 ? position - 1 : 0);
  const std::string place = line_and_column(text, static_cast<std::size_t>(word.data() - text.data()));
  if (is_not_finite(word)) return {place, "found NaN or an infinity; only finite numbers are allowed"};
  // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while ... - unexpected
  // ']'"
  const std::size_t reason = report.find(" - ");
  std::string_view why = reason == std::string_view::npos ? report : report.substr(reason + 3);
  why = why.substr(0, why.find("; last read: "));
  return {place, fmt::format("found {}, which is not JSON here: {}", in_quotes(word), why.substr(0, 200))};
}

}  // namespace rankfall::json
