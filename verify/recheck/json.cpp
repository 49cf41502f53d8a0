#include "verify/recheck/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "numerics/errors.hpp"
#include "numerics/io/json_syntax.hpp"

namespace rankfall::recheck {
namespace {

const char* name_of(Json::Kind kind) {
  static constexpr const char* names[] = {"null",   "a truth value", "a number",
                                          "a text", "a list",        "an object"};
  return names[static_cast<std::size_t>(kind)];
}

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json document() {
    Json result = value("", 0);
    skip_blanks();
    if (at_ != text_.size()) fail("the end of the text");
    return result;
  }

 private:
  [[noreturn]] void fail(std::string_view expected) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    throw InputError(fmt::format("line {}, column {}: expected {}", line, column, expected));
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Json value(std::string place, std::size_t depth) {
    if (depth > deepest_certificate)
      fail(fmt::format("at most {} levels of lists and objects", deepest_certificate));
    if (++values_ > most_values) fail(fmt::format("at most {} values", most_values));
    skip_blanks();
    Json result;
    result.place = std::move(place);
    if (peek() == '{') {
      object(result, depth);
    } else if (peek() == '[') {
      list(result, depth);
    } else if (peek() == '"') {
      result.kind = Json::Kind::text;
      result.text = string();
    } else if (take("true")) {
      result.kind = Json::Kind::boolean;
      result.truth = true;
    } else if (take("false")) {
      result.kind = Json::Kind::boolean;
    } else if (!take("null")) {
      result.kind = Json::Kind::number;
      result.text = number();
    }
    return result;
  }

  void object(Json& result, std::size_t depth) {
    result.kind = Json::Kind::object;
    ++at_;
    skip_blanks();
    if (take('}')) return;
    std::map<std::string, bool, std::less<>> seen;
    do {
      skip_blanks();
      if (peek() != '"') fail("a key in quotes");
      std::string key = string();
      if (!seen.emplace(key, true).second) fail(fmt::format("each key once; {} stands twice", key));
      skip_blanks();
      if (!take(':')) fail("':'");
      Json member = value(result.place.empty() ? key : result.place + "." + key, depth + 1);
      result.members.emplace_back(std::move(key), std::move(member));
      skip_blanks();
    } while (take(','));
    if (!take('}')) fail("',' or '}'");
  }

  void list(Json& result, std::size_t depth) {
    result.kind = Json::Kind::list;
    ++at_;
    skip_blanks();
    if (take(']')) return;
    do {
      result.items.push_back(value(fmt::format("{}[{}]", result.place, result.items.size()), depth + 1));
      skip_blanks();
    } while (take(','));
    if (!take(']')) fail("',' or ']'");
  }

  std::string number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      if (at_ == first) fail("a value");
    };
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
    return std::string(text_.substr(start, at_ - start));
  }

  unsigned hexadecimal() {
    unsigned result = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) fail("four hexadecimal digits");
      result = 16 * result + static_cast<unsigned>(digit);
    }
    return result;
  }

  void append_utf8(std::string& out, unsigned code) const {
    const auto byte = [&](unsigned value) { out += static_cast<char>(value); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xC0U | code >> 6U);
    } else if (code < 0x10000) {
      byte(0xE0U | code >> 12U);
      byte(0x80U | (code >> 6U & 0x3FU));
    } else {
      byte(0xF0U | code >> 18U);
      byte(0x80U | (code >> 12U & 0x3FU));
      byte(0x80U | (code >> 6U & 0x3FU));
    }
    byte(0x80U | (code & 0x3FU));
  }

  void escape(std::string& out) {
    static constexpr std::string_view marks = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t index = marks.find(peek()); peek() != '\0' && index != std::string_view::npos) {
      out += meanings[index];
      ++at_;
      return;
    }
    if (!take('u')) fail("an escape");
    unsigned code = hexadecimal();
    if (code >= 0xD800 && code < 0xDC00) {
      if (!take("\\u")) fail("the second half of a surrogate pair");
      const unsigned second = hexadecimal();
      if (second < 0xDC00 || second > 0xDFFF) fail("the second half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10U) + (second - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      fail("no half of a surrogate pair");
    }
    append_utf8(out, code);
  }

  std::string string() {
    std::string result;
    ++at_;
    while (!take('"')) {
      if (at_ >= text_.size()) fail("a closing quote");
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) fail("no control characters in a text");
      ++at_;
      if (c == '\\')
        escape(result);
      else
        result += c;
    }
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0, values_ = 0;
};

