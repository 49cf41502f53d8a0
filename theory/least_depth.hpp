#pragma once
#include <optional>
#include <string>

#include "theory/expression/evaluate.hpp"

namespace rankfall::theory {

/// The least depth L >= 0 at which a bound K M^(3^L) is below the target, certified: bound(L) < target and,
/// for L > 0, bound(L - 1) >= target. Empty when it never is. The environment gives every symbol of the bound
/// but the depth. Throws InputError when the bound is not of that form or a symbol is unknown, and
/// PrecisionLimit when a comparison is still open at `limit` bits (an inexact target that touches the bound,
/// M that may be 1) or the depth exceeds 2^20.
std::optional<Integer> least_depth(const Expression& bound, const std::string& depth,
                                   const Environment& environment, const Value& target,
                                   Precision limit = Precision(4096));

}  // namespace rankfall::theory
