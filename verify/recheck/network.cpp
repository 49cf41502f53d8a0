#include "verify/recheck/network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall::recheck {
namespace {

constexpr long most_rows = 1'000'000;
constexpr long most_copies = 1'000'000'000;
constexpr std::size_t most_bits = 1UL << 30U;  // of all numbers together

class Reader {
 public:
  Table matrix(const Json& value) {
    Table result;
    for (const Json& row : value.as_list()) {
      const auto& entries = row.as_list();
      if (entries.empty()) row.refuse("a row of at least one number");
      if (result.rows == 0) result.cols = static_cast<long>(entries.size());
      if (static_cast<long>(entries.size()) != result.cols)
        row.refuse(fmt::format("a row of {} numbers, like the first", result.cols));
      for (const Json& entry : entries) result.entries.push_back(number(entry));
      ++result.rows;
    }
    if (result.rows == 0 || result.rows > most_rows) value.refuse("rows");
    return result;
  }

  Table vector(const Json& value) {
    Table result{.rows = 1, .cols = 0, .entries = {}};
    for (const Json& entry : value.as_list()) result.entries.push_back(number(entry));
    result.cols = static_cast<long>(result.entries.size());
    if (result.empty()) value.refuse("a vector of at least one number");
    return result;
  }

  Rational number(const Json& value) {
    Rational result = exact_number(value);
    bits_ += bit_size(result);
    if (bits_ > most_bits) value.refuse("numbers of at most 128 MiB together");
    return result;
  }

  void shape(const Json& place, const Table& table, long rows, long cols) const {
    if (!table.empty() && (table.rows != rows || table.cols != cols))
      throw InputError(fmt::format("{}: found shape {} x {}, expected {} x {}", place.place, table.rows,
                                   table.cols, rows, cols));
  }

