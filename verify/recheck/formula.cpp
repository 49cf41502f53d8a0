#include "verify/recheck/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "numerics/errors.hpp"

namespace rankfall::recheck {
namespace {

using Node = Formula::Node;

constexpr std::size_t longest_formula = 10'000, deepest_formula = 200;
constexpr long most_terms = 1'000'000;
constexpr std::size_t most_exact_bits = 1U << 20U;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text.size() > longest_formula) fail("a formula of at most 10000 characters");
  }

  Node formula() {
    Node result = sum();
    if (peek() != '\0' || at_ != text_.size()) fail("an operator or the end");
    return result;
  }

 private:
  [[noreturn]] void fail(std::string_view expected) const {
    throw InputError(
        fmt::format("the formula \"{}\", byte {}: expected {}", text_.substr(0, 200), at_, expected));
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void require(char c) {
    if (!take(c)) fail(fmt::format("'{}'", c));
  }
  static Node pair(char kind, Node a, Node b) {
    Node result{.kind = kind};
    result.operands.push_back(std::move(a));
    result.operands.push_back(std::move(b));
    return result;
  }

  Node chain(std::string_view marks, Node (Parser::*part)()) {
    if (++nesting_ > deepest_formula) fail("at most 200 levels");
    Node result = (this->*part)();
    while (peek() != '\0' && marks.find(peek()) != std::string_view::npos) {
      const char mark = text_[at_++];
      result = pair(mark, std::move(result), (this->*part)());
    }
    --nesting_;
    return result;
  }
  Node sum() { return chain("+-", &Parser::product); }
  Node product() { return chain("*/", &Parser::signed_power); }

  Node signed_power() {
    if (++nesting_ > deepest_formula) fail("at most 200 levels");
    Node result;
    if (take('-')) {
      result = {.kind = '~'};
      result.operands.push_back(signed_power());
    } else {
      result = operand();
      if (take('^')) result = pair('^', std::move(result), signed_power());
    }
    --nesting_;
    return result;
  }

  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  Node operand() {
    const char c = peek();
    if (take('(')) {
      Node result = sum();
      require(')');
      return result;
    }
    if (is_digit(c) || c == '.') {
      const std::size_t start = at_;
      while (at_ < text_.size() &&
             (is_digit(text_[at_]) || text_[at_] == '.' || is_letter(text_[at_]) ||
              ((text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))))
        ++at_;
      return {.kind = 'n', .number = parse_number(text_.substr(start, at_ - start))};
    }
    if (!is_letter(c)) fail("a number, a symbol, a function or '('");
    const std::string name = word();
    if ((name == "sum" || name == "prod") && peek() == '(') return range(name == "prod");
    Node result{.kind = 's', .name = name};
    if (take('(')) {
      result.kind = 'f';
      list(result, ')');
    } else if (take('[')) {
      list(result, ']');
    }
    return result;
  }

  void list(Node& node, char closing) {
    do node.operands.push_back(sum());
    while (take(','));
    require(closing);
  }

  Node range(bool product) {
    Node result{.kind = 'r', .product = product};
    require('(');
    if (!is_letter(peek())) fail("the name of an index");
    result.name = word();
    for (int part = 0; part < 3; ++part) {
      require(',');
      result.operands.push_back(sum());
    }
    require(')');
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0, nesting_ = 0;
};

class Evaluator {
 public:
  Evaluator(const Formula::LookUp& symbols, Bits p) : symbols_(symbols), p_(p) {}

  Value value(const Node& node) {
    switch (node.kind) {
      case 'n':
        return node.number;
      case 's':
        return symbol(node);
      case 'f':
        return function(node);
      case 'r':
        return range(node);
      case '~':
        return binary('-', Rational(0), value(node.operands[0]));
      default:
        return binary(node.kind, value(node.operands[0]), value(node.operands[1]));
    }
  }

 private:
  Value binary(char mark, const Value& a, const Value& b) const {
    const auto *x = std::get_if<Rational>(&a), *y = std::get_if<Rational>(&b);
    if (mark == '^') return power(a, b);
    if (x && y && bit_size(*x) + bit_size(*y) < most_exact_bits) {
      if (mark == '/' && *y == 0) throw DomainError("a division by zero");
      return mark == '+'   ? Rational(*x + *y)
             : mark == '-' ? Rational(*x - *y)
             : mark == '*' ? Rational(*x * *y)
                           : Rational(*x / *y);
    }
    const Number u = as_number(a, p_), v = as_number(b, p_);
    return mark == '+'   ? add(u, v, p_)
           : mark == '-' ? sub(u, v, p_)
           : mark == '*' ? mul(u, v, p_)
                         : div(u, v, p_);
  }

  Value power(const Value& a, const Value& b) const {
    const auto *x = std::get_if<Rational>(&a), *exponent = std::get_if<Rational>(&b);
    if (!exponent) throw InputError("an exponent that is not exact");
    if (x && denominator(*exponent) == 1 && boost::multiprecision::abs(*exponent) < most_exact_bits) {
      const long whole = static_cast<long>(numerator(*exponent));
      if (bit_size(*x) * static_cast<std::size_t>(std::abs(whole)) < most_exact_bits &&
          (*x != 0 || whole >= 0))
        return rankfall::power(*x, whole);
    }
    return recheck::power(as_number(a, p_), *exponent, p_);
  }

  long whole(const Node& node) {
    const Value found = value(node);
    const auto* exact = std::get_if<Rational>(&found);
    if (!exact || denominator(*exact) != 1 || boost::multiprecision::abs(*exact) > (1L << 60))
      throw InputError("an index or a limit that is no whole number");
    return static_cast<long>(numerator(*exact));
  }

  Value symbol(const Node& node) {
    if (node.operands.empty()) {
      const auto bound = std::find_if(indices_.rbegin(), indices_.rend(),
                                      [&](const auto& index) { return *index.first == node.name; });
      if (bound != indices_.rend()) return Rational(bound->second);
    }
    std::vector<long> indices;
    for (const Node& index : node.operands) indices.push_back(whole(index));
    return symbols_(node.name, indices);
  }

  Value function(const Node& node) {
    std::vector<Number> arguments;
    for (const Node& operand : node.operands) arguments.push_back(as_number(value(operand), p_));
    using Unary = Number (*)(const Number&, Bits);
    static const std::map<std::string, Unary> unary = {
        {"sqrt", sqrt}, {"exp", exp}, {"log", log}, {"tanh", tanh}, {"abs", [](const Number& a, Bits) {
                                                                       return abs(a);
                                                                     }}};
    if (const auto found = unary.find(node.name); found != unary.end() && arguments.size() == 1)
      return found->second(arguments[0], p_);
    if (node.name != "min" && node.name != "max")
      throw InputError(
          fmt::format("{} of {} arguments is no function that a recheck knows", node.name, arguments.size()));
    Number result = arguments[0];
    for (const Number& argument : arguments)
      result = node.name == "min" ? min(result, argument) : max(result, argument);
    return result;
  }

  Value range(const Node& node) {
    const long first = whole(node.operands[0]), last = whole(node.operands[1]);
    Value result = Rational(node.product ? 1 : 0);
    indices_.emplace_back(&node.name, first);
    for (long i = first; i <= last; ++i) {
      if (++terms_ > most_terms) throw InputError("a formula of more than 1000000 terms");
      indices_.back().second = i;
      result = binary(node.product ? '*' : '+', result, value(node.operands[2]));
    }
    indices_.pop_back();
    return result;
  }

  const Formula::LookUp& symbols_;
  Bits p_;
  std::vector<std::pair<const std::string*, long>> indices_;
  long terms_ = 0;
};

bool any_names(const Node& node, std::string_view symbol) {
  return (node.kind == 's' && node.name == symbol) ||
         std::any_of(node.operands.begin(), node.operands.end(),
                     [&](const Node& n) { return any_names(n, symbol); });
}

}  // namespace

Number as_number(const Value& value, Bits p) {
  if (const auto* exact = std::get_if<Rational>(&value)) return Number(*exact, p);
  return std::get<Number>(value);
}

Formula::Formula(std::string_view text) : root_(std::make_shared<const Node>(Parser(text).formula())) {}

Value Formula::evaluate(const LookUp& symbols, Bits p) const {
  return Evaluator(symbols, p).value(*root_);
}

bool Formula::names(std::string_view symbol) const {
  return any_names(*root_, symbol);
}

}  // namespace rankfall::recheck
