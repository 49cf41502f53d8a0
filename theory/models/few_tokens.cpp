#include "theory/models/few_tokens.hpp"

#include <functional>

namespace rankfall::theory {
namespace {

constexpr int least_width_bits = 12;

Ball half(const Ball& x) {
  return scale(x, -1L);
}

Ball tanh_half(const Rational& t, Precision p) {
  return tanh(half(Ball(t, p)), p);
}

/// (A) over 16 t^2 is (1 + phi(t)) tanh(t/2)/(32 t); phi rises and tanh(t/2)/t falls, from 1/2.
bool first_bound(const Rational& low, const Rational& high, Precision p) {
  const Ball t(high, p);
  const Ball rising = add(Ball(1), div(expm1(t, p), t, p), p);
  const Ball falling = low == 0 ? half(Ball(1)) : div(tanh_half(low, p), Ball(low, p), p);
  return certainly_less_equal(mul(rising, falling, p), Ball(32));
}

/// (B): its left side rises with t, and so does 16 t^2.
bool second_bound(long n, const Rational& low, const Rational& high, Precision p) {
  const Ball t(high, p), tokens(n);
  const Ball z = sqrt(add(Ball(1), div(expm1(t, p), tokens, p), p), p);
  const Ball spread = mul(tokens, div(sub(z, Ball(1), p), add(z, Ball(1), p), p), p);
  const Ball left = mul(add(half(t), spread, p), scale(tanh_half(high, p), 1L), p);
  return certainly_less_equal(left, Ball(16 * low * low, p));
}

/// (C) reads sqrt(n - 1) <= 4 t/tanh(t/2), whose right side rises.
bool third_bound(long n, const Rational& from, Precision p) {
  const Ball right = div(Ball(4 * from, p), tanh_half(from, p), p);
  return certainly_less_equal(sqrt(Ball(n - 1), p), right);
}

using Certified = std::function<bool(const Rational& low, const Rational& high)>;

/// Intervals that cover [low, high], each certified; none when one of the least width is not.
std::optional<std::size_t> cover(const Rational& low, const Rational& high, const Certified& certified) {
  if (certified(low, high)) return 1;
  if ((high - low) * (1 << least_width_bits) < 1) return std::nullopt;
  const Rational middle = (low + high) / 2;
  const auto left = cover(low, middle, certified);
  const auto right = left ? cover(middle, high, certified) : std::nullopt;
  return right ? std::optional(*left + *right) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> cover_every_t(const FewTokens& claim, Precision p) {
  const auto a = cover(0, claim.first,
                       [&](const Rational& low, const Rational& high) { return first_bound(low, high, p); });
  const auto b = cover(claim.first, claim.second, [&](const Rational& low, const Rational& high) {
    return second_bound(claim.n, low, high, p);
  });
  if (!a || !b || !third_bound(claim.n, claim.second, p)) return std::nullopt;
  return *a + *b + 1;
}

}  // namespace rankfall::theory
