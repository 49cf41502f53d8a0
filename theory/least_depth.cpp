#include "theory/least_depth.hpp"

#include "numerics/errors.hpp"
#include "theory/expression/print.hpp"
#include "theory/induction.hpp"

namespace rankfall::theory {
namespace {

constexpr long deepest = 1L << 20;
constexpr long first_bits = 64;

class Search {
 public:
  Search(const Expression& bound, const std::string& depth, const Environment& environment, Precision limit)
      : bound_(bound), depth_(depth), environment_(environment), limit_(limit) {}

  /// Certified: whether the value is below the target.
  bool below(const Expression& e, const Value& target) const {
    for (long bits = first_bits; bits <= limit_.bits; bits *= 2) {
      const Precision p(bits);
      const Value value = evaluate_value(e, environment_, p);
      const Rational *x = std::get_if<Rational>(&value), *y = std::get_if<Rational>(&target);
      if (x != nullptr && y != nullptr) return *x < *y;
      const Magnitude left = x != nullptr ? Magnitude(*x, p) : std::get<Magnitude>(value);
      const Magnitude right = y != nullptr ? Magnitude(*y, p) : std::get<Magnitude>(target);
      if (certainly_less(left, right)) return true;
      if (certainly_less_equal(right, left)) return false;
    }
    throw PrecisionLimit(to_short_text(e) + " could not be compared at " + std::to_string(limit_.bits) +
                         " bits");
  }

  bool below_at(long depth, const Value& target) {
    environment_.set(depth_, Rational(depth));
    return below(bound_, target);
  }

 private:
  const Expression& bound_;
  const std::string& depth_;
  Environment environment_;
  Precision limit_;
};

bool is_positive(const Value& target) {
  if (const Rational* exact = std::get_if<Rational>(&target)) return *exact > 0;
  const Magnitude& value = std::get<Magnitude>(target);
  if (value.sign() == Magnitude::Sign::unknown) throw PrecisionLimit("a target that may be zero");
  return value.certainly_positive();
}

}  // namespace

std::optional<Integer> least_depth(const Expression& bound, const std::string& depth,
                                   const Environment& environment, const Value& target, Precision limit) {
  const Expression rate = contraction_rate(bound, depth);
  Search search(bound, depth, environment, limit);
  if (!is_positive(target)) return std::nullopt;
  if (search.below_at(0, target)) return Integer(0);
  if (!search.below(rate, Rational(1))) return std::nullopt;
  long above = 0, under = 1;
  for (; !search.below_at(under, target); under *= 2) {
    above = under;
    if (under >= deepest)
      throw PrecisionLimit(to_short_text(bound) + " is still above the target at depth " +
                           std::to_string(deepest));
  }
  while (under - above > 1) {
    const long middle = above + (under - above) / 2;
    (search.below_at(middle, target) ? under : above) = middle;
  }
  return Integer(under);
}

}  // namespace rankfall::theory
