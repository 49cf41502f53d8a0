#include "theory/exponent.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/expression/exact_operations.hpp"

namespace rankfall::theory {
namespace {

constexpr unsigned largest_power = 16;   // of an expanded sum
constexpr long largest_exponent = 4096;  // of a base in a term

std::optional<long> bounded(const Integer& value) {
  if (abs(value) > largest_exponent) return std::nullopt;
  return value.convert_to<long>();
}

/// The b and k of value = b^k with the largest k, for value > 0 other than 1; b > 1 where value is an integer
/// or the inverse of one.
std::pair<Rational, long> perfect_power(const Rational& value) {
  if (numerator(value) == 1) {
    const auto [base, exponent] = perfect_power(1 / value);
    return {base, -exponent};
  }
  for (long k = static_cast<long>(bit_size(value)); k > 1; --k)
    if (const auto root = exact_root(value, k)) return {*root, k};
  return {value, 1};
}

}  // namespace

Exponent::Exponent(const Rational& constant) {
  add_term({}, constant);
}

Exponent Exponent::variable(const std::string& name) {
  Exponent result;
  result.add_term({{name, {.degree = 1, .base = 1}}}, 1);
  return result;
}

Exponent Exponent::exponential(const Rational& base, const std::string& name) {
  if (base <= 0) throw DomainError("an exponential of base " + to_text(base) + "; the base must be positive");
  Exponent result;
  result.add_term(base == 1 ? Key{} : Key{{name, {.degree = 0, .base = base}}}, 1);
  return result;
}

void Exponent::add_term(const Key& key, const Rational& coefficient) {
  Rational& place = terms_[key];
  place += coefficient;
  if (place == 0) terms_.erase(key);
}

Exponent::Key Exponent::product(const Key& a, const Key& b) {
  Key result = a;
  for (const auto& [name, power] : b) {
    Power& place = result[name];
    place.degree += power.degree;
    place.base *= power.base;
    if (place == Power{}) result.erase(name);
  }
  return result;
}

Exponent operator+(const Exponent& a, const Exponent& b) {
  Exponent result = a;
  for (const auto& [key, coefficient] : b.terms_) result.add_term(key, coefficient);
  return result;
}

Exponent operator-(const Exponent& a, const Exponent& b) {
  Exponent result = a;
  for (const auto& [key, coefficient] : b.terms_) result.add_term(key, -coefficient);
  return result;
}

Exponent operator*(const Exponent& a, const Exponent& b) {
  Exponent result;
  for (const auto& [first, x] : a.terms_)
    for (const auto& [second, y] : b.terms_) result.add_term(Exponent::product(first, second), x * y);
  return result;
}

bool Exponent::involves(const std::string& name) const {
  return std::ranges::any_of(terms_, [&](const auto& term) { return term.first.contains(name); });
}

std::optional<Rational> Exponent::constant() const {
  if (terms_.empty()) return Rational(0);
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

std::optional<std::map<std::string, Integer>> Exponent::affine() const {
  std::map<std::string, Integer> result{{"", 0}};
  for (const auto& [key, coefficient] : terms_) {
    if (key.size() > 1 || !is_integer(coefficient)) return std::nullopt;
    if (!key.empty() && key.begin()->second != Power{.degree = 1, .base = 1}) return std::nullopt;
    result[key.empty() ? "" : key.begin()->first] = numerator(coefficient);
  }
  return result;
}

Exponent Exponent::substituted(const std::string& name, const Exponent& affine) const {
  const auto parts = affine.affine();
  if (!parts)
    throw DomainError("an exponent is substituted by affine expressions with integer coefficients only");
  Exponent result;
  for (const auto& [key, coefficient] : terms_) {
    Exponent term(coefficient);
    for (const auto& [variable, power] : key) {
      if (variable != name) {
        Exponent factor;
        factor.add_term({{variable, power}}, 1);
        term = term * factor;
        continue;
      }
      for (unsigned i = 0; i < power.degree; ++i) term = term * affine;
      for (const auto& [other, times] : *parts) {
        const auto exponent = bounded(times);
        if (!exponent)
          throw DomainError("a coefficient of an exponent beyond " + std::to_string(largest_exponent));
        const Rational base = rankfall::power(power.base, *exponent);
        term = term * (other.empty() ? Exponent(base) : exponential(base, other));
      }
    }
    result = result + term;
  }
  return result;
}

std::optional<Exponent> Exponent::summed(const std::string& name, const Exponent& first,
                                         const Exponent& last) const {
  const Exponent behind = last + Exponent(1);
  Exponent result;
  for (const auto& [key, coefficient] : terms_) {
    Key rest = key;
    rest.erase(name);
    Exponent factor;
    factor.add_term(rest, coefficient);
    const auto found = key.find(name);
    if (found == key.end()) {
      result = result + factor * (behind - first);
      continue;
    }
    const auto& [degree, base] = found->second;
    if (degree > 0) return std::nullopt;
    const Exponent geometric = exponential(base, name);
    const Exponent difference = geometric.substituted(name, behind) - geometric.substituted(name, first);
    result = result + factor * difference * Exponent(1 / (base - 1));
  }
  return result;
}

std::optional<std::pair<Rational, Rational>> Exponent::split(const Rational& base,
                                                             const std::string& name) const {
  std::pair<Rational, Rational> result{0, 0};
  for (const auto& [key, coefficient] : terms_) {
    if (key.empty())
      result.second = coefficient;
    else if (key == Key{{name, {.degree = 0, .base = base}}})
      result.first = coefficient;
    else
      return std::nullopt;
  }
  return result;
}

std::optional<Exponent> Exponent::power_from(const Expression& base, const Expression& exponent) {
  const auto times = from(exponent);
  if (!times) return std::nullopt;
  if (base.is(Kind::constant) && base.value() > 0) {
    const auto parts = times->affine();
    if (!parts) return std::nullopt;
    Exponent result(1);
    for (const auto& [name, coefficient] : *parts) {
      const auto k = bounded(coefficient);
      if (!k) return std::nullopt;
      const Rational power = rankfall::power(base.value(), *k);
      result = result * (name.empty() ? Exponent(power) : exponential(power, name));
    }
    return result;
  }
  const auto count = times->constant();
  if (!count || !is_integer(*count) || *count < 0 || *count > largest_power) return std::nullopt;
  const auto factor = from(base);
  if (!factor) return std::nullopt;
  Exponent result(1);
  for (Integer i = 0; i < numerator(*count); ++i) result = result * *factor;
  return result;
}

std::optional<Exponent> Exponent::from(const Expression& e) {
  const std::vector<Expression>& operands = e.operands();
  if (e.is(Kind::constant)) return Exponent(e.value());
  if (e.is(Kind::symbol)) return operands.empty() ? std::optional(variable(e.name())) : std::nullopt;
  if (e.is(Kind::power)) return power_from(operands[0], operands[1]);
  if (e.is(Kind::call) || e.is(Kind::prod)) return std::nullopt;
  std::vector<Exponent> parts;
  for (const Expression& operand : operands) {
    const auto part = from(operand);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  switch (e.kind()) {
    case Kind::negate:
      return Exponent() - parts[0];
    case Kind::divide: {
      const auto divisor = parts[1].constant();
      if (!divisor || *divisor == 0) return std::nullopt;
      return parts[0] * Exponent(1 / *divisor);
    }
    case Kind::sum: {
      const Exponent &first = parts[0], &last = parts[1];
      if (!certainly_not_negative(first) || !last.affine()) return std::nullopt;
      if (!certainly_not_negative(last + Exponent(1) - first)) return std::nullopt;
      if (first.involves(e.name()) || last.involves(e.name())) return std::nullopt;
      return parts[2].summed(e.name(), first, last);
    }
    default: {
      Exponent result(e.is(Kind::add) ? 0 : 1);
      for (const Exponent& part : parts) result = e.is(Kind::add) ? result + part : result * part;
      return result;
    }
  }
}

Expression Exponent::written(const Key& key, Rational& coefficient) {
  std::map<Rational, std::vector<Expression>> exponents;  // of bases
  std::vector<Expression> factors;
  for (const auto& [name, power] : key) {
    if (power.base != 1) {
      const auto [base, times] = perfect_power(power.base);
      const Expression multiple = std::abs(times) == 1 ? sym(name) : std::abs(times) * sym(name);
      exponents[base].push_back(times < 0 ? -multiple : multiple);
    }
    if (power.degree == 1) factors.push_back(sym(name));
    if (power.degree > 1) factors.push_back(pow(sym(name), power.degree));
  }
  for (auto& [base, parts] : exponents) {
    std::stable_partition(parts.begin(), parts.end(),
                          [](const Expression& part) { return !leads_with_minus(part); });
    long absorbed = 0;  // 3 * 3^L is written 3^(L + 1)
    if (is_integer(base) && base > 1) {
      for (; numerator(coefficient) % numerator(base) == 0; coefficient /= base) ++absorbed;
      for (; denominator(coefficient) % numerator(base) == 0; coefficient *= base) --absorbed;
    }
    if (absorbed != 0) parts.emplace_back(absorbed);
    factors.push_back(pow(base, add(parts)));
  }
  return multiply(std::move(factors));
}

Expression Exponent::to_expression() const {
  std::vector<std::pair<Expression, Rational>> terms;  // and what they are multiplied by
  Integer common = 1;
  for (const auto& [base, times] : std::vector(terms_.rbegin(), terms_.rend())) {
    Rational coefficient = times;
    const Expression factor = written(base, coefficient);
    common = lcm(common, denominator(coefficient));
    terms.emplace_back(factor, coefficient);
  }
  std::stable_partition(terms.begin(), terms.end(), [](const auto& term) { return term.second > 0; });
  std::vector<Expression> parts;
  for (const auto& [factor, coefficient] : terms) {
    const Rational times = coefficient * common;
    const Rational size = abs(times);
    const Expression part = factor.is(Rational(1)) ? Expression(size) : size == 1 ? factor : size * factor;
    parts.push_back(times < 0 ? -part : part);
  }
  const Expression sum = add(std::move(parts));
  return common == 1 ? sum : sum / common;
}

bool certainly_not_negative(const Exponent& affine) {
  const auto parts = affine.affine();
  return parts && std::ranges::all_of(*parts, [](const auto& part) { return part.second >= 0; });
}

}  // namespace rankfall::theory
