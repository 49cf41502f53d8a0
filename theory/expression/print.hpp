#pragma once
#include <string>

#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// The text that `parse` reads back as the same tree: 4*beta/sqrt(d_qk), sum(h, 1, H, a[h]).
std::string to_text(const Expression& e);
/// The same, cut in the middle to at most about `length` characters: for messages.
std::string to_short_text(const Expression& e, std::size_t length = 100);

/// Whether a constant that is no integer reads better as 0.628 than as 157/250: its decimal ends and is
/// shorter.
bool prefers_decimal(const Rational& value);

}  // namespace rankfall::theory
