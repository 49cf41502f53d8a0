#include "numerics/io/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/exact.hpp"
#include "numerics/io/json_syntax.hpp"
#include "numerics/message.hpp"

namespace rankfall::json {
namespace {

/// Carries its own place.
class SyntaxError : public InputError {
 public:
  using InputError::InputError;
};

/// Between nlohmann's parser and the readers: keeps the stack of open lists and objects, hence the place.
class Driver : public nlohmann::json_sax<nlohmann::json> {
 public:
  Driver(std::string_view text, ValueReader& root) : text_(text), root_(root) {}

  bool null() override { value().refuse("null"); }
  bool boolean(bool truth) override { value().refuse(truth ? "true" : "false"); }
  bool number_integer(std::int64_t integer) override { return whole(integer); }
  bool number_unsigned(std::uint64_t integer) override { return whole(integer); }
  bool number_float(double approximation, const std::string& digits) override {
    ValueReader& reader = value();
    std::string_view decimal = digits;
    // The parser writes the decimal point of the locale into its copy.
    if (const auto point = decimal.find_first_not_of("+-0123456789eE."); point != std::string_view::npos) {
      neutral_ = digits;
      neutral_[point] = '.';
      decimal = neutral_;
    }
    if (approximation == 0) require_zero(decimal);
    reader.number(decimal);
    return true;
  }
  bool string(std::string& characters) override {
    value().text(characters);
    return true;
  }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // no such thing in a text

  bool start_object(std::size_t) override {
    ValueReader& reader = value();
    reader.begin_object();
    open_.push_back({&reader, nullptr, false, 0, {}});
    return true;
  }
  bool key(std::string& characters) override {
    Level& level = open_.back();
    level.key.clear();  // a refused key belongs to no value yet
    level.next = &level.reader->member(characters);
    level.key = characters;
    return true;
  }
  bool end_object() override {
    open_.back().key.clear();
    open_.back().reader->end_object();
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    ValueReader& reader = value();
    reader.begin_list();
    open_.push_back({&reader, nullptr, true, 0, {}});
    return true;
  }
  bool end_array() override {
    open_.back().count = 0;  // the list is meant, not its last element
    open_.back().reader->end_list();
    open_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& error) override {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow) {
      value();
      refuse_range(token, "above");
    }
    const SyntaxFault fault = syntax_fault(text_, position, error.what());
    std::string near = place();
    if (!near.empty()) near = fmt::format(" (near {})", near.substr(0, near.size() - 2));
    throw SyntaxError(fault.place + near + ": " + fault.reason);
  }

  /// "blocks[2].heads[0].W_K[3][1]: ", or nothing at the top.
  std::string place() const {
    std::string result;
    for (const Level& level : open_) {
      if (level.list && level.count > 0)
        result += fmt::format("[{}]", level.count - 1);
      else if (!level.key.empty())
        result += (result.empty() ? "" : ".") + level.key;
    }
    return result.empty() ? result : result + ": ";
  }

 private:
  struct Level {
    ValueReader* reader;
    ValueReader* next;  // who reads the value of `key`
    bool list;
    std::size_t count;  // elements begun
    std::string key;
  };

  /// Who reads the value that begins now.
  ValueReader& value() {
    if (open_.empty()) return root_;
    Level& level = open_.back();
    if (!level.list) return *level.next;
    return level.reader->element(level.count++);
  }

  template <class Whole>
  bool whole(Whole integer) {
    char digits[24];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), integer).ptr;
    value().number({digits, static_cast<std::size_t>(end - digits)});
    return true;
  }

  void require_zero(std::string_view decimal) const {
    const std::string_view mantissa = decimal.substr(0, decimal.find_first_of("eE"));
    if (mantissa.find_first_of("123456789") != std::string_view::npos) refuse_range(decimal, "below");
  }

  [[noreturn]] void refuse_range(std::string_view decimal, std::string_view side) const {
    const auto count = static_cast<std::size_t>(
        std::count_if(decimal.begin(), decimal.end(), [](char c) { return c >= '0' && c <= '9'; }));
    if (count > max_number_digits)
      throw InputError(fmt::format("found {}, a number of {} digits; at most {} are allowed",
                                   abbreviated(decimal), count, max_number_digits));
    throw InputError(
        fmt::format("found the number {}, {} the range of a double, which other programs would misread; "
                    "write it as a string (between double quotes), which is read exactly with exponents "
                    "up to {}",
                    abbreviated(decimal), side, max_number_exponent));
  }

  std::string_view text_;
  ValueReader& root_;
  std::vector<Level> open_;
  std::string neutral_;
};

}  // namespace

void ValueReader::refuse(std::string_view found) const {
  throw InputError(fmt::format("found {}; expected {}", found, expected()));
}
void ValueReader::number(std::string_view decimal) {
  refuse("the number " + abbreviated(decimal));
}
void ValueReader::text(std::string_view value) {
  refuse("the text " + in_quotes(value));
}
void ValueReader::begin_object() {
  refuse("an object");
}
ValueReader& ValueReader::member(std::string_view key) {
  refuse("the key " + in_quotes(key));
}
void ValueReader::begin_list() {
  refuse("a list");
}
ValueReader& ValueReader::element(std::size_t index) {
  refuse(fmt::format("element {}", index));
}

void read_json(std::string_view text, std::string_view name, ValueReader& root) {
  Driver driver(text, root);
  try {
    check_encoding(text);
    nlohmann::json::sax_parse(text.begin(), text.end(), &driver);
  } catch (const SyntaxError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}{}", name, driver.place(), error.what()));
  }
}

}  // namespace rankfall::json
