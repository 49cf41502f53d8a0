#pragma once
#include <cstddef>
#include <optional>

#include "numerics/ball.hpp"
#include "numerics/exact.hpp"

namespace rankfall::theory {

/// A case of `dong-2.2-v1` that interval arithmetic proves: one layer, at most n tokens. With t = a res(X)^2
/// one of the bounds (A), (B), (C) of docs/theory/dong.md#small-n shows res(X') <= 4 t |W| res(X), for t up
/// to `first`, from there up to `second`, and beyond.
struct FewTokens {
  long n = 1381;
  Rational first = Rational(29, 4), second = Rational(4643, 500);
};

/// The number of intervals of t on which the bounds were certified; none when they do not cover every t > 0
/// at a resolution of 2^-12.
std::optional<std::size_t> cover_every_t(const FewTokens& claim, Precision p);

}  // namespace rankfall::theory
