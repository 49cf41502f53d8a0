#include "verify/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/san/beta.hpp"
#include "numerics/san/laws.hpp"
#include "verify/grid_embedded.hpp"
#include "verify/toml_document.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t most_values = 100'000;
constexpr long most_integer = 1'000'000'000;
constexpr std::size_t most_cells = 10'000'000;
const std::vector<std::string> keys = {"depth", "tokens",     "dim",    "heads",     "d_qk",
                                       "beta",  "gamma",      "law",    "input_law", "blocks",
                                       "seeds", "statements", "digits", "precision"};

/// One TOML document and its text, so that numbers are read as written and errors name their line.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    refuse(name_, node, message);
  }

  void refuse_unknown(const toml::table& table, const std::vector<std::string>& allowed) const {
    refuse_unknown_keys(name_, table, allowed);
  }

  /// The exact number written at the node: an integer, a float as it stands in the text, or a string.
  Rational number(const toml::node& node, std::string_view key) const {
    try {
      if (const auto* integer = node.as_integer()) return Rational(static_cast<long>(integer->get()));
      if (const auto* string = node.as_string()) return parse_number(string->get());
      if (node.is_floating_point()) return parse_number(written(node));
    } catch (const InputError& error) {
      fail(node, fmt::format("{}: {}", key, error.what()));
    }
    fail(node, fmt::format("{}: a number or a string with a number is expected", key));
  }

  std::string text(const toml::node& node, std::string_view key) const {
    const auto* string = node.as_string();
    if (!string) fail(node, fmt::format("{}: a string is expected", key));
    return string->get();
  }

  /// The node's values: of a list its members, else the node alone.
  std::vector<const toml::node*> members(const toml::node& node, std::string_view key) const {
    std::vector<const toml::node*> result;
    if (const auto* list = node.as_array()) {
      for (const toml::node& member : *list) result.push_back(&member);
      if (result.empty()) fail(node, fmt::format("{}: the list is empty", key));
      return result;
    }
    return {&node};
  }

  /// Integers, each once: a value, a list, or a range "first:last" or "first:last:step".
  std::vector<long> integers(const toml::node& node, std::string_view key, long least) const {
    std::vector<long> result;
    for (const toml::node* member : members(node, key)) {
      if (is_range(*member))
        append_range(*member, member->as_string()->get(), key, least, result);
      else
        result.push_back(integer(*member, key, least, most_integer));
      if (result.size() > most_values)
        fail(*member, fmt::format("{}: more than {} values", key, most_values));
    }
    require_distinct(node, key, result);
    return result;
  }

  /// One integer from `least` to `greatest`.
  long integer(const toml::node& node, std::string_view key, long least, long greatest) const {
    const Rational value = number(node, key);
    if (denominator(value) != 1 || value < least || value > greatest)
      fail(node, fmt::format("{}: {} is not a whole number from {} to {}", key, abbreviated(to_text(value)),
                             least, greatest));
    return numerator(value).convert_to<long>();
  }

  static bool is_range(const toml::node& node) {
    const auto* string = node.as_string();
    return string && string->get().find(':') != std::string::npos;
  }

  template <class Value>
  void require_distinct(const toml::node& node, std::string_view key, std::vector<Value> values) const {
    std::sort(values.begin(), values.end());
    if (std::adjacent_find(values.begin(), values.end()) != values.end())
      fail(node, fmt::format("{}: a value stands twice; its networks would be counted twice", key));
  }

 private:
  std::string written(const toml::node& node) const {
    const auto begin = offset(node.source().begin), end = offset(node.source().end);
    std::string token(text_.substr(begin, end - begin));
    token = token.substr(0, token.find_first_of(" \t\r\n,]}#"));
    std::erase(token, '_');
    return token;
  }

  std::size_t offset(const toml::source_position& position) const {
    std::size_t start = 0;
    for (toml::source_index line = 1; line < position.line; ++line) start = text_.find('\n', start) + 1;
    return std::min(text_.size(), start + position.column - 1);
  }

  void append_range(const toml::node& node, const std::string& range, std::string_view key, long least,
                    std::vector<long>& result) const {
    const auto fail_range = [&] {
      fail(node,
           fmt::format("{}: {} is not a range \"first:last\" or \"first:last:step\" with {} <= first <= last "
                       "<= {} and step >= 1",
                       key, in_quotes(range), least, most_integer));
    };
    std::vector<long> parts;
    for (std::size_t start = 0; start <= range.size() && parts.size() < 4;) {
      const std::size_t end = std::min(range.find(':', start), range.size());
      const std::string_view digits = std::string_view(range).substr(start, end - start);
      long part = 0;
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
      if (error != std::errc() || stop != digits.data() + digits.size() || part > most_integer) fail_range();
      parts.push_back(part);
      start = end + 1;
    }
    if (parts.size() > 3 || parts[0] < least || parts[0] > parts[1] || (parts.size() == 3 && parts[2] < 1))
      fail_range();
    const long step = parts.size() == 3 ? parts[2] : 1;
    if (static_cast<std::size_t>((parts[1] - parts[0]) / step) > most_values)
      fail(node, fmt::format("{}: the range '{}' has more than {} values", key, range, most_values));
    for (long value = parts[0]; value <= parts[1]; value += step) result.push_back(value);
  }

  std::string_view text_, name_;
};

std::vector<std::uint64_t> seeds(const Reader& reader, const toml::node& node) {
  std::vector<std::uint64_t> result;
  if (node.is_array() || Reader::is_range(node)) {
    for (const long seed : reader.integers(node, "seeds", 0))
      result.push_back(static_cast<std::uint64_t>(seed));
    return result;
  }
  const long count = reader.integer(node, "seeds", 1, static_cast<long>(most_values));
  for (long seed = 1; seed <= count; ++seed) result.push_back(static_cast<std::uint64_t>(seed));
  return result;
}

