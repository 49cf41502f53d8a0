#include "verify/decide.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/families.hpp"
#include "theory/measured.hpp"
#include "verify/compare.hpp"
#include "verify/scope.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using BoundSpan = theory::Bound::Span;

/// A bracket of an expression that grows with r0: its ends come from the ends of r0.
Bracket bracket(const Expression& e, Simulation& simulation, const Reading& reading) {
  const Magnitude high = Instance(simulation, reading, End::high).evaluate(e);
  if (reading.reference) return {high, high};
  return {Instance(simulation, reading, End::low).evaluate(e), high};
}

Bracket ends(const Magnitude& value, Precision p) {
  if (value.is_zero()) return {value, value};
  const Ball low = lower(value.log2(), p), high = upper(value.log2(), p);
  switch (value.sign()) {
    case Magnitude::Sign::positive:
      return {Magnitude::from_log2(low), Magnitude::from_log2(high)};
    case Magnitude::Sign::negative:
      return {neg(Magnitude::from_log2(high)), neg(Magnitude::from_log2(low))};
    default:
      return {neg(Magnitude::from_log2(high)), Magnitude::from_log2(high)};
  }
}

/// A bracket of any expression of the statement. Those of the catalogue grow with r0; what someone else wrote
/// may not, and is evaluated on all that r0 may be.
Bracket bracket(const Statement& statement, const Expression& e, Simulation& simulation,
                const Reading& reading) {
  if (statement.file.empty() || reading.reference) return bracket(e, simulation, reading);
  return ends(Instance(simulation, reading, End::both).evaluate(e), simulation.precision());
}

HypothesisResult judge(const Statement& statement, const Hypothesis& hypothesis, Simulation& simulation,
                       const Reading& reading) {
  HypothesisResult result{
      hypothesis.name, std::nullopt, bracket(statement, hypothesis.value, simulation, reading), {}};
  const Bracket bound = bracket(statement, hypothesis.bound, simulation, reading);
  result.margin = margin(result.value, bound, simulation.precision());
  if (certainly_less_equal(result.value.upper, bound.lower)) result.holds = true;
  if (certainly_less(bound.upper, result.value.lower)) result.holds = false;
  return result;
}

bool certified(const std::vector<HypothesisResult>& hypotheses) {
  return std::all_of(hypotheses.begin(), hypotheses.end(),
                     [](const auto& h) { return h.holds.value_or(false); });
}

/// sqrt(n) prod_l sqrt(sum_h |W_h|_1 sum_h |W_h|_inf) r0: attention averages, so nothing grows faster.
Expression trivial_bound() {
  const auto norms = [](const char* norm) { return sum("h", 1, sym("H"), sym(norm, {"l", "h"})); };
  return sqrt(sym("n")) * prod("l", 0, sym("L") - 1, sqrt(norms("W_1") * norms("W_inf"))) * sym("r0");
}

/// C_eff r0^2 >= 1, where right = prefactor C_eff^((3^L-1)/2) r0^(3^L): equivalently right >= prefactor r0.
std::optional<bool> at_least(const Bracket& right, const Bracket& threshold) {
  if (certainly_less(right.upper, threshold.lower)) return false;
  if (certainly_less_equal(threshold.upper, right.lower)) return true;
  return std::nullopt;
}

void measure_tightness(Decision& decision, const Bound& bound, Simulation& simulation,
                       const Reading& reading) {
  const Precision p = simulation.precision();
  decision.slack = slack_decades(decision.left, decision.right, p);
  if (!bound.constant || !decision.right.lower.certainly_positive()) return;
  decision.looseness = looseness(decision.left, decision.right, decision.depth, p);
  const Expression start = bound.prefactor ? *bound.prefactor * sym("r0") : sym("r0");
  // Both sides move with r0 alike: compare at equal ends.
  const Bracket never_less = bracket(*decision.statement, start, simulation, reading);
  const auto low =
      at_least({decision.right.lower, decision.right.lower}, {never_less.lower, never_less.lower});
  const auto high =
      at_least({decision.right.upper, decision.right.upper}, {never_less.upper, never_less.upper});
  if (low && high && *low == *high) decision.non_contracting = low;
  // A normalisation may enlarge what attention only averages.
  if (decision.statement->scope.feature == Feature::none)
    decision.vacuous = at_least(decision.right, bracket(trivial_bound(), simulation, reading));
}