  Head head(const Json& value, long width) {
    value.require_keys({"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "W_QK", "d_qk", "W"});
    Head result;
    const auto optional = [&](const char* key, bool is_vector) {
      const Json* found = value.find(key);
      return !found ? Table{} : is_vector ? vector(*found) : matrix(*found);
    };
    if (value.find("W_QK")) {
      value.require_keys({"W_QK", "d_qk", "W"});
      result.W_QK = matrix(value.at("W_QK"));
      result.W = matrix(value.at("W"));
      result.d_qk = value.at("d_qk").as_count(1, most_copies);
      shape(value, result.W_QK, width, width);
      shape(value, result.W, width, result.W.cols);
      return result;
    }
    result.W_Q = matrix(value.at("W_Q"));
    result.W_K = matrix(value.at("W_K"));
    result.W_V = matrix(value.at("W_V"));
    result.W_O = optional("W_O", false);
    result.b_Q = optional("b_Q", true);
    result.b_K = optional("b_K", true);
    result.b_V = optional("b_V", true);
    result.d_qk = result.W_Q.cols;
    shape(value, result.W_Q, width, result.d_qk);
    shape(value, result.W_K, width, result.d_qk);
    shape(value, result.W_V, width, result.W_V.cols);
    shape(value, result.W_O, result.W_V.cols, result.W_O.cols);
    shape(value, result.b_Q, 1, result.d_qk);
    shape(value, result.b_K, 1, result.d_qk);
    shape(value, result.b_V, 1, result.W_V.cols);
    return result;
  }

  /// "causal", or rows of 0 and 1; absent: every query sees every key.
  std::vector<std::vector<long>> keys(const Json* mask, long tokens) {
    std::vector<std::vector<long>> result(static_cast<std::size_t>(tokens));
    const bool causal = mask && mask->kind == Json::Kind::text;
    if (causal && mask->text != "causal") mask->refuse("causal, or rows of 0 and 1");
    const Table table = mask && !causal ? matrix(*mask) : Table{};
    if (mask) shape(*mask, table, tokens, tokens);
    for (long i = 0; i < tokens; ++i)
      for (long j = 0; j < tokens; ++j) {
        if (!table.empty() && table(i, j) != 0 && table(i, j) != 1) mask->refuse("rows of 0 and 1");
        if (table.empty() ? !causal || j <= i : table(i, j) == 1)
          result[static_cast<std::size_t>(i)].push_back(j);
      }
    for (const auto& seen : result)
      if (seen.empty()) mask->refuse("a query that sees a key");
    return result;
  }

  Layer layer(const Json& value, long width, long tokens) {
    if (value.at("kind").as_text() != "attention")
      value.refuse("a block of kind attention, which is all that a recheck follows");
    value.require_keys({"kind", "skip", "mask", "heads", "b_O"});
    Layer result;
    result.keys = keys(value.find("mask"), tokens);
    if (const Json* skip = value.find("skip")) result.skip = number(*skip);
    for (const Json& each : value.at("heads").as_list()) {
      result.heads.push_back(head(each, width));
      if (result.heads.back().output_width() != result.heads.front().output_width())
        each.refuse("heads of one output width");
    }
    if (result.heads.empty()) value.refuse("at least one head");
    const long out = result.heads.front().output_width();
    if (result.skip != 0 && out != width) value.refuse("a skip only where the width stays");
    if (const Json* bias = value.find("b_O")) {
      result.b_O = vector(*bias);
      shape(*bias, result.b_O, 1, out);
    }
    return result;
  }

 private:
  std::size_t bits_ = 0;
};

std::vector<Integer> copies(const Json* value, long count) {
  std::vector<Integer> result;
  if (value)
    for (const Json& each : value->as_list()) result.emplace_back(each.as_count(1, most_copies));
  if (value && static_cast<long>(result.size()) != count) value->refuse(fmt::format("{} counts", count));
  return value ? result : std::vector<Integer>(static_cast<std::size_t>(count), Integer(1));
}

}  // namespace

bool Layer::keys_are_shared() const {
  return std::all_of(keys.begin(), keys.end(), [&](const auto& seen) { return seen == keys.front(); });
}

bool Layer::is_causal() const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].size() != i + 1 || keys[i].back() != static_cast<long>(i)) return false;
  return true;
}

Integer Network::token_count() const {
  Integer sum = 0;
  for (const Integer& count : tokens) sum += count;
  return sum;
}

bool Network::folded() const {
  const auto several = [](const Integer& count) { return count != 1; };
  return std::any_of(tokens.begin(), tokens.end(), several) ||
         std::any_of(columns.begin(), columns.end(), several);
}

Network read_network(const Json& certificate) {
  const Json& value = certificate.at("network");
  value.require_keys({"format", "input", "blocks"});
  if (value.at("format").as_text() != "rankfall-network/1") value.at("format").refuse("rankfall-network/1");
  Reader reader;
  Network result;
  result.input = reader.matrix(value.at("input"));
  long width = result.input.cols;
  for (const Json& block : value.at("blocks").as_list()) {
    result.layers.push_back(reader.layer(block, width, result.input.rows));
    width = result.layers.back().heads.front().output_width();
  }
  result.tokens = copies(certificate.find("tokens"), result.input.rows);
  result.columns = copies(certificate.find("columns"), width);
  const bool masked = std::any_of(result.layers.begin(), result.layers.end(), [&](const Layer& layer) {
    return !layer.keys_are_shared() || static_cast<long>(layer.keys.front().size()) != result.input.rows;
  });
  if (masked && result.folded()) value.refuse("no mask where rows stand for several tokens");
  return result;
}

Table read_matrix(const Json& value) {
  return Reader().matrix(value);
}

Rational exact_number(const Json& value) {
  if (value.kind != Json::Kind::number && value.kind != Json::Kind::text) value.refuse("a number");
  try {
    return parse_number(value.text);
  } catch (const InputError& error) {
    throw InputError(value.place + ": " + error.what());
  }
}

}  // namespace rankfall::recheck
