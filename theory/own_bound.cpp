#include "theory/own_bound.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/chain_proof.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/parse.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/measured.hpp"

namespace rankfall::theory {
namespace {

std::vector<std::string> parameters(const Expression& pattern) {
  std::vector<std::string> names;
  for (const Expression& index : pattern.operands()) names.push_back(index.name());
  return names;
}

bool is_pattern(const Expression& e) {
  return e.is(Kind::symbol) && std::ranges::all_of(e.operands(), [](const Expression& index) {
           return index.is(Kind::symbol) && index.operands().empty();
         });
}

/// Every formula of a bound of one's own.
std::vector<Expression> formulas(const Statement& s) {
  std::vector<Expression> all;
  const auto take = [&](const std::vector<Hypothesis>& hypotheses) {
    for (const Hypothesis& h : hypotheses) all.insert(all.end(), {h.value, h.bound});
  };
  take(s.hypotheses);
  for (const Bound& bound : s.bounds) {
    all.push_back(bound.right);
    if (bound.constant) all.push_back(*bound.constant);
    if (bound.prefactor) all.push_back(*bound.prefactor);
    take(bound.hypotheses);
  }
  return all;
}

/// A part without symbols is a number: throws InputError where it is none, or too large to be enclosed.
void require_constants_defined(const Expression& e) {
  if (!free_symbols(e).empty()) {
    for (const Expression& operand : e.operands()) require_constants_defined(operand);
    return;
  }
  try {
    evaluate(e, Environment(), Precision(128));
  } catch (const DomainError& error) {
    throw InputError(std::string("undefined: ") + error.what());
  }
}

bool is_lambda(const std::string& name) {
  return name.starts_with("lambda");
}

bool is_of_head_1(const std::string& name) {
  const MeasuredSymbol* symbol = find_measured(name);
  return symbol && symbol->of_scores && name != "rho";
}

std::string scope_words(const Scope& scope) {
  std::string words = scope.one_head ? "one head" : "any heads";
  if (scope.common_d_qk) words += ", one d_qk throughout";
  words += scope.skip ? ", any biases, a skip connection" : ", any biases, no skip";
  return words + (scope.mlp ? ", MLP blocks after layers" : "");
}

}  // namespace

void Formulas::define(std::string_view head, std::string_view formula) {
  const Expression pattern = parse(head);
  if (!is_pattern(pattern))
    throw InputError(fmt::format("'{}' is not a name, alone or with indices: C, C[l]", head));
  if (find_measured(pattern.name()))
    throw InputError(fmt::format("'{}' is a measured symbol and cannot be defined anew", pattern.name()));
  if (!definitions_.try_emplace(pattern.name(), Definition{pattern, parse(formula)}).second)
    throw InputError(fmt::format("'{}' is defined twice", pattern.name()));
}

Expression Formulas::expand(const Expression& e, std::vector<std::string>& path) const {
  std::vector<Replacement> replacements;
  for (const FreeSymbol& symbol : free_symbols(e)) {
    const auto found = definitions_.find(symbol.name);
    if (found == definitions_.end()) continue;
    const auto& [pattern, body] = found->second;
    if (symbol.indices != pattern.operands().size())
      throw InputError(fmt::format("{} is defined with {} indices and named with {}", symbol.name,
                                   pattern.operands().size(), symbol.indices));
    if (const auto seen = std::ranges::find(path, symbol.name); seen != path.end())
      throw InputError(fmt::format("the definition leads back to itself: {} -> {}",
                                   fmt::join(seen, path.end(), " -> "), symbol.name));
    path.push_back(symbol.name);
    replacements.emplace_back(pattern, expand(body, path));
    path.pop_back();
  }
  return replacements.empty() ? e : substitute(e, replacements);
}

std::vector<std::string> Formulas::names() const {
  std::vector<std::string> result;
  for (const auto& [name, definition] : definitions_) result.push_back(name);
  return result;
}

void Formulas::check(std::string_view head) const {
  const auto& [pattern, body] = definitions_.at(parse(head).name());
  std::vector<std::string> path{pattern.name()};
  check_measured(expand(body, path), parameters(pattern), names());
}

Expression Formulas::read(std::string_view formula) const {
  std::vector<std::string> path;
  Expression e = expand(parse(formula), path);
  check_measured(e, {}, names());
  return e;
}

Hypothesis Formulas::read_hypothesis(std::string_view text) const {
  const std::size_t at = std::min(text.find("<="), text.find(">="));
  if (at == std::string_view::npos)
    throw InputError(fmt::format("'{}' is no hypothesis: write value <= bound or value >= bound", text));
  std::string rest(text);  // what stands on the left as blanks, so that columns are those of the text
  std::fill_n(rest.begin(), at + 2, ' ');
  Expression left = read(text.substr(0, at)), right = read(rest);
  if (text[at] == '>') std::swap(left, right);
  return {std::string(text), std::string(text), left, right};
}

Statement own_statement(Statement s) {
  for (const Expression& e : formulas(s)) {
    require_constants_defined(e);
    for (const FreeSymbol& symbol : free_symbols(e)) {
      s.uses_gamma = s.uses_gamma || symbol.name == "gamma";
      s.scope.skip = s.scope.skip || symbol.name == "alpha";
      s.scope.mlp = s.scope.mlp || is_lambda(symbol.name);
      s.scope.common_d_qk = s.scope.common_d_qk || symbol.name == "d_qk" || symbol.name == "beta";
      s.scope.one_head = s.scope.one_head || is_of_head_1(symbol.name);
      if (symbol.name == "r0" && s.references == References::none) s.references = References::minimal;
      if (symbol.name == "Cmax" && !s.bounds.front().constant)
        throw InputError("Cmax, the largest C of a layer, needs `constant`");
    }
  }
  for (const Bound& bound : s.bounds) {
    if (const std::string why = not_cubic(bound); !why.empty())
      throw InputError("the bound is not the cubic one of `constant` (and `prefactor`): " + why);
    if (bound.quantity == Quantity::residual_about && bound.span != Bound::Span::layer)
      throw InputError("the residual about the reference is known for one layer: write each = \"layer\"");
    if (bound.quantity == Quantity::residual_about) s.references = References::propagated;
  }
  if (speaks_of_scores(s) || s.uses_gamma) s.references = References::propagated;
  s.scope.words = scope_words(s.scope);
  s.status = Status::open;
  return s;
}

}  // namespace rankfall::theory