/// The members of a family decided together: refuted by one, proved by all. What is shown is the member that
/// is refuted, or else the one nearest to it.
void conclude_family(Decision& decision, const Bound& bound, Simulation& simulation, const Reading& reading) {
  const Precision p = simulation.precision();
  const auto at = [](const Magnitude& value) { return Bracket{value, value}; };
  const auto ratio = [&](const Inequality& member) -> std::optional<Ball> {
    if (!member.left.certainly_positive() || !member.right.certainly_positive()) return std::nullopt;
    return sub(member.left.log2(), member.right.log2(), p);
  };
  decision.verdict = Verdict::proved;
  std::optional<Ball> nearest;
  for (const Inequality& member : inequalities(simulation, reading.from, *reading.reference, *bound.family)) {
    const Comparison step = compare(at(member.left), at(member.right), p);
    const std::optional<Ball> closeness = ratio(member);
    const bool first = !decision.compared;
    const bool worse_verdict = step.verdict == Verdict::refuted ||
                               (step.verdict == Verdict::inconclusive && decision.verdict == Verdict::proved);
    const bool nearer =
        step.verdict == decision.verdict && closeness && (!nearest || midpoint_less(*nearest, *closeness));
    if (worse_verdict) {
      decision.verdict = step.verdict;
      decision.reason = step.reason;
    }
    if (first || worse_verdict || nearer) {
      decision.left = at(member.left.sign() == Magnitude::Sign::negative ? Magnitude() : member.left);
      decision.right = at(member.right);
      decision.compared = true;
      nearest = closeness;
    }
    if (step.verdict == Verdict::refuted) break;
  }
  decision.slack = slack_decades(decision.left, decision.right, p);
}

void conclude(Decision& decision, const Bound& bound, Simulation& simulation, const Reading& reading) {
  const Precision p = simulation.precision();
  decision.left = left_side(simulation, reading, bound.quantity);
  decision.right = bracket(*decision.statement, bound.right, simulation, reading);
  if (bound.from_below) std::swap(decision.left, decision.right);
  decision.compared = true;
  Bracket smaller = decision.left;
  Comparison overall{Verdict::proved, ""};
  std::vector<Bracket> larger;
  if (reading.reference)  // the middle forms speak of E, known at a reference only
    for (const Expression& middle : bound.middle) larger.push_back(bracket(middle, simulation, reading));
  larger.push_back(decision.right);
  for (const Bracket& side : larger) {
    const Comparison step = compare(smaller, side, p);
    if (step.verdict == Verdict::refuted) {
      overall = step;
      break;
    }
    if (step.verdict == Verdict::inconclusive && overall.verdict == Verdict::proved) overall = step;
    smaller = side;
  }
  decision.verdict = overall.verdict;
  decision.reason = overall.reason;
  measure_tightness(decision, bound, simulation, reading);
}

/// A gamma read off the scores needs a reference; any other leaves the claim about the minimal residual.
bool read_off_scores(const Gamma& gamma) {
  return gamma.kind == Gamma::Kind::sum_max || gamma.kind == Gamma::Kind::max_ratio;
}

std::vector<std::optional<Reference>> admissible(const Statement& statement, const Gamma& gamma) {
  if (statement.references != References::propagated) return {std::nullopt};
  if (statement.uses_gamma && !read_off_scores(gamma) && !speaks_of_scores(statement)) return {std::nullopt};
  std::vector<std::optional<Reference>> result(all_references.begin(), all_references.end());
  if (!statement.minimal_hypotheses.empty()) result.emplace_back(std::nullopt);
  return result;
}

std::string reference_name(const Bound& bound, const Reading& reading) {
  if (reading.reference) return name(*reading.reference);
  return depends_on(bound.right, "r0") || bound.quantity == Quantity::oscillation ? "minimal" : "";
}

/// With gamma = 1 the looseness is the gamma that makes the bound an equality.
void measure_implied_gamma(Decision& decision, Simulation& simulation) {
  const Precision p = simulation.precision();
  decision.gamma_value.reset();
  if (decision.looseness)
    decision.gamma_value = Magnitude(hull(decision.looseness->low, decision.looseness->high, p), p);
  decision.right = decision.left;
  decision.slack = {Ball(), Ball()};
  decision.looseness.reset();
  decision.non_contracting.reset();
  decision.vacuous.reset();
  decision.verdict = Verdict::inconclusive;
  decision.reason = "equality";
}

Decision blank(const Statement& statement, const Bound& bound, const Network& network,
               const Reading& reading) {
  Decision decision;
  decision.statement = &statement;
  decision.bound = &bound;
  decision.from = reading.from;
  decision.to = reading.to;
  decision.depth = attention_blocks(network, reading.from, reading.to).size();
  decision.quantity = bound.quantity;
  if (statement.uses_gamma) decision.gamma = reading.gamma;
  return decision;
}

Decision attempt(const Statement& statement, const Bound& bound, Simulation& simulation,
                 const Reading& reading) {
  Decision decision = blank(statement, bound, simulation.network(), reading);
  decision.reference = reference_name(bound, reading);
  const bool alternative = statement.references == References::propagated && !reading.reference;
  for (const Hypothesis& hypothesis : alternative ? statement.minimal_hypotheses : statement.hypotheses)
    decision.hypotheses.push_back(judge(statement, hypothesis, simulation, reading));
  for (const Hypothesis& hypothesis : bound.hypotheses)
    decision.hypotheses.push_back(judge(statement, hypothesis, simulation, reading));
  if (bound.quantity == Quantity::residual_about && !reading.reference)
    decision.quantity = Quantity::residual;
  if (statement.uses_gamma)
    decision.gamma_value = Instance(simulation, reading, End::high).evaluate(sym("gamma"));
  decision.bits = simulation.bits();
  if (bound.family)
    conclude_family(decision, bound, simulation, reading);
  else
    conclude(decision, bound, simulation, reading);
  if (!certified(decision.hypotheses)) {
    decision.verdict = Verdict::inapplicable;
    decision.reason = "hypothesis " +
                      std::find_if(decision.hypotheses.begin(), decision.hypotheses.end(),
                                   [](const auto& h) { return !h.holds.value_or(false); })
                          ->name +
                      " is not certified at any admissible reference";
  }
  if (statement.uses_gamma && reading.gamma.kind == Gamma::Kind::implied)
    measure_implied_gamma(decision, simulation);
  return decision;
}

