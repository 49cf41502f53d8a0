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

/// Texts in order, with those that are missing refused.
class Texts {
 public:
  explicit Texts(const std::vector<std::string>& texts) : texts_(texts) {}
  bool done() const { return next_ == texts_.size(); }
  const std::string& take() {
    if (done()) refuse_message();
    return texts_[next_++];
  }
  template <class Line>
  Line line() {
    Line result;
    for (std::string& text : result) text = take();
    return result;
  }
  std::size_t count() {
    const std::string& text = take();
    std::size_t result = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error != std::errc() || end != text.data() + text.size()) refuse_message();
    return result;
  }

 private:
  const std::vector<std::string>& texts_;
  std::size_t next_ = 0;
};

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
  const auto append = [&texts](const auto& line) { texts.insert(texts.end(), line.begin(), line.end()); };
  append(cell.description);
  for (std::size_t i = 0; i < cell.rows.size(); ++i) {
    append(cell.rows[i]);
    texts.push_back(std::to_string(cell.hypotheses[i].size()));
    for (const HypothesisRow& hypothesis : cell.hypotheses[i]) append(hypothesis);
  }
  return pack_texts(texts);
}

LedgerCell unpack_cell(std::string_view packed) {
  const std::vector<std::string> unpacked = unpack_texts(packed);
  Texts texts(unpacked);
  LedgerCell cell;
  cell.key = texts.take();
  cell.failure = texts.take();
  cell.description = texts.line<Row>();
  while (!texts.done()) {
    cell.rows.push_back(texts.line<Row>());
    cell.hypotheses.emplace_back();
    for (std::size_t left = texts.count(); left > 0; --left)
      cell.hypotheses.back().push_back(texts.line<HypothesisRow>());
  }
  return cell;
}

}  // namespace rankfall::verify
