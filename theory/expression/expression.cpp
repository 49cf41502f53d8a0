#include "theory/expression/expression.hpp"

#include <algorithm>
#include <array>

#include "numerics/errors.hpp"
#include "theory/expression/characters.hpp"

namespace rankfall::theory {
namespace {

constexpr std::size_t any_number = 1000;
constexpr std::array function_names{
    FunctionName{Function::sqrt, "sqrt", 1, 1},        FunctionName{Function::exp, "exp", 1, 1},
    FunctionName{Function::log, "log", 1, 1},          FunctionName{Function::tanh, "tanh", 1, 1},
    FunctionName{Function::abs, "abs", 1, 1},          FunctionName{Function::sign, "sign", 1, 1},
    FunctionName{Function::min, "min", 1, any_number}, FunctionName{Function::max, "max", 1, any_number},
    FunctionName{Function::binomial, "binomial", 2, 2}};

bool is_reserved(std::string_view name) {
  return name == "sum" || name == "prod" ||
         std::ranges::any_of(function_names, [&](const FunctionName& f) { return f.name == name; });
}

void check_name(std::string_view name) {
  if (!is_identifier(name))
    throw InputError("'" + std::string(name) +
                     "' is no name for a symbol; expected a letter, then letters, digits and underscores");
  if (is_reserved(name))
    throw InputError("'" + std::string(name) + "' is a function and cannot name a symbol");
}

/// A hash of a pair (multiplicative, with the golden ratio's fraction as odd factor).
std::size_t mixed(std::size_t a, std::size_t b) {
  std::size_t h = (a ^ (b + 0x9E3779B97F4A7C15U + (a << 6U) + (a >> 2U))) * 0x9E3779B97F4A7C15U;
  return h ^ (h >> 32U);
}

std::size_t hash_of(const Rational& value) {
  const Integer above = numerator(value), below = denominator(value);
  const std::size_t sign = static_cast<std::size_t>(value.sign()) + 1;
  return mixed(mixed(mpz_get_ui(above.backend().data()), sign), mpz_get_ui(below.backend().data()));
}

/// Operands of the given kind replaced by their own operands.
std::vector<Expression> flatten(Kind kind, std::vector<Expression> operands) {
  if (std::ranges::none_of(operands, [&](const Expression& e) { return e.is(kind); })) return operands;
  std::vector<Expression> result;
  for (const Expression& operand : operands) {
    if (operand.is(kind))
      result.insert(result.end(), operand.operands().begin(), operand.operands().end());
    else
      result.push_back(operand);
  }
  return result;
}

}  // namespace

struct Expression::Node {
  Kind kind = Kind::constant;
  Rational value = 0;
  std::string name{};
  Function function = Function::sqrt;
  std::vector<Expression> operands{};
  std::size_t depth = 1, size = 1, signature = 0;