Decision inapplicable(const Statement& statement, const Bound& bound, const Network& network,
                      const Reading& reading, std::string reason) {
  Decision decision = blank(statement, bound, network, reading);
  decision.verdict = Verdict::inapplicable;
  decision.reason = std::move(reason);
  return decision;
}

/// An enclosure too wide for an operation asks for more precision, like one too wide for a verdict.
Decision attempt_or_defer(const Statement& statement, const Bound& bound, Simulation& simulation,
                          const Reading& reading) {
  try {
    return attempt(statement, bound, simulation, reading);
  } catch (const InputError& error) {  // of a bound of one's own: an index that this network does not have
    throw InputError(statement.file.empty() ? error.what()
                                            : statement.file + ": line " + std::to_string(statement.line) +
                                                  ": " + statement.id + ": " + error.what());
  } catch (const UndefinedError& error) {
    return inapplicable(statement, bound, simulation.network(), reading,
                        std::string("undefined here: ") + error.what());
  } catch (const DomainError&) {
    Decision decision = blank(statement, bound, simulation.network(), reading);
    decision.reference = reference_name(bound, reading);
    decision.reason = "precision";
    decision.bits = simulation.bits();
    return decision;
  }
}

Decision decide_one(const Statement& statement, const Bound& bound, Simulation& simulation, Reading reading) {
  const Scope& scope = bound.scope ? *bound.scope : statement.scope;
  if (std::string reason = outside_scope(scope, simulation.network(), reading.from, reading.to);
      !reason.empty())
    return inapplicable(statement, bound, simulation.network(), reading, std::move(reason));
  std::optional<Decision> best;
  for (const auto& reference : admissible(statement, reading.gamma)) {
    reading.reference = reference;
    Decision decision = attempt_or_defer(statement, bound, simulation, reading);
    if (decision.reason == "minimal-residual-gap") {
      const bool first = simulation.refine_minimal(reading.from),
                 last = simulation.refine_minimal(reading.to);
      if (first || last) decision = attempt_or_defer(statement, bound, simulation, reading);
    }
    if (decision.verdict == Verdict::proved || decision.verdict == Verdict::refuted) return decision;
    if (!best || (best->verdict == Verdict::inapplicable && decision.verdict != Verdict::inapplicable))
      best = std::move(decision);
  }
  return *std::move(best);
}

}  // namespace

std::string name(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::refuted:
      return "refuted";
    case Verdict::inapplicable:
      return "inapplicable";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return {};
}

std::string Decision::subject() const {
  std::string words = theory::name(quantity);
  if (!bound->variant.empty()) words += "-" + bound->variant;
  return words + (bound->from_below ? "-from-below" : "");
}

std::vector<Question> questions(const Statement& statement, const Network& network,
                                const std::vector<Gamma>& gammas) {
  std::vector<Question> result;
  const std::vector<Gamma> one{Gamma{}};
  const auto layers = attention_blocks(network, 0, network.blocks.size());
  for (const Bound& bound : statement.bounds)
    for (const Gamma& gamma : statement.uses_gamma ? gammas : one)
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const std::size_t from = bound.span == BoundSpan::layer ? layers[l] : 0;
        const Scope& scope = bound.scope ? *bound.scope : statement.scope;
        const std::size_t to = end_of_layer(scope, network, layers, l);
        result.push_back({&statement, &bound, {from, to, bound.span, std::nullopt, gamma, bound.constant}});
      }
  return result;
}

Decision decide(const Question& question, Simulation& simulation) {
  return decide_one(*question.statement, *question.bound, simulation, question.reading);
}

std::vector<Decision> decide_at_each_reference(const Question& question, Simulation& simulation) {
  const Statement& statement = *question.statement;
  const Scope& scope = question.bound->scope ? *question.bound->scope : statement.scope;
  Reading reading = question.reading;
  std::vector<Decision> decisions;
  if (!outside_scope(scope, simulation.network(), reading.from, reading.to).empty()) return decisions;
  for (const auto& reference : admissible(statement, reading.gamma)) {
    reading.reference = reference;
    decisions.push_back(attempt_or_defer(statement, *question.bound, simulation, reading));
  }
  return decisions;
}

std::vector<Decision> decide(const Statement& statement, Simulation& simulation,
                             const std::vector<Gamma>& gammas) {
  std::vector<Decision> decisions;
  for (const Question& question : questions(statement, simulation.network(), gammas))
    decisions.push_back(decide(question, simulation));
  return decisions;
}

}  // namespace rankfall::verify