void read_precision(const Reader& reader, const toml::node& node, CheckOptions& options) {
  const auto* table = node.as_table();
  if (!table) reader.fail(node, "precision: a table {start = BITS, limit = BITS} is expected");
  reader.refuse_unknown(*table, {"start", "limit"});
  for (const auto& [key, value] : *table) {
    const long bits = reader.integer(value, "precision." + std::string(key.str()), least_bits, most_bits);
    (key == "start" ? options.start_bits : options.max_bits) = bits;
  }
  if (options.max_bits > 0 && options.start_bits > options.max_bits)
    reader.fail(
        node, fmt::format("precision: start = {} is above limit = {}", options.start_bits, options.max_bits));
}

void read_key(const Reader& reader, const std::string& key, const toml::node& node, Grid& grid) {
  if (key == "depth") grid.depth = reader.integers(node, key, 1);
  if (key == "tokens") grid.tokens = reader.integers(node, key, 1);
  if (key == "dim") grid.dim = reader.integers(node, key, 1);
  if (key == "heads") grid.heads = reader.integers(node, key, 1);
  if (key == "d_qk") grid.d_qk = reader.integers(node, key, 1);
  if (key == "seeds") grid.seeds = seeds(reader, node);
  if (key == "precision") read_precision(reader, node, grid.options);
  if (key == "digits") grid.options.digits = static_cast<int>(reader.integer(node, key, 1, most_digits));
  if (key == "beta") grid.beta.clear();
  if (key == "gamma") grid.options.gammas.clear();
  if (key == "law") grid.law.clear();
  if (key == "input_law") grid.input_law.clear();
  if (key == "blocks") grid.blocks.clear();
  const std::vector<std::string> named = {"beta", "gamma", "law", "input_law", "blocks", "statements"};
  if (std::find(named.begin(), named.end(), key) == named.end()) return;
  for (const toml::node* member : reader.members(node, key)) {
    try {
      if (key == "beta") {
        grid.beta.emplace_back(reader.number(*member, key));
        BetaTarget{*grid.beta.back()};
      }
      if (key == "gamma") grid.options.gammas.push_back(theory::parse_gamma(reader.text(*member, key)));
      if (key == "law") weight_law(grid.law.emplace_back(reader.text(*member, key)));
      if (key == "input_law") input_law(grid.input_law.emplace_back(reader.text(*member, key)));
      if (key == "blocks") grid.blocks.emplace_back(to_text(layer_form(reader.text(*member, key))));
      if (key == "statements") {
        grid.options.statements.push_back(reader.text(*member, key));
        grid.options.known.find(grid.options.statements.back());
      }
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (message.find(": line ") != std::string::npos) throw;
      reader.fail(*member, message);
    }
  }
  if (key == "beta") reader.require_distinct(node, key, grid.beta);
  if (key == "law") reader.require_distinct(node, key, grid.law);
  if (key == "input_law") reader.require_distinct(node, key, grid.input_law);
  if (key == "blocks") reader.require_distinct(node, key, grid.blocks);
  if (key == "statements") reader.require_distinct(node, key, grid.options.statements);
  if (key == "gamma") {
    std::vector<std::string> names;
    for (const theory::Gamma& gamma : grid.options.gammas) names.push_back(name(gamma));
    reader.require_distinct(node, key, std::move(names));
  }
}

}  // namespace

Grid parse_grid(std::string_view text, std::string_view name, const theory::Statements& known) {
  const toml::table document = parse_toml(text, name);
  refuse_unknown_keys(name, document, keys);
  const Reader reader(text, name);
  Grid grid;
  grid.options.known = known;
  const GenerateSpec defaults;
  grid.depth = {defaults.depth};
  grid.tokens = {defaults.tokens};
  grid.dim = {defaults.dim};
  grid.heads = {defaults.heads};
  for (const auto& [key, node] : document) read_key(reader, std::string(key.str()), node, grid);
  return grid;
}

std::string default_grid_text() {
  return embedded_default_grid;
}
Grid default_grid() {
  return parse_grid(embedded_default_grid, "the embedded grid");
}

std::size_t cell_count(const Grid& grid) {
  for (const long d_qk : grid.d_qk)
    for (const long dim : grid.dim)
      for (const long heads : grid.heads)
        if (d_qk == 0 && dim % heads != 0)
          throw InputError(fmt::format(
              "the grid asks for dim {} with {} heads, which do not divide it; give d_qk or other values",
              dim, heads));
  std::size_t count = 1;
  for (const std::size_t size :
       {grid.tokens.size(), grid.dim.size(), grid.heads.size(), grid.d_qk.size(), grid.beta.size(),
        grid.law.size(), grid.input_law.size(), grid.blocks.size(), grid.seeds.size()}) {
    count *= size;
    if (count > most_cells) throw InputError(fmt::format("the grid has more than {} cells", most_cells));
  }
  return count;
}

Cell cell(const Grid& grid, std::size_t index) {
  const auto pick = [&index](const auto& axis) {
    const std::size_t at = index % axis.size();
    index /= axis.size();
    return axis[at];
  };
  Cell result;
  result.spec.depth = *std::max_element(grid.depth.begin(), grid.depth.end());
  result.spec.seed = pick(grid.seeds);
  result.spec.input_law = pick(grid.input_law);
  result.spec.law = pick(grid.law);
  result.spec.beta = pick(grid.beta);
  result.spec.d_qk = pick(grid.d_qk);
  result.spec.heads = pick(grid.heads);
  result.spec.dim = pick(grid.dim);
  result.spec.tokens = pick(grid.tokens);
  result.spec.blocks = pick(grid.blocks);
  return result;
}

}  // namespace rankfall::verify
