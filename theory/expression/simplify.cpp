#include "theory/expression/simplify.hpp"

#include <algorithm>

#include "theory/expression/exact_operations.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/expression/terms.hpp"

namespace rankfall::theory {
namespace {

constexpr std::size_t root_bits = 64;       // of a root that comes out of a fractional power
constexpr std::size_t binomial_bits = 256;  // of a binomial of constants

bool is_constant(const Expression& e) {
  return e.is(Kind::constant);
}

/// Each term multiplied out if it is a multiple of a sum that `chosen` picks.
template <class Choice>
Terms distributed_if(const Terms& terms, Choice chosen) {
  Terms result;
  for (const Term& term : terms)
    for (Term& part : chosen(term) ? distributed(term) : Terms{term}) result.push_back(std::move(part));
  return collected(result);
}

Expression simplified_sum(const std::vector<Expression>& operands) {
  Terms terms;
  for (const Expression& operand : operands)
    if (operand.is(Kind::add))
      for (const Expression& part : operand.operands()) terms.push_back(as_term(part));
    else
      terms.push_back(as_term(operand));
  // A sum in a sum is opened; a multiple of one, only where more cancels than appears.
  terms = distributed_if(collected(terms), [](const Term& term) { return abs(term.coefficient) == 1; });
  const Terms open = distributed_if(terms, is_multiple_of_sum);
  return to_expression(open.size() < terms.size() ? open : terms);
}

/// A product as it reads best: the sign of a lone sum goes inside.
Expression simplified_product(const Term& term) {
  const Expression whole = to_expression(term);
  const Terms parts = as_terms(whole);
  return parts.size() > 1 ? to_expression(collected(parts)) : whole;
}

/// (c x)^r for a fraction r: a perfect power c > 0 comes out; sqrt(x^2) is |x|.
Expression fractional_power(const Term& base, const Rational& r) {
  Term result, inner = base;
  if (base.coefficient > 0)
    if (const auto root = exact_power(base.coefficient, r, root_bits)) {
      result.coefficient = *root;
      inner.coefficient = 1;
    }
  if (inner.coefficient == 1 && inner.factors.empty()) return result.coefficient;
  const bool square =
      inner.coefficient == 1 && inner.factors.size() == 1 && inner.factors[0].exponent.is(Rational(2));
  if (square && r == Rational(1, 2))
    multiply_by(result, simplify(abs(inner.factors[0].base)), 1);
  else
    multiply_by(result, to_expression(inner), r);
  return to_expression(result);
}

Expression simplified_power(const Expression& base, const Expression& exponent) {
  if (base.is(Rational(1))) return 1;
  if (exponent.is(Rational(1))) return base;
  if (!is_constant(exponent)) return pow(base, exponent);
  const Rational& e = exponent.value();
  return is_integer(e) ? simplified_product(raised(as_term(base), e)) : fractional_power(as_term(base), e);
}

Expression simplified_abs(const Expression& a) {
  Term term = as_term(a);
  Term outside{.coefficient = abs(term.coefficient), .factors = {}};
  term.coefficient = 1;
  if (outside.coefficient == 0) return 0;
  if (term.factors.empty()) return outside.coefficient;
  const Expression rest = to_expression(term);
  multiply_by(outside, rest.is(Function::abs) || rest.is(Function::exp) ? rest : abs(rest), 1);
  return to_expression(outside);
}

Expression simplified_extremum(Function function, const std::vector<Expression>& operands) {
  std::vector<Expression> kept;
  std::optional<std::size_t> constant;
  const auto take = [&](const Expression& e) {
    if (is_constant(e) && constant) {
      const bool wins = function == Function::max ? e.value() > kept[*constant].value()
                                                  : e.value() < kept[*constant].value();
      if (wins) kept[*constant] = e;
      return;
    }
    if (is_constant(e)) constant = kept.size();
    if (std::ranges::none_of(kept, [&](const Expression& other) { return same_up_to_order(other, e); }))
      kept.push_back(e);
  };
  for (const Expression& operand : operands)
    if (operand.is(function))
      std::ranges::for_each(operand.operands(), take);
    else
      take(operand);
  return kept.size() == 1 ? kept.front() : call(function, std::move(kept));
}

Expression simplified_binomial(const Expression& n, const Expression& k) {
  if (is_constant(n) && is_constant(k) && is_integer(n.value()) && is_integer(k.value()) && n.value() >= 0) {
    if (k.value() < 0 || k.value() > n.value()) return 0;
    if (const auto value = exact_binomial(numerator(n.value()), numerator(k.value()), binomial_bits))
      return *value;
  }
  return binomial(n, k);
}

Expression simplified_call(Function function, const std::vector<Expression>& operands) {
  const Expression& a = operands.front();
  switch (function) {
    case Function::sqrt:
      return simplified_power(a, Rational(1, 2));
    case Function::exp:
      if (a.is(Function::log)) return a.operands()[0];
      return a.is(Rational(0)) ? Expression(1) : exp(a);
    case Function::log:
      if (a.is(Function::exp)) return a.operands()[0];
      return a.is(Rational(1)) ? Expression(0) : log(a);
    case Function::tanh:
      return a.is(Rational(0)) ? a : leads_with_minus(a) ? -tanh(-a) : tanh(a);
    case Function::abs:
      return simplified_abs(a);
    case Function::sign:
      return is_constant(a) ? Expression(a.value().sign()) : sign(a);
    case Function::min:
    case Function::max:
      return simplified_extremum(function, operands);
    case Function::binomial:
      return simplified_binomial(a, operands[1]);
  }
  return call(function, operands);
}

/// A sum or prod over one index or none, or of something that does not depend on a constant number of them.
Expression simplified_range(const Expression& e) {
  const std::vector<Expression>& operands = e.operands();
  Expression neutral = e.is(Kind::sum) ? 0 : 1;
  if (operands[2] == neutral) return neutral;
  if (!is_constant(operands[0]) || !is_constant(operands[1])) return e;
  const Rational first = operands[0].value(), last = operands[1].value();
  if (!is_integer(first) || !is_integer(last)) return e;
  if (last < first) return neutral;
  if (last == first) return simplify(substitute(operands[2], e.name(), first));
  if (depends_on(operands[2], e.name())) return e;
  const Expression count = last - first + 1;
  return simplify(e.is(Kind::sum) ? count * operands[2] : pow(operands[2], count));
}

}  // namespace

Expression simplify(const Expression& e) {
  if (e.operands().empty()) return e;
  std::vector<Expression> operands;
  operands.reserve(e.operands().size());
  const bool is_product = e.is(Kind::multiply) || e.is(Kind::divide);
  for (const Expression& operand : e.operands()) {
    // -(a + b) as a factor keeps its minus in front, where the product takes it
    const bool minus = is_product && operand.is(Kind::negate);
    operands.push_back(minus ? -simplify(operand.operands()[0]) : simplify(operand));
  }
  switch (e.kind()) {
    case Kind::add:
      return simplified_sum(operands);
    case Kind::multiply: {
      Term product;
      for (const Expression& factor : operands) multiply_by(product, as_term(factor));
      return simplified_product(product);
    }
    case Kind::divide: {
      Term quotient = as_term(operands[0]);
      multiply_by(quotient, raised(as_term(operands[1]), -1));
      return simplified_product(quotient);
    }
    case Kind::negate:
      return simplified_sum({-operands[0]});
    case Kind::power:
      return simplified_power(operands[0], operands[1]);
    case Kind::call:
      return simplified_call(e.function(), operands);
    case Kind::sum:
    case Kind::prod:
      return simplified_range(with_operands(e, std::move(operands)));
    default:
      return with_operands(e, std::move(operands));
  }
}

bool certainly_equal(const Expression& a, const Expression& b) {
  return same_up_to_order(simplify(a), simplify(b));
}

}  // namespace rankfall::theory
