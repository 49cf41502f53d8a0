#include "theory/models/simple_family.hpp"

#include "numerics/errors.hpp"
#include "theory/models/column_bound.hpp"

namespace rankfall::theory {
namespace {

void check(const SimpleFamily& family) {
  if (family.movers < 2)
    throw DomainError("the simple family with " + std::to_string(family.movers) +
                      " movers: at least 2 are needed");
}

}  // namespace

OneLayer layer(const SimpleFamily& family) {
  check(family);
  const Index d = family.movers + 1;
  OneLayer result{RationalTable(2 * family.movers, d), RationalTable(d, d),
                  std::vector<Rational>(static_cast<std::size_t>(d), family.mover), RationalTable(d, d)};
  result.r[0] = family.hub;
  for (Index k = 0; k < d; ++k) {
    result.X(k, k) = 1;
    result.W(k, k) = 1;
    if (k > 0) result.A(k, k) = family.t;
  }
  return result;
}

SimpleOutput output(const SimpleFamily& family, Precision p) {
  check(family);
  // Weights relative to the hub's.
  const Ball mover = exp(Ball(Rational(family.mover - family.hub), p), p);
  const Ball zero = exp(Ball(Rational(-family.hub), p), p);
  Ball sum = add(Ball(1), mul(Ball(family.movers), mover, p), p);
  sum = add(sum, mul(Ball(family.movers - 1), zero, p), p);
  const Ball t(family.t, p);
  const Ball moved_sum = add(sum, mul(mover, expm1(t, p), p), p);
  return {div(Ball(1), sum, p), div(Ball(1), moved_sum, p), div(mul(mover, exp(t, p), p), moved_sum, p),
          div(mover, moved_sum, p)};
}

Ball residual_bound(const SimpleFamily& family, Precision p) {
  const SimpleOutput x = output(family, p);
  const Ball gap = sub(x.own, x.other, p);
  const Ball unmoved = mul(x.other, div(x.hub, x.moved, p), p);  // a mover's column in the hub's token
  const Ball to_hub =
      add(abs(sub(x.own, unmoved, p)), mul(Ball(family.movers - 1), abs(sub(x.other, unmoved, p)), p), p);
  const ColumnValue values[] = {{x.hub, family.movers}, {x.moved, family.movers}};
  const TokenPair pairs[] = {{x.moved, x.moved, scale(gap, 1)}, {x.moved, x.hub, to_hub}};
  return sqrt(column_bound(values, pairs, p), p);
}

UnitTokens unit_tokens(const SimpleFamily& family) {
  check(family);
  return {{{.count = 1, .logit = family.hub, .values = {1}},
           {.count = family.movers, .logit = family.mover, .self = family.t, .values = {0}, .own = 1},
           {.count = family.movers - 1, .unit = false}},
          1,
          {{1, 1}, {1, 0}}};
}

Refutation against_simple_family(const SimpleFamily& family, Precision p) {
  return refutation("dong-2.2-v1", "The simple family: a hub, movers and zero tokens, one head, one layer.",
                    {{"n", Rational(2 * family.movers)},
                     {"s", Rational(family.movers)},
                     {"r_0", family.hub},
                     {"r_1", family.mover},
                     {"t", family.t}},
                    Magnitude(residual_bound(family, p), p), Magnitude(Rational(4 * family.t), p), true,
                    unit_tokens(family));
}

}  // namespace rankfall::theory
