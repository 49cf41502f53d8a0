#include "verify/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "numerics/norms.hpp"
#include "numerics/parallel.hpp"
#include "verify/enclosure.hpp"
#include "verify/memory.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

bool narrow(const StateMeasures& state, int digits) {
  bool good = narrow_log10(state.norm, digits) && narrow_log10(state.composite_diameter, digits);
  for (const Magnitude& residual : state.residual) good = good && narrow_log10(residual, digits);
  for (const Magnitude& diameter : state.diameter) good = good && narrow_log10(diameter, digits);
  if (state.has_relative) good = good && narrow_log10(state.relative, digits);
  return good;
}

/// Each end on its own: the width between the ends is what is not known of the minimal residual, and stays.
bool narrow(const Decision& decision, int digits) {
  const auto both = [&](const Bracket& b) {
    return narrow_log10(b.lower, digits) && narrow_log10(b.upper, digits);
  };
  for (const HypothesisResult& hypothesis : decision.hypotheses)
    if (!narrow_signed(hypothesis.value, digits) || !narrow_value(hypothesis.margin.low, digits) ||
        !narrow_value(hypothesis.margin.high, digits))
      return false;
  if (decision.gamma_value && !narrow_value(*decision.gamma_value, digits)) return false;
  if (!decision.compared) return true;
  if (decision.quantity == Quantity::oscillation) return both(decision.right);
  if (!both(decision.left) || !both(decision.right)) return false;
  if (!narrow_value(decision.slack.low, digits) || !narrow_value(decision.slack.high, digits)) return false;
  return !decision.looseness ||
         (narrow_value(decision.looseness->low, digits) && narrow_value(decision.looseness->high, digits));
}

std::vector<const Statement*> chosen(const CheckOptions& options) {
  if (options.statements.empty()) return options.known.all();
  std::vector<const Statement*> result;
  for (const std::string& id : options.statements) result.push_back(&options.known.find(id));
  return result;
}

bool settled(const Decision& decision, int digits) {
  const bool hypotheses_open =
      std::any_of(decision.hypotheses.begin(), decision.hypotheses.end(),
                  [](const auto& h) { return !h.holds && !certainly_less(h.value.lower, h.value.upper); });
  return !decision.wants_precision() && !hypotheses_open && narrow(decision, digits);
}

/// Of an MLP block without pre_norm. Nothing where the state is not known well enough to bound a slope.
std::optional<Lipschitz> lipschitz(Simulation& simulation, std::size_t block) try {
  const Precision p = simulation.precision();
  Lipschitz result;
  result.block = block;
  for (const Reference reference : all_references) {
    const BallMatrix& M = *simulation.propagated_view(block, reference).lipschitz;
    result.local[static_cast<std::size_t>(reference)] = Magnitude(composite_norm(M, p), p);
  }
  result.global = Magnitude(global_lipschitz(simulation.engine().mlp(block), p), p);
  return result;
} catch (const DomainError&) {
  return std::nullopt;
}

bool narrow(const Lipschitz& lambda, int digits) {
  return narrow_log10(lambda.global, digits) &&
         std::all_of(lambda.local.begin(), lambda.local.end(),
                     [&](const Magnitude& local) { return narrow_log10(local, digits); });
}

std::vector<Question> all_questions(const Network& network, const CheckOptions& options) {
  std::vector<Question> result;
  for (const Statement* statement : chosen(options))
    for (Question& question : questions(*statement, network, options.gammas))
      result.push_back(std::move(question));
  return result;
}

