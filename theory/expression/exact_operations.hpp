#pragma once
#include <optional>

#include "numerics/exact.hpp"

namespace rankfall::theory {

bool is_integer(const Rational& value);
/// The root of that order (at least 1) of value >= 0, if it is rational.
std::optional<Rational> exact_root(const Rational& value, const Integer& order);
/// base^exponent (0^0 = 1), if it is rational and takes at most about `bits` bits. Throws DomainError for
/// zero to a negative power and a negative number to a fractional one.
std::optional<Rational> exact_power(const Rational& base, const Rational& exponent, std::size_t bits);
/// n choose k for 0 <= k <= n, if it takes at most about `bits` bits.
std::optional<Integer> exact_binomial(const Integer& n, const Integer& k, std::size_t bits);

}  // namespace rankfall::theory
