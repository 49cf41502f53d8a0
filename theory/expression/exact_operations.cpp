#include "theory/expression/exact_operations.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/errors.hpp"

namespace rankfall::theory {
namespace {

std::size_t bit_length(const Integer& value) {
  return value == 0 ? 0 : mpz_sizeinbase(value.backend().data(), 2);
}

std::optional<unsigned long> small(const Integer& value) {
  if (value < 0 || bit_length(value) > 40) return std::nullopt;
  return value.convert_to<unsigned long>();
}

std::optional<Integer> exact_root(const Integer& value, unsigned long order) {
  Integer root;
  if (mpz_root(root.backend().data(), value.backend().data(), order) == 0) return std::nullopt;
  return root;
}

std::optional<Rational> integer_power(const Rational& base, const Integer& exponent, std::size_t bits) {
  if (base == 1) return base;
  if (base == -1) return exponent % 2 == 0 ? Rational(1) : base;
  const auto size = small(abs(exponent));
  const auto length = [](const Integer& part) { return part == 1 ? 0 : bit_length(part); };
  const std::size_t unit = length(abs(numerator(base))) + length(denominator(base));
  if (!size || *size > bits / std::max<std::size_t>(unit, 1)) return std::nullopt;
  return rankfall::power(base, exponent < 0 ? -static_cast<long>(*size) : static_cast<long>(*size));
}

}  // namespace

bool is_integer(const Rational& value) {
  return denominator(value) == 1;
}

std::optional<Rational> exact_root(const Rational& value, const Integer& order) {
  if (value == 0 || value == 1 || order == 1) return value;
  const auto small_order = small(order);
  if (!small_order || *small_order > bit_size(value)) return std::nullopt;
  const auto above = exact_root(numerator(value), *small_order);
  if (!above) return std::nullopt;
  const auto below = exact_root(denominator(value), *small_order);
  if (!below) return std::nullopt;
  return Rational(*above, *below);
}

std::optional<Rational> exact_power(const Rational& base, const Rational& exponent, std::size_t bits) {
  if (exponent == 0) return Rational(1);
  if (base == 0) {
    if (exponent < 0) throw UndefinedError("zero to the negative power " + to_text(exponent));
    return base;
  }
  if (is_integer(exponent)) return integer_power(base, numerator(exponent), bits);
  if (base < 0) throw UndefinedError("a negative number to the fractional power " + to_text(exponent));
  const auto root = exact_root(base, denominator(exponent));
  if (!root) return std::nullopt;
  return integer_power(*root, numerator(exponent), bits);
}

std::optional<Integer> exact_binomial(const Integer& n, const Integer& k, std::size_t bits) {
  const Integer other = n - k;
  const auto chosen = small(std::min(k, other));
  if (!chosen) return std::nullopt;
  if (*chosen > 0) {  // log2 of n choose k is at most k log2(e n / k)
    const double each = static_cast<double>(bit_length(n)) - std::log2(static_cast<double>(*chosen)) + 1.5;
    if (each * static_cast<double>(*chosen) > static_cast<double>(bits)) return std::nullopt;
  }
  Integer result;
  mpz_bin_ui(result.backend().data(), n.backend().data(), *chosen);
  return result;
}

}  // namespace rankfall::theory
