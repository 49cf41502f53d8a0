#include "verify/ledger/cell_message.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

[[noreturn]] void refuse_message() {
  throw InputError("a message between processes of a sweep is broken");
}

constexpr std::size_t row_width = std::tuple_size_v<Row>;
constexpr std::size_t before_rows = 2 + row_width;  // key, failure, description

Row row_at(const std::vector<std::string>& texts, std::size_t first) {
  Row row;
  std::copy_n(texts.begin() + static_cast<std::ptrdiff_t>(first), row_width, row.begin());
  return row;
}

}  // namespace

std::string pack_texts(const std::vector<std::string>& texts) {
  std::string packed;
  for (const std::string& text : texts) packed += std::to_string(text.size()) + ':' + text;
  return packed;
}

std::vector<std::string> unpack_texts(std::string_view packed) {
  std::vector<std::string> texts;
  while (!packed.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(packed.data(), packed.data() + packed.size(), length);
    const auto digits = static_cast<std::size_t>(end - packed.data());
    if (error != std::errc() || digits == packed.size() || *end != ':' || length > packed.size() - digits - 1)
      refuse_message();
    texts.emplace_back(packed.substr(digits + 1, length));
    packed.remove_prefix(digits + 1 + length);
  }
  return texts;
}

std::string pack(const LedgerCell& cell) {
  std::vector<std::string> texts = {cell.key, cell.failure};
  texts.insert(texts.end(), cell.description.begin(), cell.description.end());
  for (const Row& row : cell.rows) texts.insert(texts.end(), row.begin(), row.end());
  return pack_texts(texts);
}

LedgerCell unpack_cell(std::string_view packed) {
  const std::vector<std::string> texts = unpack_texts(packed);
  if (texts.size() < before_rows || (texts.size() - before_rows) % row_width != 0) refuse_message();
  LedgerCell cell{texts[0], row_at(texts, 2), texts[1], {}};
  for (std::size_t first = before_rows; first < texts.size(); first += row_width)
    cell.rows.push_back(row_at(texts, first));
  return cell;
}

}  // namespace rankfall::verify
