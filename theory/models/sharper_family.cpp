#include "theory/models/sharper_family.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/models/column_bound.hpp"

namespace rankfall::theory {
namespace {

void check(const SharperFamily& family) {
  if (family.mover_count() < 1 || family.zero_rows() < 0)
    throw DomainError("the sharper family with " + std::to_string(family.tokens) + " tokens of which " +
                      std::to_string(family.mover_count()) +
                      " movers: at least one mover and three other tokens are needed");
}

std::vector<Parameter> parameters(const SharperFamily& family) {
  std::vector<Parameter> result{{"n", Rational(family.tokens)},
                                {"s", Rational(family.mover_count())},
                                {"r_0", family.hub},
                                {"r_s", family.far},
                                {"t", family.t}};
  Index first = 1;
  for (const MoverGroup& group : family.movers) {
    const std::string name =
        group.count == 1 ? "r_" + std::to_string(first)
                         : "r_" + std::to_string(first) + "..r_" + std::to_string(first + group.count - 1);
    result.push_back({name, group.logit});
    first += group.count;
  }
  return result;
}

Rational largest_logit(const SharperFamily& family) {
  Rational top = std::max(abs(family.hub), abs(family.far));
  for (const MoverGroup& group : family.movers) top = std::max(top, abs(group.logit));
  return top;
}

constexpr const char* description =
    "The sharper family: a hub, two far tokens, movers and zero tokens, one head, one layer";

}  // namespace

long SharperFamily::mover_count() const {
  long sum = 0;
  for (const MoverGroup& group : movers) sum += group.count;
  return sum;
}

OneLayer layer(const SharperFamily& family) {
  check(family);
  const Index d = family.mover_count() + 3;
  OneLayer result{RationalTable(family.tokens, d),
                  RationalTable(d, d),
                  {family.hub, family.far, family.far},
                  RationalTable(d, 3)};
  for (const MoverGroup& group : family.movers)
    result.r.insert(result.r.end(), static_cast<std::size_t>(group.count), group.logit);
  for (Index k = 0; k < d; ++k) {
    result.X(k, k) = 1;
    if (k > 0) result.A(k, k) = family.t;
    if (k < 3) result.W(k, k) = 1;
  }
  result.A(1, 0) = result.A(2, 0) = -family.t / 2;
  return result;
}

std::vector<OutputTokens> output(const SharperFamily& family, Precision p) {
  check(family);
  const auto weight = [&](const Rational& logit) { return exp(Ball(Rational(logit - family.hub), p), p); };
  const Ball t(family.t, p), boost = expm1(t, p), far = weight(family.far),
                             far_boosted = mul(far, exp(t, p), p);
  std::vector<Ball> movers;
  Ball sum = add(add(Ball(1), scale(far, 1), p), mul(Ball(family.zero_rows()), weight(0), p), p);
  for (const MoverGroup& group : family.movers) {
    movers.push_back(weight(group.logit));
    sum = add(sum, mul(Ball(group.count), movers.back(), p), p);
  }
  const auto unmoved = [&](const Ball& total) {
    const Ball other = div(far, total, p);
    return std::array<Ball, 3>{div(Ball(1), total, p), other, other};
  };
  const Ball hub_left = exp(scale(neg(t), -1), p);  // e^(-t/2)
  const Ball far_sum = add(add(sum, mul(far, boost, p), p), expm1(scale(neg(t), -1), p), p);
  const Ball near = div(hub_left, far_sum, p), own = div(far_boosted, far_sum, p),
             other = div(far, far_sum, p);
  std::vector<OutputTokens> result{
      {family.zero_rows() + 1, unmoved(sum)}, {1, {near, own, other}}, {1, {near, other, own}}};
  for (std::size_t g = 0; g < movers.size(); ++g)
    result.push_back({family.movers[g].count, unmoved(add(sum, mul(movers[g], boost, p), p))});
  return result;
}

Ball residual_bound(const SharperFamily& family, Precision p) {
  const std::vector<OutputTokens> tokens = output(family, p);
  std::vector<ColumnValue> values;
  values.reserve(tokens.size());
  for (const OutputTokens& token : tokens) values.push_back({token.value[0], token.count});
  std::vector<TokenPair> pairs;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) {
      const auto &a = tokens[i].value, &b = tokens[j].value;
      pairs.push_back({a[0], b[0], add(abs(sub(a[1], b[1], p)), abs(sub(a[2], b[2], p)), p)});
    }
  return sqrt(column_bound(values, pairs, p), p);
}

UnitTokens unit_tokens(const SharperFamily& family) {
  check(family);
  const Rational away = -family.t / 2;
  UnitTokens result{{{.logit = family.hub, .values = {1, 0, 0}},
                     {.logit = family.far, .self = family.t, .scores = {{0, away}}, .values = {0, 1, 0}},
                     {.logit = family.far, .self = family.t, .scores = {{0, away}}, .values = {0, 0, 1}}},
                    3,
                    {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
  for (const MoverGroup& group : family.movers)
    result.classes.push_back(
        {.count = group.count, .logit = group.logit, .self = family.t, .values = {0, 0, 0}});
  if (family.zero_rows() > 0) result.classes.push_back({.count = family.zero_rows(), .unit = false});
  return result;
}

Refutation against_sharper_family(const SharperFamily& family, Precision p) {
  return refutation("dong-2.2-v1", std::string(description) + ".", parameters(family),
                    Magnitude(residual_bound(family, p), p), Magnitude(Rational(4 * family.t), p), true,
                    unit_tokens(family));
}

Refutation against_sharper_family_without_biases(const SharperFamily& family, const Rational& c,
                                                 Precision p) {
  std::vector<Parameter> named = parameters(family);
  named.push_back({"c", c});
  const Rational a = family.t + largest_logit(family) / abs(c);
  UnitTokens instance = unit_tokens(family);
  instance.constant = c;
  return refutation("dong-2.2-v1", std::string(description) + ", without biases.", std::move(named),
                    Magnitude(residual_bound(family, p), p), Magnitude(Rational(4 * a), p), true,
                    std::move(instance));
}

}  // namespace rankfall::theory
