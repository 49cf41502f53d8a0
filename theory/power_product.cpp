#include "theory/power_product.hpp"

#include "numerics/errors.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/expression/terms.hpp"

namespace rankfall::theory {
namespace {

constexpr unsigned long largest_prime = 1UL << 16U;  // found by division; a larger cofactor stays whole
constexpr std::size_t factored_bits = 256;
constexpr long most_peeled = 1000;

[[noreturn]] void refuse(const Expression& e, const std::string& why) {
  throw InputError(to_short_text(e) + " is no product of powers: " + why);
}

Exponent exponent_from(const Expression& e, const Expression& whole) {
  const auto result = Exponent::from(e);
  if (!result) refuse(whole, "the exponent " + to_short_text(e) + " has no normal form");
  return *result;
}

/// index -> sign (j - offset), from the first index of a symbol in the base that runs with it.
struct Reindexing {
  int sign = 1;
  Exponent offset;
};

std::optional<Reindexing> reindexing(const Expression& base, const std::string& index) {
  for (const Expression& operand : base.operands()) {
    const auto place = base.is(Kind::symbol) ? Exponent::from(operand) : std::nullopt;
    const auto parts = place ? place->affine() : std::nullopt;
    if (parts && parts->contains(index) && abs(parts->at(index)) == 1) {
      const int sign = parts->at(index) == 1 ? 1 : -1;
      return Reindexing{sign, *place - Exponent(sign) * Exponent::variable(index)};
    }
    if (auto inner = reindexing(operand, index)) return inner;
  }
  return std::nullopt;
}

Expression normal(const Expression& e) {
  return ordered(simplify(e));
}

}  // namespace

bool operator<(const PowerProduct::Range& a, const PowerProduct::Range& b) {
  if (const int order = compare(a.base, b.base); order != 0) return order < 0;
  return a.first == b.first ? a.count < b.count : a.first < b.first;
}

bool operator==(const PowerProduct& a, const PowerProduct& b) {
  const auto same = [](const auto& x, const auto& y) { return !(x.first < y.first) && !(y.first < x.first); };
  return a.powers_ == b.powers_ &&
         std::ranges::equal(a.ranges_, b.ranges_,
                            [&](const auto& x, const auto& y) { return same(x, y) && x.second == y.second; });
}

Exponent PowerProduct::exponent_of(const Expression& base) const {
  const auto found = powers_.find(base);
  return found == powers_.end() ? Exponent() : found->second;
}

Exponent PowerProduct::exponent_of(const Range& range) const {
  const auto found = ranges_.find(range);
  return found == ranges_.end() ? Exponent() : found->second;
}

void PowerProduct::multiply_by(const Expression& base, const Exponent& exponent) {
  Exponent& place = powers_[base];
  place = place + exponent;
  if (place.is_zero()) powers_.erase(base);
}

void PowerProduct::multiply_by(const PowerProduct& factor) {
  for (const auto& [base, exponent] : factor.powers_) multiply_by(base, exponent);
  for (const auto& [range, exponent] : factor.ranges_) {
    Exponent& place = ranges_[range];
    place = place + exponent;
    if (place.is_zero()) ranges_.erase(range);
  }
}

PowerProduct operator*(const PowerProduct& a, const PowerProduct& b) {
  PowerProduct result = a;
  result.multiply_by(b);
  return result;
}

PowerProduct PowerProduct::raised(const Exponent& exponent) const {
  PowerProduct result;
  if (exponent.is_zero()) return result;
  for (const auto& [base, power] : powers_) result.powers_.emplace(base, power * exponent);
  for (const auto& [range, power] : ranges_) result.ranges_.emplace(range, power * exponent);
  return result;
}

void PowerProduct::multiply_by_number(const Rational& value) {
  if (value <= 0) refuse(value, "a base must be positive");
  if (bit_size(value) > factored_bits) return multiply_by(value, Exponent(1));
  const auto factor = [&](Integer part, const Rational& sign) {
    for (unsigned long prime = 2; prime < largest_prime && part >= prime; ++prime)
      for (; part % prime == 0; part /= prime) multiply_by(prime, Exponent(sign));
    if (part > 1) multiply_by(part, Exponent(sign));
  };
  factor(numerator(value), 1);
  factor(denominator(value), -1);
}

void PowerProduct::multiply_by_range(const Expression& product) {
  const std::vector<Expression>& operands = product.operands();
  const std::string& index = product.name();
  const Exponent first = exponent_from(operands[0], product), last = exponent_from(operands[1], product);
  if (!certainly_not_negative(first) || !last.affine() || first.involves(index) || last.involves(index) ||
      !certainly_not_negative(last + Exponent(1) - first))
    refuse(product, "the range must be of non-negative integers and never shorter than empty");
  if (depends_on(product, range_index)) refuse(product, std::string("the name ") + range_index + " is taken");
  const PowerProduct body = from(operands[2]);
  if (!body.ranges_.empty()) refuse(product, "a product in a product");
  for (const auto& [base, exponent] : body.powers_) {
    if (depends_on(base, index)) {
      multiply_by_range(base, index, first, last, exponent);
      continue;
    }
    const auto total = exponent.summed(index, first, last);
    if (!total) refuse(product, "the exponents of " + to_short_text(base) + " have no closed sum");
    multiply_by(base, *total);
  }
}

void PowerProduct::multiply_by_range(const Expression& base, const std::string& index, const Exponent& first,
                                     const Exponent& last, const Exponent& exponent) {
  const Reindexing along = reindexing(base, index).value_or(Reindexing{});
  const Exponent inverse = Exponent(along.sign) * (Exponent::variable(range_index) - along.offset);
  Range range{normal(substitute(base, index, inverse.to_expression())),
              along.sign > 0 ? first + along.offset : along.offset - last, last + Exponent(1) - first};
  const Exponent power = exponent.substituted(index, inverse);

  const Integer peeled = range.count.affine()->at("");
  if (peeled > most_peeled)
    refuse(base, "a range with more than " + std::to_string(most_peeled) + " single factors");
  for (Integer i = 0; i < peeled; ++i) {
    range.count = range.count - Exponent(1);
    const Exponent top = range.first + range.count;
    multiply_by(from(substitute(range.base, range_index, top.to_expression()))
                    .raised(power.substituted(range_index, top)));
  }
  if (range.count.is_zero()) return;
  PowerProduct factor;
  factor.ranges_.emplace(range, power);
  multiply_by(factor);
}

PowerProduct PowerProduct::from(const Expression& e) {
  const std::vector<Expression>& operands = e.operands();
  PowerProduct result;
  switch (e.kind()) {
    case Kind::constant:
      result.multiply_by_number(e.value());
      return result;
    case Kind::multiply:
      for (const Expression& factor : operands) result.multiply_by(from(factor));
      return result;
    case Kind::divide:
      return from(operands[0]) * from(operands[1]).raised(Exponent(-1));
    case Kind::power:
      return from(operands[0]).raised(exponent_from(operands[1], e));
    case Kind::prod:
      result.multiply_by_range(e);
      return result;
    case Kind::negate:
      refuse(e, "a base must be positive");
    default:
      break;
  }
  if (e.is(Function::sqrt)) return from(operands[0]).raised(Exponent(Rational(1, 2)));
  const Expression whole = normal(e);
  if (whole.kind() != e.kind()) return from(whole);
  result.multiply_by(whole, Exponent(1));
  return result;
}

}  // namespace rankfall::theory
