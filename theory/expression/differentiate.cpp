#include "theory/expression/differentiate.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"
#include "theory/expression/substitute.hpp"

namespace rankfall::theory {
namespace {

class Derivative {
 public:
  explicit Derivative(const Expression& symbol) : symbol_(symbol), names_(free_symbols(symbol)) {}

  Expression of(const Expression& e) const {
    if (!involves(e)) return 0;
    const std::vector<Expression>& operands = e.operands();
    switch (e.kind()) {
      case Kind::constant:
        return 0;
      case Kind::symbol:
        return of_symbol(e);
      case Kind::add: {
        std::vector<Expression> terms;
        for (const Expression& term : operands) terms.push_back(of(term));
        return add(std::move(terms));
      }
      case Kind::multiply:
        return of_product(operands);
      case Kind::divide: {
        const Expression &a = operands[0], &b = operands[1];
        if (!involves(b)) return of(a) / b;
        return of(a) / b - a * of(b) / pow(b, 2);
      }
      case Kind::negate:
        return -of(operands[0]);
      case Kind::power:
        return of_power(operands[0], operands[1]);
      case Kind::call:
        return of_call(e);
      case Kind::sum:
      case Kind::prod:
        return of_range(with_fresh_index(e, names_));
    }
    return 0;
  }

 private:
  bool involves(const Expression& e) const { return occurs(e, {symbol_.name(), symbol_.operands().size()}); }

  [[noreturn]] void refuse(const Expression& e, const std::string& why) const {
    throw DomainError("no derivative of " + to_short_text(e) + " by " + to_text(symbol_) + ": " + why);
  }

  Expression of_symbol(const Expression& e) const {
    for (const Expression& index : e.operands())
      if (involves(index)) refuse(e, "the symbol stands in an index");
    if (e.name() != symbol_.name() || e.operands().size() != symbol_.operands().size()) return 0;
    std::vector<Expression> same;
    for (std::size_t i = 0; i < e.operands().size(); ++i)
      same.push_back(1 - pow(sign(simplify(e.operands()[i] - symbol_.operands()[i])), 2));
    return multiply(std::move(same));
  }

  Expression of_product(const std::vector<Expression>& factors) const {
    std::vector<Expression> terms;
    std::size_t size = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (!involves(factors[i])) continue;
      std::vector<Expression> term = factors;
      term[i] = of(factors[i]);
      terms.push_back(multiply(std::move(term)));
      size += terms.back().size();
      if (size > max_expression_size) throw InputError("the derivative of a product of too many factors");
    }
    return add(std::move(terms));
  }

  Expression of_power(const Expression& a, const Expression& b) const {
    Expression by_base = involves(a) ? b * pow(a, b - 1) * of(a) : Expression(0);
    if (!involves(b)) return by_base;
    return by_base + pow(a, b) * log(a) * of(b);
  }

  Expression of_call(const Expression& e) const {
    const Expression& a = e.operands()[0];
    switch (e.function()) {
      case Function::sqrt:
        return of(a) / (2 * sqrt(a));
      case Function::exp:
        return exp(a) * of(a);
      case Function::log:
        return of(a) / a;
      case Function::tanh:
        return (1 - pow(tanh(a), 2)) * of(a);
      case Function::abs:
        return sign(a) * of(a);
      case Function::sign:
        return 0;
      case Function::min:
      case Function::max:
        return of_extremum(e);
      case Function::binomial:
        break;
    }
    refuse(e, "a binomial is defined between integers only");
  }

  /// max(a, b) = (a + b)/2 + |a - b|/2, min with a minus.
  Expression of_extremum(const Expression& e) const {
    const int side = e.is(Function::max) ? 1 : -1;
    Expression so_far = e.operands()[0];
    Expression result = of(so_far);
    for (std::size_t i = 1; i < e.operands().size(); ++i) {
      const Expression& next = e.operands()[i];
      const Expression d = of(next);
      result = (result + d) / 2 + side * sign(so_far - next) * (result - d) / 2;
      so_far = call(e.function(), {so_far, next});
    }
    return result;
  }

  /// The index differs from every name in the symbol.
  Expression of_range(const Expression& e) const {
    const Expression &first = e.operands()[0], &last = e.operands()[1], &body = e.operands()[2];
    if (involves(first) || involves(last)) refuse(e, "the symbol stands in the limits of the range");
    if (e.is(Kind::sum)) return sum(e.name(), first, last, of(body));
    std::set<FreeSymbol> taken = free_symbols(e);
    taken.insert(names_.begin(), names_.end());
    taken.insert({e.name(), 0});
    const Expression slope = with_fresh_index(sum(e.name(), first, last, of(body)), taken);
    const Expression i = sym(slope.name());
    return sum(slope.name(), first, last,
               slope.operands()[2] * prod(e.name(), first, i - 1, body) * prod(e.name(), i + 1, last, body));
  }

  const Expression& symbol_;
  std::set<FreeSymbol> names_;
};

}  // namespace

Expression differentiate(const Expression& e, const Expression& symbol) {
  if (!symbol.is(Kind::symbol))
    throw DomainError("no derivative by " + to_short_text(symbol) + ", which is no symbol");
  return simplify(Derivative(symbol).of(simplify(e)));
}

}  // namespace rankfall::theory