/// One pass over one simulation. What is settled from an earlier pass stays as it is.
bool pass(const Network& network, const std::vector<Question>& questions, const CheckOptions& options,
          Simulation&& simulation, CheckResult& result) {
  for (std::size_t k = 0; k <= network.blocks.size(); ++k) {
    if (k == result.states.size())  // an earlier pass may have broken off
      result.states.push_back(simulation.state(k));
    else if (!narrow(result.states[k], options.digits))
      result.states[k] = simulation.state(k);
  }
  bool complete = result.narrow_states(options.digits);
  result.lipschitz.clear();
  for (std::size_t block = 0; block < network.blocks.size(); ++block)
    if (const auto* mlp = std::get_if<MlpBlock>(&network.blocks[block]); mlp && !mlp->pre_norm) {
      auto lambda = lipschitz(simulation, block);
      complete = complete && lambda && narrow(*lambda, options.digits);
      if (lambda) result.lipschitz.push_back(*std::move(lambda));
    }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (i == result.decisions.size())
      result.decisions.push_back(decide(questions[i], simulation));
    else if (!settled(result.decisions[i], options.digits))
      result.decisions[i] = decide(questions[i], simulation);
    complete = complete && settled(result.decisions[i], options.digits);
  }
  result.bits = simulation.bits();
  return complete;
}

/// The kinds of double that may give so many digits at such a depth. Where they turn out not to, balls
/// follow.
std::vector<std::pair<Followed, Precision>> cheap_tiers(const Network& network, const CheckOptions& options) {
  constexpr int few_digits = 6, pair_digits = 15;
  constexpr std::size_t most_blocks = 24;
  std::vector<std::pair<Followed, Precision>> result;
  if (network.blocks.size() > most_blocks ||
      !std::all_of(network.blocks.begin(), network.blocks.end(), doubles::is_plain_attention))
    return result;
  if (options.digits <= few_digits) result.emplace_back(Followed::in_doubles, Precision(64));
  if (options.digits <= pair_digits) result.emplace_back(Followed::in_pairs, Precision(128));
  return result;
}

/// A deep network takes some bits for every layer that follows.
long first_bits(const Network& network, const CheckOptions& options) {
  constexpr long deep = 24;
  const auto blocks = static_cast<long>(network.blocks.size());
  return options.start_bits + (blocks > deep ? 3 * blocks : 0);
}

}  // namespace

void CheckResult::describe(const Network& network) {
  tokens = network.tokens();
  dim = network.dim();
  depth = network.depth();
  blocks = network.blocks.size();
  kinds = {"input"};
  for (const Block& block : network.blocks) kinds.push_back(kind(block));
}

bool CheckResult::narrow_states(int digits) const {
  return std::all_of(states.begin(), states.end(),
                     [digits](const StateMeasures& state) { return narrow(state, digits); });
}

bool CheckResult::refutes_a_true_statement() const {
  return std::any_of(decisions.begin(), decisions.end(), [](const Decision& d) {
    return d.verdict == Verdict::refuted && d.claim() == Status::proved;
  });
}

std::size_t CheckResult::undecided() const {
  return static_cast<std::size_t>(std::count_if(decisions.begin(), decisions.end(),
                                                [](const Decision& d) { return d.wants_precision(); }));
}

CheckResult check(const Network& network, const CheckOptions& options) {
  validate(network);
  const ThreadAllowance allowance(options.threads);
  const std::vector<Question> questions = all_questions(network, options);
  CheckResult result;
  result.describe(network);
  const long limit =
      options.max_bits > 0 ? options.max_bits : 1024 + 32 * static_cast<long>(network.blocks.size());
  for (const auto& [how, measured] : cheap_tiers(network, options)) {
    if (measured.bits > limit) break;
    require_memory(network, measured, options.concurrent);
    try {
      if (pass(network, questions, options, Simulation(network, measured, how), result)) return result;
    } catch (const DomainError&) {  // balls will tell
    }
  }
  for (long bits = std::min(first_bits(network, options), limit);; bits = std::min(2 * bits, limit)) {
    if (result.bits > 0 && !fits_memory(network, Precision(bits), options.concurrent)) return result;
    require_memory(network, Precision(bits), options.concurrent);
    try {
      const bool complete = pass(network, questions, options, Simulation(network, Precision(bits)), result);
      if (complete || bits == limit) return result;
    } catch (const DomainError& error) {  // the states themselves are not known well enough yet
      if (bits == limit)
        throw PrecisionLimit(fmt::format("{} bits do not suffice to follow the network ({}); raise the limit",
                                         limit, error.what()));
    }
  }
}

}  // namespace rankfall::verify
