#include "verify/define.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "numerics/errors.hpp"
#include "numerics/io/file.hpp"
#include "numerics/nearest.hpp"
#include "theory/own_bound.hpp"
#include "verify/toml_document.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr std::size_t max_bytes = std::size_t{1} << 20U;
const std::vector<std::string> keys = {"name",     "words", "source",     "quantity", "each",      "at_most",
                                       "at_least", "where", "hypotheses", "constant", "prefactor", "heads"};
constexpr std::array quantities = {Quantity::residual,           Quantity::residual_about,
                                   Quantity::composite_diameter, Quantity::diameter_1,
                                   Quantity::diameter_2,         Quantity::diameter_inf};

/// One `[[bound]]` of a file.
class BoundTable {
 public:
  BoundTable(const toml::table& table, std::string_view file) : table_(table), file_(file) {
    refuse_unknown_keys(file, table, keys);
    if (const toml::node* where = table.get("where")) read_definitions(*where);
  }

  Statement statement() const {
    const toml::node& name_node = required("name");
    Statement s;
    s.id = checked_name(name_node);
    s.file = file_;
    s.line = static_cast<long>(name_node.source().begin.line);
    s.title = "a bound of one's own";
    s.words = text("words").value_or("No words were given.");
    s.source = text("source").value_or(fmt::format("{}, line {}", file_, s.line));
    if (const toml::node* heads = table_.get("heads")) {
      if (heads->value<std::int64_t>() != 1)
        refuse(file_, *heads,
               "heads: only 1 is allowed, for a bound of one head; leave it out for any heads");
      s.scope.one_head = true;
    }
    s.hypotheses = hypotheses();
    s.bounds = {bound()};
    return at(name_node, "", [&] { return own_statement(std::move(s)); });
  }

 private:
  /// What `read` throws becomes a message about the node.
  template <class Read>
  std::invoke_result_t<Read> at(const toml::node& node, const std::string& key, Read read) const {
    try {
      return read();
    } catch (const InputError& error) {
      refuse(file_, node, key.empty() ? error.what() : key + ": " + error.what());
    }
  }

  const toml::node& required(const char* key) const {
    const toml::node* node = table_.get(key);
    if (!node) refuse(file_, table_, fmt::format("a bound needs `{}`", key));
    return *node;
  }

  std::string string(const toml::node& node, std::string_view key) const {
    const auto* value = node.as_string();
    if (!value) refuse(file_, node, fmt::format("{}: a string is expected", key));
    return value->get();
  }

  std::optional<std::string> text(const char* key) const {
    const toml::node* node = table_.get(key);
    return node ? std::optional(string(*node, key)) : std::nullopt;
  }

  /// Names go into lists separated by commas, into files and onto pages.
  std::string checked_name(const toml::node& node) const {
    std::string name = string(node, "name");
    const auto good = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
             c == '_' || c == '.';
    };
    if (name.empty() || name.size() > 60 || !std::ranges::all_of(name, good))
      refuse(file_, node, "name: 1 to 60 letters, digits and the marks - _ . are allowed");
    return name;
  }

  void read_definitions(const toml::node& where) {
    const auto* table = where.as_table();
    if (!table) refuse(file_, where, "where: a table of names and formulas is expected");
    for (const auto& [key, node] : *table) {
      const std::string name(key.str()), written = string(node, "where." + name);
      at(node, "where." + name, [&] {
        formulas_.define(name, written);
        return true;
      });
    }
    for (const auto& [key, node] : *table) {
      const std::string name(key.str());
      at(node, "where." + name, [&] {
        formulas_.check(name);
        return true;
      });
    }
  }

  Expression formula(const toml::node& node, const char* key) const {
    const std::string written = string(node, key);
    return at(node, key, [&] { return formulas_.read(written); });
  }

  std::optional<Expression> formula(const char* key) const {
    const toml::node* node = table_.get(key);
    return node ? std::optional(formula(*node, key)) : std::nullopt;
  }

  std::vector<Hypothesis> hypotheses() const {
    std::vector<Hypothesis> result;
    const toml::node* node = table_.get("hypotheses");
    if (!node) return result;
    const auto* list = node->as_array();
    if (!list) refuse(file_, *node, "hypotheses: a list of strings is expected");
    for (const toml::node& member : *list) {
      const std::string written = string(member, "hypotheses");
      result.push_back(at(member, "hypotheses", [&] { return formulas_.read_hypothesis(written); }));
    }
    return result;
  }

  Quantity quantity() const {
    const toml::node& node = required("quantity");
    const std::string word = string(node, "quantity");
    std::vector<std::string> names;
    for (const Quantity q : quantities) {
      if (word == name(q)) return q;
      names.push_back(name(q));
    }
    const std::string near = nearest(word, names);
    refuse(file_, node,
           fmt::format("quantity: unknown '{}'; {}", word,
                       near.empty() ? fmt::format("allowed are {}", fmt::join(names, ", "))
                                    : "did you mean '" + near + "'?"));
  }

  Bound::Span span() const {
    const std::string each = text("each").value_or("depth");
    if (each == "depth") return Bound::Span::depth;
    if (each == "layer") return Bound::Span::layer;
    refuse(file_, *table_.get("each"), "each: \"layer\" or \"depth\" (the default) is expected");
  }

  Bound bound() const {
    Bound result;
    result.quantity = quantity();
    result.span = span();
    const std::optional<Expression> most = formula("at_most"), least = formula("at_least");
    if (most.has_value() == least.has_value())
      refuse(file_, table_, "a bound needs either `at_most` or `at_least`");
    result.right = most ? *most : *least;
    result.from_below = least.has_value();
    result.constant = formula("constant");
    result.prefactor = formula("prefactor");
    if (result.prefactor && !result.constant)
      refuse(file_, *table_.get("prefactor"), "prefactor: it stands beside `constant`, which is missing");
    return result;
  }

  const toml::table& table_;
  std::string file_;
  Formulas formulas_;
};

}  // namespace

void define(Statements& known, std::string_view text, std::string_view name) {
  const toml::table document = parse_toml(text, name);
  refuse_unknown_keys(name, document, {"bound"});
  const toml::node* bounds = document.get("bound");
  if (!bounds) throw InputError(fmt::format("{}: it defines nothing; write [[bound]]", name));
  const auto* list = bounds->as_array();
  if (!list || list->empty() || !list->is_homogeneous(toml::node_type::table))
    refuse(name, *bounds, "bound: tables are expected; write [[bound]]");
  for (const toml::node& node : *list) {
    Statement statement = BoundTable(*node.as_table(), name).statement();
    const long line = statement.line;
    try {
      known.define(std::move(statement));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: line {}: {}", name, line, error.what()));
    }
  }
}

void define(Statements& known, const std::filesystem::path& file) {
  define(known, read_file(file, max_bytes), file.string());
}

}  // namespace rankfall::verify