void write_text(const std::string& text, std::string& out) {
  static constexpr std::string_view plain = "\"\\\b\f\n\r\t", marks = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    const std::size_t index = plain.find(c);
    if (index != std::string_view::npos)
      (out += '\\') += marks[index];
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  out += '"';
}

void write(const Json& value, std::string_view without, std::string& out) {
  switch (value.kind) {
    case Json::Kind::null:
      out += "null";
      return;
    case Json::Kind::boolean:
      out += value.truth ? "true" : "false";
      return;
    case Json::Kind::number:
      out += value.text;
      return;
    case Json::Kind::text:
      return write_text(value.text, out);
    case Json::Kind::list:
      out += '[';
      for (const Json& item : value.items) {
        if (&item != &value.items.front()) out += ',';
        write(item, {}, out);
      }
      out += ']';
      return;
    case Json::Kind::object: {
      std::map<std::string_view, const Json*> sorted;
      for (const auto& [key, member] : value.members)
        if (without.empty() || key != without) sorted.emplace(key, &member);
      out += '{';
      bool first = true;
      for (const auto& [key, member] : sorted) {
        if (!first) out += ',';
        first = false;
        write_text(std::string(key), out);
        out += ':';
        write(*member, {}, out);
      }
      out += '}';
    }
  }
}

}  // namespace

Json::Json() = default;

const Json* Json::find(std::string_view key) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == key; });
  return found == members.end() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  as_object();
  if (const Json* found = find(key)) return *found;
  throw InputError(
      fmt::format("{}: the key \"{}\" is missing", place.empty() ? "the certificate" : place, key));
}

void Json::refuse(std::string_view expected) const {
  const bool scalar = kind == Kind::number || kind == Kind::text;
  throw InputError(fmt::format("{}: found {}{}, expected {}", place.empty() ? "the certificate" : place,
                               name_of(kind), scalar ? " \"" + text.substr(0, 60) + "\"" : "", expected));
}

const std::string& Json::as_text() const {
  if (kind != Kind::text) refuse("a text");
  return text;
}
bool Json::as_truth() const {
  if (kind != Kind::boolean) refuse("true or false");
  return truth;
}
const std::vector<Json>& Json::as_list() const {
  if (kind != Kind::list) refuse("a list");
  return items;
}
const std::vector<std::pair<std::string, Json>>& Json::as_object() const {
  if (kind != Kind::object) refuse("an object");
  return members;
}

long Json::as_count(long least, long most) const {
  const auto wanted = [&] { return fmt::format("a whole number from {} to {}", least, most); };
  if (kind != Kind::number || text.size() > 18 || text.find_first_not_of("-0123456789") != std::string::npos)
    refuse(wanted());
  const long value = std::stol(text);
  if (value < least || value > most) refuse(wanted());
  return value;
}

void Json::require_keys(std::initializer_list<std::string_view> allowed) const {
  for (const auto& [key, member] : as_object())
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) member.refuse("no key of this name");
}

Json parse_json(std::string_view text) {
  if (text.size() > longest_certificate)
    throw InputError(fmt::format("{} bytes; at most {} are read", text.size(), longest_certificate));
  json::check_encoding(text);
  return JsonParser(text).document();
}

std::string canonical_text(const Json& value, std::string_view without) {
  std::string out;
  write(value, without, out);
  return out;
}

}  // namespace rankfall::recheck
