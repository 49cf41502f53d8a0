#pragma once
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/exact.hpp"

namespace rankfall::theory {

enum class Kind { constant, symbol, add, multiply, divide, negate, power, call, sum, prod };
enum class Function { sqrt, exp, log, tanh, abs, sign, min, max, binomial };

/// A function as it is written and how many arguments it takes.
struct FunctionName {
  Function function;
  std::string_view name;
  std::size_t least, most;
};
std::span<const FunctionName> functions();
std::string_view name_of(Function function);

/// Nesting and node count that no expression exceeds, so that recursion over one cannot exhaust the stack.
inline constexpr std::size_t max_expression_depth = 500;
inline constexpr std::size_t max_expression_size = 1'000'000;

/// A formula: an immutable tree with shared nodes. Constants are exact.
///
/// Builders keep one shape for one way of writing, so that a formula printed and parsed is the same tree:
/// sums and products are flat, a minus sides with the first factor of a product and with the numerator of a
/// quotient, double minus vanishes, and a quotient of two constants is a constant. Nothing else is
/// rearranged; that is `simplify`. Builders throw InputError on a malformed name, a wrong number of
/// arguments, or more than the limits above.
class Expression {
 public:
  Expression() : Expression(Rational(0)) {}
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) Expression(T value)
      : Expression(Rational(value)) {}
  template <std::floating_point T>
  Expression(T) = delete;  // 0.1 is not one tenth: write Rational(1, 10)
  Expression(const Integer& value) : Expression(Rational(value)) {}
  Expression(const Rational& value);

  Kind kind() const;
  bool is(Kind k) const { return kind() == k; }
  bool is(Function f) const;
  bool is(const Rational& constant) const;
  /// Of a constant.
  const Rational& value() const;
  /// Of a symbol, or of the index of a sum or prod.
  const std::string& name() const;
  /// Of a call.
  Function function() const;
  /// Terms, factors, {numerator, denominator}, {base, exponent}, arguments, indices of a symbol, or
  /// {first, last, body} of a sum or prod.
  const std::vector<Expression>& operands() const;
  std::size_t depth() const;
  std::size_t size() const;
  /// Equal for expressions that differ only in the order of terms, factors, and arguments of max and min; for
  /// others most likely not.
  std::size_t signature() const;

  /// Equal as trees (not: equal in value).
  friend bool operator==(const Expression& a, const Expression& b);

 private:
  struct Node;
  explicit Expression(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static Expression make(Node node);
  std::shared_ptr<const Node> node_;

  friend int compare(const Expression&, const Expression&);
  friend Expression symbol(std::string, std::vector<Expression>);
  friend Expression add(std::vector<Expression>);
  friend Expression multiply(std::vector<Expression>);
  friend Expression operator/(const Expression&, const Expression&);
  friend Expression operator-(const Expression&);
  friend Expression pow(const Expression&, const Expression&);
  friend Expression call(Function, std::vector<Expression>);
  friend Expression with_index(Kind, std::string, Expression, Expression, Expression);
};

/// An order of trees, for containers and normal forms: negative, zero or positive.
int compare(const Expression& a, const Expression& b);
struct StructuralLess {
  bool operator()(const Expression& a, const Expression& b) const { return compare(a, b) < 0; }
};

/// A symbol: a letter, then letters, digits and underscores, not the name of a function; with indices if any.
Expression symbol(std::string name, std::vector<Expression> indices = {});
inline Expression sym(std::string name) {
  return symbol(std::move(name));
}
/// sym("a", {"l", "h"}) is a[l,h].
Expression sym(std::string name, std::initializer_list<std::string_view> indices);
bool is_identifier(std::string_view text);

Expression add(std::vector<Expression> terms);
Expression multiply(std::vector<Expression> factors);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
Expression pow(const Expression& base, const Expression& exponent);

Expression call(Function function, std::vector<Expression> arguments);
Expression sqrt(const Expression& a);
Expression exp(const Expression& a);
Expression log(const Expression& a);
Expression tanh(const Expression& a);
Expression abs(const Expression& a);
/// -1, 0 or 1.
Expression sign(const Expression& a);
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);
/// n choose k for integers n >= 0 and k; zero outside 0 <= k <= n.
Expression binomial(const Expression& n, const Expression& k);
/// body summed (multiplied) over index = first, first + 1, ..., last; 0 (1) when last < first. The index is
/// bound in the body and free in the limits.
Expression sum(std::string index, const Expression& first, const Expression& last, const Expression& body);
Expression prod(std::string index, const Expression& first, const Expression& last, const Expression& body);
Expression with_index(Kind sum_or_prod, std::string index, Expression first, Expression last,
                      Expression body);

/// The same kind, name and function over other operands.
Expression with_operands(const Expression& original, std::vector<Expression> operands);

/// Whether the text of e begins with a minus; then -e does not.
bool leads_with_minus(const Expression& e);

}  // namespace rankfall::theory
