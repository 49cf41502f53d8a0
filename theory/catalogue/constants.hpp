#pragma once
#include <initializer_list>
#include <string_view>

#include "theory/statement.hpp"

namespace rankfall::theory {

/// sqrt( sum_h a_h |W_h|_1 * sum_h a_h |W_h|_inf ), the heads indexed [h] or [l,h].
Expression head_constant(std::initializer_list<std::string_view> indices);

/// sum_h op_p(W_h) tanh(k_h diam_p^2): the factor by which one layer's attention moves the diameter; p is
/// "1", "2", "inf".
Expression diameter_rate(const std::string& p);

}  // namespace rankfall::theory
