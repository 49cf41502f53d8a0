#include "verify/report/measure.hpp"

#include "theory/closed_form.hpp"
#include "theory/expression/environment.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/substitute.hpp"

namespace rankfall::verify {
namespace {

constexpr Precision measuring(128);

/// Whether the closed form, with the beta of the weights, is the constant itself and no more than a bound of
/// it: where it is stated in beta, or where one head leaves nothing to bound.
bool exact_in_beta(const Decision& decision, const GenerateSpec& spec) {
  return spec.heads == 1 || theory::depends_on(*decision.bound->constant, "beta");
}

}  // namespace

std::string name(Measure measure) {
  switch (measure) {
    case Measure::looseness:
      return "looseness";
    case Measure::slack:
      return "slack";
    case Measure::implied_constant:
      return "implied-constant";
    case Measure::implied_gamma:
      return "implied-gamma";
    case Measure::vacuous:
      return "vacuous";
  }
  return {};
}

std::string words(Measure measure) {
  switch (measure) {
    case Measure::looseness:
      return "Looseness";
    case Measure::slack:
      return "Slack in decades";
    case Measure::implied_constant:
      return "Implied constant";
    case Measure::implied_gamma:
      return "Implied gamma";
    case Measure::vacuous:
      return "Share of vacuous bounds";
  }
  return {};
}

std::optional<Span> Measurer::operator()(Measure measure, const Instance& instance) {
  const Decision& d = *instance.decision;
  if (!applies(d) || !d.compared) return std::nullopt;
  switch (measure) {
    case Measure::looseness:
      return d.looseness;
    case Measure::slack:
      return d.slack;
    case Measure::vacuous:
      return d.vacuous ? std::optional(Span{Ball(*d.vacuous ? 1 : 0), Ball(*d.vacuous ? 1 : 0)})
                       : std::nullopt;
    case Measure::implied_gamma:
      return d.gamma && d.gamma->kind == theory::Gamma::Kind::one ? d.looseness : std::nullopt;
    case Measure::implied_constant: {
      const auto c = d.looseness ? constant(instance) : std::nullopt;
      if (!c) return std::nullopt;
      return Span{mul(d.looseness->low, c->low, measuring), mul(d.looseness->high, c->high, measuring)};
    }
  }
  return std::nullopt;
}

std::optional<Span> Measurer::constant(const Instance& instance) {
  const Decision& d = *instance.decision;
  const GenerateSpec& spec = instance.cell->cell.spec;
  const auto form = theory::closed_form(*d.statement);
  const bool one = !d.gamma || d.gamma->kind == theory::Gamma::Kind::one;
  if (!form || !spec.beta || !one || !d.bound->constant || form->quantity != theory::Quantity::residual ||
      theory::depends_on(form->constant, "lambda") || !exact_in_beta(d, spec))
    return std::nullopt;
  const Key key{d.bound, spec.tokens, query_width(spec), spec.heads, *spec.beta};
  if (const auto known = constants_.find(key); known != constants_.end()) return known->second;
  // Every head was scaled to a beta in [B (1 - 2^-40), B].
  const auto at = [&](const Rational& beta) {
    theory::Environment values;
    const auto set = [&](const char* symbol, const Rational& value) { values.set(symbol, value); };
    set("n", spec.tokens);
    set("H", spec.heads);
    set("d_qk", query_width(spec));
    set("gamma", 1);
    set("beta", beta);
    return theory::evaluate(form->constant, values, measuring).to_ball(measuring);
  };
  const Rational slightly = 1 - Rational(1, Integer(1) << 40);
  const Ball first = at(*spec.beta * slightly), second = at(*spec.beta);
  return constants_[key] = Span{min(first, second, measuring), max(first, second, measuring)};
}

}  // namespace rankfall::verify
