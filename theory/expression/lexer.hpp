#pragma once
#include <string>
#include <string_view>

namespace rankfall::theory {

/// A word of a formula. `offset` is its first byte.
struct Token {
  enum class Kind { end, number, name, mark, foreign };
  Kind kind = Kind::end;
  std::string_view text{};
  std::size_t offset = 0;

  bool is(char mark) const { return kind == Kind::mark && text.front() == mark; }
};

/// Reads a formula word by word: numbers (digits, a point, an exponent; 0x1.8p-3), names, and the marks + - *
/// / ^ ( ) [ ] , Anything else is one foreign word of one character.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  Token take(Token::Kind kind, std::size_t length);
  std::size_t number_length() const;
  std::size_t hexadecimal_length() const;
  /// End of the digits behind an exponent mark, or the mark when there are none.
  std::size_t after_exponent(std::size_t mark) const;
  std::size_t digits_from(std::size_t position) const;

  std::string_view text_;
  std::size_t position_ = 0;
};

/// Column (from 1, in characters of UTF-8) of a byte; with the line when the text has several: "line 2,
/// column 5".
std::string place_of(std::string_view text, std::size_t offset);
/// The word in quotes, or "the end".
std::string describe(const Token& token);

}  // namespace rankfall::theory
