#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankfall::recheck {

/// One value of a JSON text as it was written: numbers keep their digits.
struct Json {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::string text;                                   ///< of a number or a text
  std::vector<Json> items;                            ///< of a list
  std::vector<std::pair<std::string, Json>> members;  ///< of an object, in the order of the text
  std::string place;                                  ///< "states[2].diameter.1", for messages

  Json();  // where it is complete: a standard library may look into pairs of it

  /// Null when there is none.
  const Json* find(std::string_view key) const;
  /// These throw InputError naming the place, what was found and what is expected.
  const Json& at(std::string_view key) const;
  const std::string& as_text() const;
  bool as_truth() const;
  const std::vector<Json>& as_list() const;
  const std::vector<std::pair<std::string, Json>>& as_object() const;
  long as_count(long least, long most) const;
  [[noreturn]] void refuse(std::string_view expected) const;
  /// Only these keys.
  void require_keys(std::initializer_list<std::string_view> allowed) const;
};

inline constexpr std::size_t longest_certificate = 1UL << 26U;  ///< bytes
inline constexpr std::size_t most_values = 2'000'000;
inline constexpr std::size_t deepest_certificate = 32;  ///< lists and objects inside each other

/// Reads a whole JSON text (RFC 8259, UTF-8). Throws InputError with line and column for anything else, for a
/// key that stands twice, and beyond the limits above.
Json parse_json(std::string_view text);

/// The canonical text (docs/formats): no blanks, keys in the order of their bytes, numbers as written, texts
/// with the shortest escapes. `without` is left out of the outermost object.
std::string canonical_text(const Json& value, std::string_view without = {});

}  // namespace rankfall::recheck
