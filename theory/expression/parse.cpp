#include "theory/expression/parse.hpp"

#include <algorithm>
#include <utility>

#include "numerics/nearest.hpp"
#include "theory/expression/lexer.hpp"

namespace rankfall::theory {
namespace {

/// What to write instead of a function that does not exist.
std::string function_advice(const std::string& name) {
  std::vector<std::string> words{"sum", "prod"};
  for (const FunctionName& f : functions()) words.emplace_back(f.name);
  if (const std::string meant = nearest(name, words); !meant.empty()) return "did you mean '" + meant + "'?";
  std::string all = "known are";
  for (const std::string& word : words) all += " " + word;
  return all;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text), token_(lexer_.next()) {}

  Expression formula() {
    Expression result = sum_of_terms();
    if (token_.kind != Token::Kind::end) unexpected("an operator or the end");
    return result;
  }

 private:
  /// Counts the nesting of the text, for as long as it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > max_formula_nesting)
        parser_.fail("nested deeper than " + std::to_string(max_formula_nesting) + " levels");
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --parser_.nesting_; }

   private:
    Parser& parser_;
  };

  [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const {
    throw ParseError(place_of(text_, offset) + ": " + what, offset);
  }
  [[noreturn]] void fail(const std::string& what) const { fail_at(token_.offset, what); }
  [[noreturn]] void unexpected(const std::string& expected) const {
    fail("expected " + expected + ", found " + describe(token_));
  }

  Token take() { return std::exchange(token_, lexer_.next()); }
  bool take_if(char mark) {
    if (!token_.is(mark)) return false;
    take();
    return true;
  }
  void require(char mark, const std::string& alternative = {}) {
    if (!take_if(mark)) unexpected(alternative + "'" + mark + "'");
  }

  /// Builds at a place of the text, to which errors of the builder are tied.
  template <class Build>
  Expression at(std::size_t offset, Build build) const {
    try {
      return build();
    } catch (const ParseError&) {
      throw;
    } catch (const InputError& error) {
      fail_at(offset, error.what());
    }
  }

  Expression sum_of_terms() {
    const std::size_t start = token_.offset;
    std::vector<Expression> terms{product_of_factors()};
    while (token_.is('+') || token_.is('-')) {
      const Token mark = take();
      Expression term = product_of_factors();
      terms.push_back(mark.is('-') ? negated(term, mark.offset) : std::move(term));
    }
    return at(start, [&] { return add(std::move(terms)); });
  }

  Expression product_of_factors() {
    const std::size_t start = token_.offset;
    std::vector<Expression> factors{signed_power()};
    while (token_.is('*') || token_.is('/')) {
      const Token mark = take();
      Expression factor = signed_power();
      if (mark.is('/')) {
        const Expression quotient = at(mark.offset, [&] { return multiply(std::move(factors)) / factor; });
        factors.assign(1, quotient);
      } else {
        factors.push_back(std::move(factor));
      }
    }
    return at(start, [&] { return multiply(std::move(factors)); });
  }

  Expression signed_power() {
    const std::size_t start = token_.offset;
    bool minus = false;
    while (take_if('-')) minus = !minus;
    Expression result = power();
    return minus ? negated(result, start) : result;
  }

  Expression negated(const Expression& e, std::size_t offset) const {
    return at(offset, [&] { return -e; });
  }

  Expression power() {
    Expression base = operand();
    if (!token_.is('^')) return base;
    const Token mark = take();
    const Nesting nesting(*this);
    const Expression exponent = signed_power();
    return at(mark.offset, [&] { return pow(base, exponent); });
  }

  Expression operand() {
    const Nesting nesting(*this);
    switch (token_.kind) {
      case Token::Kind::number:
        return number();
      case Token::Kind::name:
        return named();
      default:
        if (!take_if('(')) unexpected("a number, a symbol, a function or '('");
        Expression result = sum_of_terms();
        require(')', "an operator or ");
        return result;
    }
  }

  Expression number() {
    const Token token = take();
    return at(token.offset, [&]() -> Expression {
      const Rational value = parse_number(token.text);
      number_bits_ += bit_size(value);
      if (number_bits_ > max_formula_number_bits)
        fail_at(token.offset,
                "the numbers take more than " + std::to_string(max_formula_number_bits) + " bits");
      return value;
    });
  }

  Expression named() {
    const Token token = take();
    const std::string name(token.text);
    if (name == "sum" || name == "prod") return with_index_over_range(token);
    const auto known = std::ranges::find(functions(), token.text, &FunctionName::name);
    if (known != functions().end()) {
      require('(');
      std::vector<Expression> arguments = list(')');
      return at(token.offset, [&] { return call(known->function, std::move(arguments)); });
    }
    if (token_.is('(')) fail_at(token.offset, "unknown function '" + name + "'; " + function_advice(name));
    std::vector<Expression> indices;
    if (take_if('[')) indices = list(']');
    return at(token.offset, [&] { return symbol(name, std::move(indices)); });
  }

  std::vector<Expression> list(char closing) {
    std::vector<Expression> result{sum_of_terms()};
    while (take_if(',')) result.push_back(sum_of_terms());
    require(closing, "an operator, ',' or ");
    return result;
  }

  Expression with_index_over_range(const Token& token) {
    require('(');
    if (token_.kind != Token::Kind::name) unexpected("the name of the index");
    const Token index = take();
    require(',');
    const Expression first = sum_of_terms();
    require(',', "an operator or ");
    const Expression last = sum_of_terms();
    require(',', "an operator or ");
    const Expression body = sum_of_terms();
    require(')', "an operator or ");
    const Kind kind = token.text == "sum" ? Kind::sum : Kind::prod;
    return at(index.offset, [&] { return with_index(kind, std::string(index.text), first, last, body); });
  }

  std::string_view text_;
  Lexer lexer_;
  Token token_;
  std::size_t nesting_ = 0;
  std::size_t number_bits_ = 0;
};

}  // namespace

Expression parse(std::string_view text) {
  if (text.size() > max_formula_length)
    throw ParseError("a formula of " + std::to_string(text.size()) + " characters; at most " +
                         std::to_string(max_formula_length) + " are read",
                     0);
  return Parser(text).formula();
}

}  // namespace rankfall::theory
