#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "verify/recheck/number.hpp"

namespace rankfall::recheck {

/// Exact where it can be (exponents, indices, counts), else an interval.
using Value = std::variant<Rational, Number>;
Number as_number(const Value& value, Bits p);

/// A formula as a certificate writes it (docs/formats): numbers, symbols with indices, + - * / ^, sqrt exp
/// log tanh abs min max, sum(i, first, last, body) and prod(i, first, last, body).
class Formula {
 public:
  /// Throws InputError naming the byte that is not understood.
  explicit Formula(std::string_view text);

  /// The value of a symbol, whose indices are whole numbers.
  using LookUp = std::function<Value(const std::string& name, const std::vector<long>& indices)>;
  /// Encloses the formula. Throws InputError for what is no formula of numbers (an index that is not whole,
  /// more than 10^6 terms), DomainError where it is undefined or not known well enough.
  Value evaluate(const LookUp& symbols, Bits p) const;
  bool names(std::string_view symbol) const;

  struct Node {
    char kind = 0;  ///< one of "+-*/^~" (~: unary minus), 'n' number, 's' symbol, 'f' function, 'r' range
    std::string name = {};  ///< of a symbol or function, or the index of a range
    Rational number = 0;
    bool product = false;  ///< of a range: prod, not sum
    std::vector<Node> operands = {};
  };

 private:
  std::shared_ptr<const Node> root_;
};

}  // namespace rankfall::recheck
