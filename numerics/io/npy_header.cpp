#include "numerics/io/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void refuse(const std::string& why) {
  throw InputError("the npy header " + why);
}

/// The Python literals that headers are made of.
class Literals {
 public:
  explicit Literals(std::string_view text) : rest_(text) {}

  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void require(char c) {
    if (!take(c)) refuse(fmt::format("has {} where '{}' is expected", at(), c));
  }
  std::string_view text() {
    skip_blanks();
    const char quote = rest_.empty() ? ' ' : rest_.front();
    if (quote != '\'' && quote != '"') refuse(fmt::format("has {} where a text in quotes is expected", at()));
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) refuse("has a text without end");
    const std::string_view result = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return result;
  }
  bool boolean() {
    for (const auto& [word, value] :
         {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}})
      if (skip_blanks(), rest_.starts_with(word)) return rest_.remove_prefix(word.size()), value;
    refuse(fmt::format("has {} where True or False is expected", at()));
  }
  std::uint64_t whole() {
    skip_blanks();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) refuse(fmt::format("has {} where a whole number below 2^64 is expected", at()));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  bool done() { return skip_blanks(), rest_.empty(); }
  std::string at() const { return rest_.empty() ? "its end" : in_quotes(rest_.substr(0, 20)); }

 private:
  void skip_blanks() {
    const std::size_t first = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
  }
  std::string_view rest_;
};

std::vector<std::uint64_t> shape(Literals& in) {
  std::vector<std::uint64_t> result;
  in.require('(');
  while (!in.take(')')) {
    if (!result.empty()) in.require(',');
    if (in.take(')')) break;
    result.push_back(in.whole());
    if (result.size() > 32) refuse("has a shape of more than 32 dimensions");
  }
  return result;
}

void parse_dictionary(std::string_view text, NpyHeader& header) {
  Literals in(text);
  std::optional<std::string> descr;
  std::optional<bool> fortran;
  std::optional<std::vector<std::uint64_t>> found_shape;
  in.require('{');
  while (!in.take('}')) {
    const std::string_view key = in.text();
    in.require(':');
    const bool again =
        (key == "descr" && descr) || (key == "fortran_order" && fortran) || (key == "shape" && found_shape);
    if (again) refuse(fmt::format("has the key {} twice", in_quotes(key)));
    if (key == "descr")
      descr = in.text();
    else if (key == "fortran_order")
      fortran = in.boolean();
    else if (key == "shape")
      found_shape = shape(in);
    else
      refuse(fmt::format("has the unknown key {}; allowed are descr, fortran_order, shape", in_quotes(key)));
    if (!in.take(',')) {
      in.require('}');
      break;
    }
  }
  if (!in.done()) refuse(fmt::format("goes on with {} behind its end", in.at()));
  if (!descr || !fortran || !found_shape) refuse("lacks one of descr, fortran_order, shape");
  header.descr = *descr;
  header.fortran_order = *fortran;
  header.shape = *found_shape;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw InputError("found no npy file: it does not begin with \\x93NUMPY");
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  if (bytes.size() < 10) refuse("is cut off");
  const std::size_t version = byte(6), length_bytes = version == 1 ? 2 : 4, begin = 8 + length_bytes;
  if (version < 1 || version > 3 || byte(7) != 0)
    refuse(fmt::format("has version {}.{}; allowed are 1.0, 2.0 and 3.0", version, byte(7)));
  if (bytes.size() < begin) refuse("is cut off");
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8U | byte(8 + i);
  if (length > bytes.size() - begin)
    refuse(fmt::format("claims {} bytes, of which the file has {}", length, bytes.size() - begin));
  NpyHeader header;
  header.data_begin = begin + length;
  parse_dictionary(bytes.substr(begin, length), header);
  return header;
}

}  // namespace rankfall
