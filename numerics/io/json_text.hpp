#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace rankfall::json {

/// Receives one value of a JSON text, as its parser comes upon it: no tree of the text is ever built. Each
/// value kind that a reader does not override is refused with what was found and what is expected. Readers
/// throw InputError without a place; read_json puts file and place before the message.
class ValueReader {
 public:
  ValueReader() = default;
  ValueReader(const ValueReader&) = delete;
  ValueReader& operator=(const ValueReader&) = delete;
  virtual ~ValueReader() = default;

  /// For messages: "a number", "a list of rows".
  virtual std::string expected() const = 0;

  /// The exact decimal as written, within the range of a double.
  virtual void number(std::string_view decimal);
  virtual void text(std::string_view value);

  virtual void begin_object();
  /// Who reads the value of this key; may be called only between begin_object and end_object.
  virtual ValueReader& member(std::string_view key);
  virtual void end_object() {}

  virtual void begin_list();
  /// Who reads the next element; may be called only between begin_list and end_list.
  virtual ValueReader& element(std::size_t index);
  virtual void end_list() {}

  [[noreturn]] void refuse(std::string_view found) const;
};

/// Parses `text` and hands its values to `root` and to the readers that root names. `name` stands in messages
/// for the file. Depth costs heap only as far as the readers go along with it. Throws InputError "name:
/// place: what was found; what is allowed" for whatever a reader refuses, and with line and column for a text
/// that is not JSON in UTF-8 without byte order mark.
void read_json(std::string_view text, std::string_view name, ValueReader& root);

}  // namespace rankfall::json
