#include "verify/search/falsify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>

#include "numerics/errors.hpp"
#include "numerics/thread_caches.hpp"
#include "verify/scope.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr Precision search_bits(64), decision_bits(256);
constexpr std::uint64_t climbs_a_round = 8;
constexpr std::uint64_t climb_cell = 0x636c696d62000000;
constexpr int coarsest_rounding = 2, finest_rounding = 53;
constexpr double rounding_loss = 1e-4;  // of log2 of the ratio
constexpr int most_shrinkings = 40;
constexpr double zeros_wanted = 2e-3;   // of log2 of the ratio, for each number; in half of the climbs
constexpr double infinite_ratio = 1e9;  // of a violation whose right side may be zero

/// log2(left/right) from below; both sides from their unfavourable ends.
double certified_ratio(const Decision& decision, Precision p) {
  if (!decision.compared || decision.verdict == Verdict::inapplicable) return -HUGE_VAL;
  const Magnitude &left = decision.left.lower, &right = decision.right.upper;
  if (!left.certainly_positive()) return -HUGE_VAL;
  if (!right.certainly_positive()) return decision.verdict == Verdict::refuted ? infinite_ratio : -HUGE_VAL;
  return to_double(lower(sub(left.log2(), right.log2(), p), p));
}

/// The decision with the largest certified ratio; none outside the scope.
std::optional<Decision> tightest(const Statement& statement, const Gamma& gamma, const Network& network,
                                 Precision p) {
  Simulation simulation(network, p);
  std::optional<Decision> best;
  double value = -HUGE_VAL;
  for (const Question& question : questions(statement, network, {gamma}))
    for (Decision& decision : decide_at_each_reference(question, simulation)) {
      const double found = certified_ratio(decision, p);
      if (best && !(found > value)) continue;
      best = std::move(decision);
      value = found;
    }
  return best;
}

/// Evaluations of one climb, more for more numbers.
std::uint64_t climb_length(const Point& point) {
  return 300 + 120 * static_cast<std::uint64_t>(point.numbers.size());
}

/// Tokens moved together until the hypotheses hold.
Point shrunk(const Goal& goal, Point point) {
  for (int k = 0; k < most_shrinkings && !std::isfinite(goal(point)); ++k)
    for (std::size_t i = 0; i < point.group_ends.front(); ++i) point.numbers[i] /= 2;
  return point;
}

class Round {
 public:
  Round(const FalsifyRequest& request, const SearchState& state, const Goal& goal)
      : request_(request), state_(state), goal_(goal), outcomes_(climbs_a_round) {}

  /// Runs the climbs; each is a function of its number and of the state alone.
  void run(std::uint64_t evaluations) {
    std::vector<std::jthread> workers;
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    const auto work = [&] {
      const ThreadCaches caches;
      for (std::uint64_t k = next++; k < climbs_a_round; k = next++) try {
          outcomes_[k] = climb_number(k, evaluations / climbs_a_round + (k < evaluations % climbs_a_round));
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!failure_) failure_ = std::current_exception();
        }
    };
    for (unsigned t = 1; t < request_.threads; ++t) workers.emplace_back(work);
    work();
    workers.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

  /// The best of the state and the climbs; the first among equals.
  SearchState merged() const {
    SearchState result = state_;
    ++result.rounds;
    for (const SearchOutcome& outcome : outcomes_) {
      result.evaluations += outcome.evaluations;
      if (!(outcome.value > result.value)) continue;
      result.value = outcome.value;
      result.best = outcome.best;
    }
    return result;
  }

 private:
  SearchOutcome climb_number(std::uint64_t k, std::uint64_t evaluations) const {
    const std::uint64_t number = state_.rounds * climbs_a_round + k;
    const Stream stream(request_.seed, climb_cell, number, 0);
    const double plainness = k % 4 < 2 ? zeros_wanted : 0;
    if (k % 2 == 1 && !state_.best.numbers.empty())
      return climb(goal_, state_.best, stream, evaluations, plainness);
    return climb(goal_, shrunk(goal_, starting_point(request_.shape, request_.seed, number)), stream,
                 evaluations, plainness);
  }

  const FalsifyRequest& request_;
  const SearchState& state_;
  const Goal& goal_;
  std::vector<SearchOutcome> outcomes_;
  std::exception_ptr failure_;
};

void require_scope(const FalsifyRequest& request) {
  const Point point = starting_point(request.shape, request.seed, 0);
  const Network network = network_of(request.shape, point);
  const Statement& statement = *request.statement;
  std::string reason = "it is no bound on the states of a network";
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

SearchState search(const FalsifyRequest& request, SearchState state, const RoundEnd& after_round) {
  using Clock = std::chrono::steady_clock;
  validate(request.shape);
  require_scope(request);
  const Clock::time_point start = Clock::now();
  const Goal goal = [&](const Point& point) { return search_value(request, point); };
  const std::uint64_t full = climbs_a_round * climb_length(starting_point(request.shape, request.seed, 0));
  const auto time_left = [&] {
    return !request.seconds || std::chrono::duration<double>(Clock::now() - start).count() < *request.seconds;
  };
  while (time_left()) {
    const std::uint64_t left =
        request.evaluations ? *request.evaluations - std::min(*request.evaluations, state.evaluations) : full;
    if (left < climbs_a_round) break;
    Round round(request, state, goal);
    round.run(std::min(full, left));
    state = round.merged();
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
