#include "theory/expression/terms.hpp"

#include <algorithm>
#include <unordered_map>

#include "theory/expression/exact_operations.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"

namespace rankfall::theory {
namespace {

constexpr std::size_t folded_bits = 64;  // a larger power of constants stays a power

bool is_commutative(const Expression& e) {
  return e.is(Kind::add) || e.is(Kind::multiply) || e.is(Function::max) || e.is(Function::min);
}

/// 1/0, whatever else it was multiplied by.
Term undefined_term() {
  Term term;
  term.factors.push_back({0, -1});
  return term;
}

bool is_undefined(const Term& term) {
  return term.factors.size() == 1 && term.factors[0].base.is(Rational(0)) &&
         term.factors[0].exponent.is(Rational(-1));
}

/// Multiplies by a power of a constant; false when it has to stay a factor.
bool fold_constant(Term& term, const Expression& base, const Expression& exponent) {
  if (!base.is(Kind::constant) || !exponent.is(Kind::constant)) return false;
  const Rational& b = base.value();
  const Rational& e = exponent.value();
  if ((b == 0 && e < 0) || (b < 0 && !is_integer(e))) return false;
  const auto value = exact_power(b, e, abs(e) == 1 ? std::max(folded_bits, bit_size(b)) : folded_bits);
  if (value) term.coefficient *= *value;
  return value.has_value();
}

bool is_integer_constant(const Expression& e) {
  return e.is(Kind::constant) && is_integer(e.value());
}

/// Made of factors of its own.
bool is_compound(const Expression& e) {
  return e.is(Kind::multiply) || e.is(Kind::divide) || e.is(Kind::negate) || e.is(Kind::power) ||
         e.is(Function::sqrt);
}

Expression scaled(const Expression& e, const Rational& by) {
  if (by == 1) return e;
  Term term = as_term(e);
  term.coefficient *= by;
  if (by == 0) term.factors.clear();
  return to_expression(term);
}

/// How large the power of a coefficient may become: its own size for the powers 1 and -1.
std::size_t coefficient_bits(const Term& term, const Rational& n) {
  return abs(n) == 1 ? std::max(folded_bits, bit_size(term.coefficient)) : folded_bits;
}

/// Multiplies by e^(1 or -1).
void take_apart(Term& term, const Expression& e, const Rational& exponent) {
  switch (e.kind()) {
    case Kind::multiply:
      for (const Expression& factor : e.operands()) take_apart(term, factor, exponent);
      return;
    case Kind::divide:
      take_apart(term, e.operands()[0], exponent);
      take_apart(term, e.operands()[1], -exponent);
      return;
    case Kind::negate:
      term.coefficient = -term.coefficient;
      return take_apart(term, e.operands()[0], exponent);
    case Kind::power:
      return multiply_by(term, e.operands()[0], scaled(e.operands()[1], exponent));
    case Kind::call:
      if (e.is(Function::sqrt)) return multiply_by(term, e.operands()[0], exponent / 2);
      break;
    default:
      break;
  }
  multiply_by(term, e, exponent);
}

/// A power as it is written above or below a fraction stroke.
Expression written(const Expression& base, const Expression& exponent) {
  if (exponent.is(Rational(1))) return base;
  if (exponent.is(Rational(1, 2))) return sqrt(base);
  return pow(base, exponent);
}

/// Does not depend on the order of factors, nor on the coefficient.
std::size_t signature(const Term& term) {
  std::size_t total = 0;
  for (const Factor& f : term.factors) total += pow(f.base, f.exponent).signature();
  return total;
}

bool same_factors(const Term& a, const Term& b) {
  return a.factors.size() == b.factors.size() && std::ranges::all_of(a.factors, [&](const Factor& f) {
           return std::ranges::any_of(b.factors, [&](const Factor& g) {
             return same_up_to_order(f.base, g.base) && same_up_to_order(f.exponent, g.exponent);
           });
         });
}

}  // namespace

Expression ordered(const Expression& e) {
  if (e.operands().empty()) return e;
  std::vector<Expression> operands;
  for (const Expression& operand : e.operands()) operands.push_back(ordered(operand));
  if (is_commutative(e)) std::ranges::sort(operands, StructuralLess{});
  return with_operands(e, std::move(operands));
}

bool same_up_to_order(const Expression& a, const Expression& b) {
  return a.signature() == b.signature() && a.size() == b.size() && (a == b || ordered(a) == ordered(b));
}

Term as_term(const Expression& e) {
  Term term;
  take_apart(term, e, 1);
  return term;
}

bool is_multiple_of_sum(const Term& term) {
  return term.factors.size() == 1 && term.factors[0].base.is(Kind::add) &&
         term.factors[0].exponent.is(Rational(1));
}

Terms distributed(const Term& term) {
  if (!is_multiple_of_sum(term)) return {term};
  Terms result;
  for (const Expression& part : term.factors[0].base.operands()) {
    result.push_back(as_term(part));
    result.back().coefficient *= term.coefficient;
  }
  return result;
}

Terms as_terms(const Expression& e) {
  const Term whole = as_term(e);
  return abs(whole.coefficient) == 1 ? distributed(whole) : Terms{whole};
}

void multiply_by(Term& term, const Expression& base, const Expression& exponent) {
  if (term.coefficient == 0 || is_undefined(term) || exponent.is(Rational(0))) return;
  if (base.is(Rational(0)) && exponent.is(Kind::constant) && exponent.value() < 0) {
    term = undefined_term();
    return;
  }
  if (fold_constant(term, base, exponent)) {
    if (term.coefficient == 0) term.factors.clear();
    return;
  }
  if (is_compound(base) && is_integer_constant(exponent))
    return multiply_by(term, raised(as_term(base), exponent.value()));
  const auto same =
      std::ranges::find_if(term.factors, [&](const Factor& f) { return same_up_to_order(f.base, base); });
  if (same == term.factors.end()) {
    term.factors.push_back({base, exponent});
    return;
  }
  same->exponent = simplify(same->exponent + exponent);
  if (!same->exponent.is(Kind::constant)) return;
  if (!is_compound(base) && !base.is(Kind::constant) && !same->exponent.is(Rational(0))) return;
  const Factor merged = *same;
  term.factors.erase(same);
  multiply_by(term, merged.base, merged.exponent);
}

void multiply_by(Term& term, const Term& factor) {
  if (is_undefined(term)) return;
  if (is_undefined(factor)) term = undefined_term();
  term.coefficient *= factor.coefficient;
  if (term.coefficient == 0) term.factors.clear();
  for (const Factor& f : factor.factors) multiply_by(term, f.base, f.exponent);
}

Term raised(const Term& term, const Rational& n) {
  if (term.coefficient == 0 && n < 0) return undefined_term();
  Term result;
  if (const auto coefficient = exact_power(term.coefficient, n, coefficient_bits(term, n)))
    result.coefficient = *coefficient;
  else
    result.factors.push_back({term.coefficient, n});
  for (const Factor& f : term.factors) multiply_by(result, f.base, scaled(f.exponent, n));
  return result;
}

Terms collected(const Terms& terms) {
  Terms result;
  std::unordered_multimap<std::size_t, std::size_t> places;
  for (const Term& term : terms) {
    if (term.coefficient == 0) continue;
    const std::size_t mark = signature(term);
    const auto [first, last] = places.equal_range(mark);
    const auto same =
        std::find_if(first, last, [&](const auto& p) { return same_factors(result[p.second], term); });
    if (same != last) {
      result[same->second].coefficient += term.coefficient;
      continue;
    }
    places.emplace(mark, result.size());
    result.push_back(term);
  }
  std::erase_if(result, [](const Term& term) { return term.coefficient == 0; });
  return result;
}

Expression to_expression(const Term& term) {
  if (is_undefined(term)) return Expression(1) / 0;
  const Rational size = abs(term.coefficient);
  const bool as_decimal = !is_integer(size) && prefers_decimal(size);
  std::vector<Expression> above, below;
  if (as_decimal)
    above.emplace_back(size);
  else if (numerator(size) != 1)
    above.emplace_back(numerator(size));
  if (!as_decimal && denominator(size) != 1) below.emplace_back(denominator(size));
  for (const Factor& f : term.factors) {
    if (leads_with_minus(f.exponent))
      below.push_back(written(f.base, -f.exponent));
    else
      above.push_back(written(f.base, f.exponent));
  }
  Expression result = multiply(std::move(above));
  if (!below.empty()) result = result / multiply(std::move(below));
  return term.coefficient < 0 ? -result : result;
}

Expression to_expression(const Terms& terms) {
  std::vector<Expression> parts;
  for (const Term& term : terms) parts.push_back(to_expression(term));
  return add(std::move(parts));
}

}  // namespace rankfall::theory
