#include "theory/expression/substitute.hpp"

#include <algorithm>
#include <optional>

#include "numerics/errors.hpp"

namespace rankfall::theory {
namespace {

bool is_plain(const Expression& e) {
  return e.is(Kind::symbol) && e.operands().empty();
}
bool binds(const Expression& e) {
  return e.is(Kind::sum) || e.is(Kind::prod);
}

void collect(const Expression& e, std::vector<std::string>& bound, std::set<FreeSymbol>& found) {
  if (e.is(Kind::symbol) && !(e.operands().empty() && std::ranges::find(bound, e.name()) != bound.end()))
    found.insert({e.name(), e.operands().size()});
  if (!binds(e)) {
    for (const Expression& operand : e.operands()) collect(operand, bound, found);
    return;
  }
  collect(e.operands()[0], bound, found);
  collect(e.operands()[1], bound, found);
  bound.push_back(e.name());
  collect(e.operands()[2], bound, found);
  bound.pop_back();
}

/// The right side when the pattern fits the symbol e.
std::optional<Expression> applied(const Replacement& rule, const Expression& e) {
  const auto& [pattern, result] = rule;
  if (pattern.name() != e.name() || pattern.operands().size() != e.operands().size()) return std::nullopt;
  std::vector<Replacement> parameters;
  for (std::size_t i = 0; i < e.operands().size(); ++i) {
    const Expression& parameter = pattern.operands()[i];
    if (is_plain(parameter))
      parameters.emplace_back(parameter, e.operands()[i]);
    else if (parameter != e.operands()[i])
      return std::nullopt;
  }
  return parameters.empty() ? result : substitute(result, parameters);
}

bool has_name(const std::set<FreeSymbol>& symbols, const std::string& name) {
  return symbols.contains({name, 0});
}

std::string fresh_name(const std::string& like, const std::set<FreeSymbol>& taken) {
  for (int i = 1;; ++i)
    if (std::string candidate = like + "_" + std::to_string(i); !has_name(taken, candidate)) return candidate;
}

/// Inside a sum or prod: its index hides a pattern of the same name and must not capture.
Expression substitute_bound(const Expression& e, const std::vector<Replacement>& replacements) {
  std::vector<Replacement> inner;
  std::set<FreeSymbol> arriving;
  for (const Replacement& rule : replacements) {
    if (is_plain(rule.first) && rule.first.name() == e.name()) continue;
    inner.push_back(rule);
    std::set<FreeSymbol> free = free_symbols(rule.second);
    for (const Expression& parameter : rule.first.operands())
      if (is_plain(parameter)) free.erase({parameter.name(), 0});
    arriving.merge(free);
  }
  const Expression safe = with_fresh_index(e, arriving);
  return with_index(e.kind(), safe.name(), substitute(e.operands()[0], replacements),
                    substitute(e.operands()[1], replacements), substitute(safe.operands()[2], inner));
}

}  // namespace

std::set<FreeSymbol> free_symbols(const Expression& e) {
  std::set<FreeSymbol> found;
  std::vector<std::string> bound;
  collect(e, bound, found);
  return found;
}

bool occurs(const Expression& e, const FreeSymbol& wanted) {
  if (e.is(Kind::symbol) && e.name() == wanted.name && e.operands().size() == wanted.indices) return true;
  const bool hides = binds(e) && wanted.indices == 0 && e.name() == wanted.name;
  const std::size_t visible = e.operands().size() - (hides ? 1 : 0);  // the body is the last operand
  return std::any_of(e.operands().begin(), e.operands().begin() + static_cast<std::ptrdiff_t>(visible),
                     [&](const Expression& operand) { return occurs(operand, wanted); });
}

bool depends_on(const Expression& e, const std::string& name) {
  return occurs(e, {name, 0});
}

Expression substitute(const Expression& e, const std::vector<Replacement>& replacements) {
  for (const Replacement& rule : replacements)
    if (!rule.first.is(Kind::symbol)) throw InputError("only a symbol can be substituted");
  if (e.is(Kind::constant) || replacements.empty()) return e;
  if (binds(e)) return substitute_bound(e, replacements);
  std::vector<Expression> operands;
  operands.reserve(e.operands().size());
  for (const Expression& operand : e.operands()) operands.push_back(substitute(operand, replacements));
  Expression result = with_operands(e, std::move(operands));
  if (!result.is(Kind::symbol)) return result;
  for (const Replacement& rule : replacements)
    if (const auto replaced = applied(rule, result)) return *replaced;
  return result;
}

Expression substitute(const Expression& e, const std::string& name, const Expression& replacement) {
  return substitute(e, {{sym(name), replacement}});
}

Expression with_fresh_index(const Expression& sum_or_prod, const std::set<FreeSymbol>& names) {
  if (!has_name(names, sum_or_prod.name())) return sum_or_prod;
  const std::vector<Expression>& operands = sum_or_prod.operands();
  std::set<FreeSymbol> taken = free_symbols(operands[2]);
  taken.insert(names.begin(), names.end());
  const std::string index = fresh_name(sum_or_prod.name(), taken);
  return with_index(sum_or_prod.kind(), index, operands[0], operands[1],
                    substitute(operands[2], sum_or_prod.name(), sym(index)));
}

}  // namespace rankfall::theory
