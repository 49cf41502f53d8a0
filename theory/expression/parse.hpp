#pragma once
#include <string_view>

#include "numerics/errors.hpp"
#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// A text that is no formula. The message names the place, what was expected and what was found; `offset` is
/// the byte it points at.
class ParseError : public InputError {
 public:
  ParseError(const std::string& message, std::size_t offset) : InputError(message), offset_(offset) {}
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

inline constexpr std::size_t max_formula_length = 100'000;
inline constexpr std::size_t max_formula_nesting =
    200;  ///< brackets, function calls and powers inside each other
inline constexpr std::size_t max_formula_number_bits = 1U << 22U;  ///< of all constants together

/// The formula that a text writes. From loose to tight: + -, * /, unary minus, ^ (to the right: a^b^c =
/// a^(b^c), -a^2 = -(a^2)). Symbols (beta, a[l,h]), exact numbers (0.1, 1e-400), sqrt exp log tanh abs sign
/// min max binomial, sum(i, first, last, body), prod(i, first, last, body). Throws ParseError.
Expression parse(std::string_view text);

}  // namespace rankfall::theory
