#pragma once
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// A name that an expression leaves open, with its number of indices: a[l,h] has two, beta none.
struct FreeSymbol {
  std::string name;
  std::size_t indices;
  bool operator==(const FreeSymbol&) const = default;
  friend bool operator<(const FreeSymbol& a, const FreeSymbol& b) {
    return std::tie(a.name, a.indices) < std::tie(b.name, b.indices);
  }
};

/// Every symbol that is not bound by a sum or prod.
std::set<FreeSymbol> free_symbols(const Expression& e);
/// Whether it is one of them.
bool occurs(const Expression& e, const FreeSymbol& symbol);
/// Whether a symbol of that name without indices is.
bool depends_on(const Expression& e, const std::string& name);

/// What stands on the left (a symbol) is replaced by what stands on the right.
using Replacement = std::pair<Expression, Expression>;

/// All replacements at once. The pattern beta replaces beta; the pattern a[l,h], whose indices must be
/// different plain symbols, replaces a[x,y] for every x, y and puts x for l and y for h in its right side;
/// other indices (a[1,2]) must be met exactly. Earlier patterns win. Bound indices are renamed where they
/// would capture a free symbol of a right side. Throws InputError when a pattern is not a symbol.
Expression substitute(const Expression& e, const std::vector<Replacement>& replacements);
Expression substitute(const Expression& e, const std::string& name, const Expression& replacement);

/// The sum or prod with its index renamed if `names` holds it.
Expression with_fresh_index(const Expression& sum_or_prod, const std::set<FreeSymbol>& names);

}  // namespace rankfall::theory
