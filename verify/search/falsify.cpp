#include "verify/search/falsify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "numerics/errors.hpp"
#include "verify/scope.hpp"
#include "verify/search/tournament.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr Precision search_bits(64), decision_bits(256);
constexpr std::uint64_t climb_cell = 0x636c696d62000000;
constexpr int coarsest_rounding = 2, finest_rounding = 53;
constexpr double rounding_loss = 1e-4;  // of log2 of the ratio
constexpr int most_shrinkings = 40;
constexpr double infinite_ratio = 1e9;  // of a violation whose right side may be zero

/// log2(left/right) from below; both sides from their unfavourable ends.
double certified_ratio(const Decision& decision, Precision p) {
  if (!decision.compared || decision.verdict == Verdict::inapplicable) return -HUGE_VAL;
  const Magnitude &left = decision.left.lower, &right = decision.right.upper;
  if (!left.certainly_positive()) return -HUGE_VAL;
  if (!right.certainly_positive()) return decision.verdict == Verdict::refuted ? infinite_ratio : -HUGE_VAL;
  return to_double(lower(sub(left.log2(), right.log2(), p), p));
}

/// The decision on the last state with the largest certified ratio; none outside the scope.
std::optional<Decision> tightest(const Statement& statement, const Gamma& gamma, const Network& network,
                                 Precision p) {
  Simulation simulation(network, p);
  std::optional<Decision> best;
  double value = -HUGE_VAL;
  for (const Question& question : questions(statement, network, {gamma})) {
    if (question.reading.to < network.blocks.size()) continue;
    for (Decision& decision : decide_at_each_reference(question, simulation)) {
      const double found = certified_ratio(decision, p);
      if (best && !(found > value)) continue;
      best = std::move(decision);
      value = found;
    }
  }
  return best;
}

/// Tokens moved together until the hypotheses hold.
Point shrunk(const Goal& goal, Point point) {
  for (int k = 0; k < most_shrinkings && !std::isfinite(goal(point)); ++k)
    for (std::size_t i = 0; i < point.group_ends.front(); ++i) point.numbers[i] /= 2;
  return point;
}

void require_scope(const FalsifyRequest& request) {
  const Point point = starting_point(request.shape, request.seed, 0);
  const Network network = network_of(request.shape, point);
  const Statement& statement = *request.statement;
  std::string reason = "it is no bound on the states of a network";
  const bool of_depth = std::any_of(statement.bounds.begin(), statement.bounds.end(),
                                    [](const Bound& b) { return b.span == Bound::Span::depth; });
  if (request.shape.depth > 1 && !of_depth && !statement.bounds.empty())
    throw InputError(fmt::format("{} speaks of one layer; a depth of {} adds nothing to it", statement.id,
                                 request.shape.depth));
  for (const Question& question : questions(statement, network, {request.gamma})) {
    const Scope& scope = question.bound->scope ? *question.bound->scope : statement.scope;
    reason = outside_scope(scope, network, question.reading.from, question.reading.to);
    if (reason.empty()) return;
  }
  throw InputError(fmt::format("{} says nothing of the networks searched here: {}", statement.id, reason));
}

}  // namespace

double tightness(const Statement& statement, const Gamma& gamma, const Network& network, Precision p) {
  const auto decision = tightest(statement, gamma, network, p);
  return decision ? certified_ratio(*decision, p) : -HUGE_VAL;
}

double search_value(const FalsifyRequest& request, const Point& point) {
  return tightness(*request.statement, request.gamma, network_of(request.shape, point), search_bits);
}

SearchState search(const FalsifyRequest& request, SearchState state, const RoundEnd& after_round,
                   const std::function<bool()>& interrupted) {
  using Clock = std::chrono::steady_clock;
  validate(request.shape);
  require_scope(request);
  const Clock::time_point start = Clock::now();
  const auto time_is_over = [&] {
    return request.seconds && std::chrono::duration<double>(Clock::now() - start).count() >= *request.seconds;
  };
  const Goal goal = [&](const Point& point) { return search_value(request, point); };
  const std::uint64_t full =
      Tournament::full_round(starting_point(request.shape, request.seed, 0).numbers.size());
  while (!time_is_over()) {
    const std::uint64_t left =
        request.evaluations ? *request.evaluations - std::min(*request.evaluations, state.evaluations) : full;
    if (left == 0) break;
    Tournament round{.goal = goal,
                     .start =
                         [&](std::uint64_t k) {
                           const std::uint64_t number = state.rounds * Tournament::most_climbs + k;
                           return shrunk(goal, starting_point(request.shape, request.seed, number));
                         },
                     .stream =
                         [&](std::uint64_t k) {
                           const std::uint64_t number = state.rounds * (Tournament::most_climbs + 1) + k;
                           return Stream(request.seed, climb_cell, number, 0);
                         },
                     .best_so_far = std::nullopt,
                     .threads = request.threads,
                     .stop = [&] { return time_is_over() || (interrupted && interrupted()); }};
    if (!state.best.numbers.empty()) round.best_so_far = state.best;
    const SearchOutcome outcome = round.play(std::min(full, left));
    if (interrupted && interrupted()) break;  // a round that was broken off is played again
    ++state.rounds;
    state.evaluations += outcome.evaluations;
    if (outcome.value > state.value) {
      state.value = outcome.value;
      state.best = outcome.best;
    }
    if (!after_round(state)) break;
  }
  return state;
}

Finding certify(const FalsifyRequest& request, const SearchState& state) {
  Finding finding{state.evaluations, state.rounds};
  if (state.best.numbers.empty()) return finding;
  Point best = state.best;
  finding.weight_bits = finest_rounding;
  for (int bits = coarsest_rounding; bits < finest_rounding; ++bits) {
    const Point candidate = rounded(state.best, bits);
    const double value = search_value(request, candidate);
    if (!(value >= state.value - rounding_loss) || (state.value > 0 && !(value > 0))) continue;
    best = candidate;
    finding.weight_bits = bits;
    break;
  }
  finding.network = network_of(request.shape, best);
  finding.decision = tightest(*request.statement, request.gamma, *finding.network, decision_bits);
  if (!finding.decision || !finding.decision->compared) return finding;
  const Decision& d = *finding.decision;
  if (!d.right.lower.certainly_positive()) return finding;
  const Precision p = decision_bits;
  finding.ratio =
      Span{div(d.left.lower, d.right.upper, p).to_ball(p), div(d.left.upper, d.right.lower, p).to_ball(p)};
  return finding;
}

}  // namespace rankfall::verify