  bool is_commutative() const {
    return kind == Kind::add || kind == Kind::multiply ||
           (kind == Kind::call && (function == Function::max || function == Function::min));
  }
  void sign() {
    signature = mixed(static_cast<std::size_t>(kind), static_cast<std::size_t>(function));
    signature = mixed(signature, std::hash<std::string>{}(name));
    if (kind == Kind::constant) signature = mixed(signature, hash_of(value));
    if (is_commutative()) {
      std::size_t total = 0;
      for (const Expression& operand : operands) total += mixed(1, operand.signature());
      signature = mixed(signature, total);
    } else {
      for (const Expression& operand : operands) signature = mixed(signature, operand.signature());
    }
  }
};

std::span<const FunctionName> functions() {
  return function_names;
}

std::string_view name_of(Function function) {
  return std::ranges::find(function_names, function, &FunctionName::function)->name;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

Expression Expression::make(Node node) {
  for (const Expression& operand : node.operands) {
    node.depth = std::max(node.depth, operand.depth() + 1);
    node.size += operand.size();
  }
  if (node.depth > max_expression_depth)
    throw InputError("expression nested deeper than " + std::to_string(max_expression_depth) + " levels");
  if (node.size > max_expression_size)
    throw InputError("expression of more than " + std::to_string(max_expression_size) + " nodes");
  node.sign();
  return Expression(std::make_shared<const Node>(std::move(node)));
}

Expression::Expression(const Rational& value) : Expression(make({.kind = Kind::constant, .value = value})) {}

Kind Expression::kind() const {
  return node_->kind;
}
bool Expression::is(Function f) const {
  return is(Kind::call) && function() == f;
}
bool Expression::is(const Rational& constant) const {
  return is(Kind::constant) && value() == constant;
}
const Rational& Expression::value() const {
  return node_->value;
}
const std::string& Expression::name() const {
  return node_->name;
}
Function Expression::function() const {
  return node_->function;
}
const std::vector<Expression>& Expression::operands() const {
  return node_->operands;
}
std::size_t Expression::depth() const {
  return node_->depth;
}
std::size_t Expression::size() const {
  return node_->size;
}
std::size_t Expression::signature() const {
  return node_->signature;
}

int compare(const Expression& a, const Expression& b) {
  if (a.node_ == b.node_) return 0;
  if (a.kind() != b.kind()) return a.kind() < b.kind() ? -1 : 1;
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (a.is(Kind::constant)) return a.value().compare(b.value());
  if (a.is(Kind::call) && a.function() != b.function()) return a.function() < b.function() ? -1 : 1;
  if (const int names = a.name().compare(b.name()); names != 0) return names;
  if (a.operands().size() != b.operands().size()) return a.operands().size() < b.operands().size() ? -1 : 1;
  for (std::size_t i = 0; i < a.operands().size(); ++i)
    if (const int order = compare(a.operands()[i], b.operands()[i]); order != 0) return order;
  return 0;
}

bool operator==(const Expression& a, const Expression& b) {
  return compare(a, b) == 0;
}

Expression symbol(std::string name, std::vector<Expression> indices) {
  check_name(name);
  return Expression::make({.kind = Kind::symbol, .name = std::move(name), .operands = std::move(indices)});
}

Expression sym(std::string name, std::initializer_list<std::string_view> indices) {
  std::vector<Expression> operands;
  for (const std::string_view index : indices) operands.push_back(symbol(std::string(index)));
  return symbol(std::move(name), std::move(operands));
}

Expression add(std::vector<Expression> terms) {
  terms = flatten(Kind::add, std::move(terms));
  if (terms.empty()) return 0;
  if (terms.size() == 1) return terms.front();
  return Expression::make({.kind = Kind::add, .operands = std::move(terms)});
}

Expression multiply(std::vector<Expression> factors) {
  factors = flatten(Kind::multiply, std::move(factors));
  if (factors.empty()) return 1;
  if (factors.size() == 1) return factors.front();
  return Expression::make({.kind = Kind::multiply, .operands = std::move(factors)});
}

Expression operator+(const Expression& a, const Expression& b) {
  return add({a, b});
}
Expression operator-(const Expression& a, const Expression& b) {
  return add({a, -b});
}
Expression operator*(const Expression& a, const Expression& b) {
  return multiply({a, b});
}

Expression operator/(const Expression& a, const Expression& b) {
  if (a.is(Kind::constant) && b.is(Kind::constant) && b.value() != 0) return a.value() / b.value();
  return Expression::make({.kind = Kind::divide, .operands = {a, b}});
}

Expression operator-(const Expression& a) {
  switch (a.kind()) {
    case Kind::constant:
      return -a.value();
    case Kind::negate:
      return a.operands().front();
    case Kind::multiply: {
      std::vector<Expression> factors = a.operands();
      factors.front() = -factors.front();
      return multiply(std::move(factors));
    }
    case Kind::divide:
      return -a.operands()[0] / a.operands()[1];
    default:
      return Expression::make({.kind = Kind::negate, .operands = {a}});
  }
}

Expression pow(const Expression& base, const Expression& exponent) {
  return Expression::make({.kind = Kind::power, .operands = {base, exponent}});
}

Expression call(Function function, std::vector<Expression> arguments) {
  const FunctionName& f = *std::ranges::find(function_names, function, &FunctionName::function);
  if (arguments.size() < f.least || arguments.size() > f.most) {
    const std::string allowed = f.least == f.most ? std::to_string(f.least)
                                                  : std::to_string(f.least) + " to " + std::to_string(f.most);
    throw InputError(std::string(f.name) + " takes " + allowed + (f.most == 1 ? " argument" : " arguments") +
                     ", found " + std::to_string(arguments.size()));
  }
  return Expression::make({.kind = Kind::call, .function = function, .operands = std::move(arguments)});
}

Expression sqrt(const Expression& a) {
  return call(Function::sqrt, {a});
}
Expression exp(const Expression& a) {
  return call(Function::exp, {a});
}
Expression log(const Expression& a) {
  return call(Function::log, {a});
}
Expression tanh(const Expression& a) {
  return call(Function::tanh, {a});
}
Expression abs(const Expression& a) {
  return call(Function::abs, {a});
}
Expression sign(const Expression& a) {
  return call(Function::sign, {a});
}
Expression min(const Expression& a, const Expression& b) {
  return call(Function::min, {a, b});
}
Expression max(const Expression& a, const Expression& b) {
  return call(Function::max, {a, b});
}
Expression binomial(const Expression& n, const Expression& k) {
  return call(Function::binomial, {n, k});
}

Expression sum(std::string index, const Expression& first, const Expression& last, const Expression& body) {
  return with_index(Kind::sum, std::move(index), first, last, body);
}

Expression prod(std::string index, const Expression& first, const Expression& last, const Expression& body) {
  return with_index(Kind::prod, std::move(index), first, last, body);
}

Expression with_index(Kind sum_or_prod, std::string index, Expression first, Expression last,
                      Expression body) {
  check_name(index);
  return Expression::make({.kind = sum_or_prod,
                           .name = std::move(index),
                           .operands = {std::move(first), std::move(last), std::move(body)}});
}

Expression with_operands(const Expression& original, std::vector<Expression> operands) {
  switch (original.kind()) {
    case Kind::constant:
      return original;
    case Kind::symbol:
      return operands.empty() ? original : symbol(original.name(), std::move(operands));
    case Kind::add:
      return add(std::move(operands));
    case Kind::multiply:
      return multiply(std::move(operands));
    case Kind::divide:
      return operands.at(0) / operands.at(1);
    case Kind::negate:
      return -operands.at(0);
    case Kind::power:
      return pow(operands.at(0), operands.at(1));
    case Kind::call:
      return call(original.function(), std::move(operands));
    case Kind::sum:
    case Kind::prod:
      return with_index(original.kind(), original.name(), operands.at(0), operands.at(1), operands.at(2));
  }
  return original;
}

bool leads_with_minus(const Expression& e) {
  switch (e.kind()) {
    case Kind::constant:
      return e.value() < 0;
    case Kind::negate:
      return true;
    case Kind::multiply:
    case Kind::divide:
      return leads_with_minus(e.operands().front());
    default:
      return false;
  }
}

}  // namespace rankfall::theory
