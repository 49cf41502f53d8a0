#include "theory/expression/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "theory/expression/characters.hpp"

namespace rankfall::theory {
namespace {

constexpr std::string_view marks = "+-*/^()[],";
constexpr std::size_t longest_shown = 40;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

Token Lexer::take(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(position_, length), position_};
  position_ += length;
  return token;
}

std::size_t Lexer::digits_from(std::size_t position) const {
  std::size_t end = position;
  while (end < text_.size() && is_digit(text_[end])) ++end;
  return end - position;
}

std::size_t Lexer::hexadecimal_length() const {
  std::size_t end = position_ + 2;
  while (end < text_.size() && (is_hexadecimal(text_[end]) || text_[end] == '.')) ++end;
  if (end < text_.size() && (text_[end] == 'p' || text_[end] == 'P')) end = after_exponent(end);
  return end - position_;
}

std::size_t Lexer::after_exponent(std::size_t mark) const {
  std::size_t exponent = mark + 1;
  if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
  const std::size_t digits = digits_from(exponent);
  return digits > 0 ? exponent + digits : mark;
}

std::size_t Lexer::number_length() const {
  if (text_.substr(position_).starts_with("0x")) return hexadecimal_length();
  std::size_t end = position_ + digits_from(position_);
  if (end < text_.size() && text_[end] == '.') end += 1 + digits_from(end + 1);
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) end = after_exponent(end);
  return end - position_;
}

Token Lexer::next() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  if (position_ == text_.size()) return take(Token::Kind::end, 0);
  const char c = text_[position_];
  if (is_digit(c) || (c == '.' && digits_from(position_ + 1) > 0))
    return take(Token::Kind::number, number_length());
  std::size_t end = position_ + 1;
  if (is_letter(c)) {
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '_')) ++end;
    return take(Token::Kind::name, end - position_);
  }
  if (marks.find(c) != std::string_view::npos) return take(Token::Kind::mark, 1);
  while (end < text_.size() && end < position_ + 4 && continues_character(text_[end])) ++end;
  return take(Token::Kind::foreign, end - position_);
}

std::string place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto column =
      1 + std::ranges::count_if(before.substr(line_start), [](char c) { return !continues_character(c); });
  std::string place = "column " + std::to_string(column);
  if (text.find('\n') == std::string_view::npos) return place;
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", " + place;
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end";
  const auto byte = static_cast<unsigned char>(token.text.front());
  const bool printable = byte >= 0x20 && byte != 0x7F && (byte < 0x80 || token.text.size() > 1);
  if (!printable) return fmt::format("the byte 0x{:02X}", byte);
  const bool cut = token.text.size() > longest_shown;
  return fmt::format("'{}{}'", token.text.substr(0, longest_shown), cut ? "..." : "");
}

}  // namespace rankfall::theory
