#include "theory/expression/evaluate.hpp"

#include <algorithm>
#include <limits>

#include "numerics/errors.hpp"
#include "theory/expression/exact_operations.hpp"
#include "theory/expression/print.hpp"

namespace rankfall::theory {
namespace {

constexpr long guard_bits = 16;

class Evaluator {
 public:
  Evaluator(const Environment& environment, Precision p, const EvaluationLimits& limits, bool exact_only)
      : environment_(environment),
        with_{Precision(p.bits + guard_bits), limits.exact_bits, exact_only},
        terms_left_(limits.terms),
        terms_allowed_(limits.terms) {}

  const Arithmetic& arithmetic() const { return with_; }

  Value value(const Expression& e) {
    const std::vector<Expression>& operands = e.operands();
    switch (e.kind()) {
      case Kind::constant:
        return e.value();
      case Kind::symbol:
        return look_up(e);
      case Kind::add: {
        RunningSum sum(with_);
        for (const Expression& term : operands) sum.add(value(term));
        return sum.total();
      }
      case Kind::multiply: {
        RunningProduct product(with_);
        for (const Expression& factor : operands) product.multiply(value(factor));
        return product.total();
      }
      case Kind::negate:
        return theory::negate(value(operands[0]));
      case Kind::divide:
      case Kind::power: {
        const Value a = value(operands[0]), b = value(operands[1]);
        return within(e, [&] { return e.is(Kind::divide) ? divide(a, b, with_) : power(a, b, with_); });
      }
      case Kind::call:
        return call(e);
      case Kind::sum:
        return over_range<RunningSum>(e, [](RunningSum& sum, const Value& term) { sum.add(term); });
      case Kind::prod:
        return over_range<RunningProduct>(
            e, [](RunningProduct& product, const Value& f) { product.multiply(f); });
    }
    return Rational(0);
  }

 private:
  /// Names the subexpression in what goes wrong with its own operation.
  template <class Operation>
  static Value within(const Expression& e, Operation operation) {
    try {
      return operation();
    } catch (const UndefinedError& error) {
      throw UndefinedError(std::string(error.what()) + ", in " + to_short_text(e));
    } catch (const DomainError& error) {
      throw DomainError(std::string(error.what()) + ", in " + to_short_text(e));
    }
  }

  Value call(const Expression& e) {
    const std::vector<Expression>& operands = e.operands();
    Value a = value(operands[0]);
    switch (e.function()) {
      case Function::sqrt:
        return within(e, [&] { return theory::sqrt(a, with_); });
      case Function::exp:
        return within(e, [&] { return theory::exp(a, with_); });
      case Function::log:
        return within(e, [&] { return theory::log(a, with_); });
      case Function::tanh:
        return within(e, [&] { return theory::tanh(a, with_); });
      case Function::abs:
        return theory::abs(a);
      case Function::sign:
        return theory::sign(a);
      case Function::min:
      case Function::max:
        for (std::size_t i = 1; i < operands.size(); ++i) {
          const Value b = value(operands[i]);
          a = e.is(Function::min) ? theory::min(a, b, with_) : theory::max(a, b, with_);
        }
        return a;
      case Function::binomial: {
        const Value b = value(operands[1]);
        return within(e, [&] { return theory::binomial(a, b, with_); });
      }
    }
    return a;
  }

  Value look_up(const Expression& e) {
    std::vector<long> indices;
    for (const Expression& index : e.operands()) indices.push_back(index_value(e, index));
    if (indices.empty()) {
      const auto innermost = std::find_if(bound_.rbegin(), bound_.rend(),
                                          [&](const auto& bound) { return *bound.first == e.name(); });
      if (innermost != bound_.rend()) return innermost->second;
    }
    if (const Value* found = environment_.find(e.name(), indices)) return *found;
    std::vector<std::string> names;
    for (const auto& [name, bound] : bound_) names.push_back(*name);
    environment_.unknown(e.name(), indices, names);
  }

  Integer integer(const Expression& part, const Expression& whole, const char* role) {
    const Value found = value(part);
    const Rational* exact = std::get_if<Rational>(&found);
    if (exact == nullptr && with_.exact_only) throw NotExact{};
    if (exact == nullptr || !is_integer(*exact))
      throw DomainError(std::string(role) + " " + to_short_text(part, 60) + " of " + to_short_text(whole) +
                        " must be an exact integer" + (exact == nullptr ? "" : ", is " + to_text(*exact)));
    return numerator(*exact);
  }

  long index_value(const Expression& e, const Expression& index) {
    const Integer found = integer(index, e, "the index");
    if (abs(found) > std::numeric_limits<long>::max())
      throw DomainError("the index " + to_short_text(index, 60) + " of " + to_short_text(e) +
                        " is out of range");
    return found.convert_to<long>();
  }

  template <class Running, class Step>
  Value over_range(const Expression& e, Step step) {
    const Integer first = integer(e.operands()[0], e, "the first index"),
                  last = integer(e.operands()[1], e, "the last index");
    Running running(with_);
    if (last < first) return running.total();
    const Integer count = last - first + 1;
    if (count > terms_left_)
      throw InputError("too many terms in " + to_short_text(e) + ": at most " +
                       std::to_string(terms_allowed_) + " are evaluated in all");
    terms_left_ -= count.convert_to<long>();
    bound_.emplace_back(&e.name(), Rational(first));
    const std::size_t here = bound_.size() - 1;
    for (Integer i = first; i <= last; ++i) {
      bound_[here].second = Rational(i);
      step(running, value(e.operands()[2]));
    }
    bound_.pop_back();
    return running.total();
  }

  const Environment& environment_;
  Arithmetic with_;
  long terms_left_, terms_allowed_;
  std::vector<std::pair<const std::string*, Value>> bound_;
};

}  // namespace

Value evaluate_value(const Expression& e, const Environment& environment, Precision p,
                     const EvaluationLimits& limits) {
  return Evaluator(environment, p, limits, false).value(e);
}

Magnitude evaluate(const Expression& e, const Environment& environment, Precision p,
                   const EvaluationLimits& limits) {
  Evaluator evaluator(environment, p, limits, false);
  return enclose(evaluator.value(e), evaluator.arithmetic());
}

std::optional<Rational> evaluate_exact(const Expression& e, const Environment& environment,
                                       const EvaluationLimits& limits) {
  try {
    const Value value = Evaluator(environment, Precision(64), limits, true).value(e);
    if (const Rational* exact = std::get_if<Rational>(&value)) return *exact;
  } catch (const NotExact&) {
  }
  return std::nullopt;
}

}  // namespace rankfall::theory
