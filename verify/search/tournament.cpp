#include "verify/search/tournament.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "numerics/parallel.hpp"

namespace rankfall::verify {
namespace {

constexpr std::uint64_t shortest_stage = 8;  // evaluations of a climb
constexpr double zeros_wanted = 2e-3;        // of log2 of the goal, for each number; in half of the climbs

std::uint64_t stages(std::uint64_t climbs) {
  return static_cast<std::uint64_t>(std::bit_width(climbs));
}

/// As many as have room for a stage each.
std::uint64_t climbs_for(std::uint64_t evaluations) {
  std::uint64_t climbs = Tournament::most_climbs;
  while (climbs > 1 && climbs * stages(climbs) * shortest_stage > evaluations) climbs /= 2;
  return climbs;
}

/// The k-th share of a number of evaluations.
std::uint64_t share(std::uint64_t evaluations, std::size_t k, std::size_t count) {
  return evaluations / count + (k < evaluations % count ? 1 : 0);
}

void merge(SearchOutcome& into, const SearchOutcome& from) {
  into.evaluations += from.evaluations;
  if (!into.best.numbers.empty() && !(from.value > into.value)) return;
  into.value = from.value;
  into.best = from.best;
}

}  // namespace

std::uint64_t Tournament::full_round(std::size_t numbers) {
  return most_climbs * stages(most_climbs) * (20 + numbers / 2);
}

SearchOutcome Tournament::play(std::uint64_t evaluations) const {
  const ThreadAllowance allowance(threads);
  const std::uint64_t count = climbs_for(evaluations), last = stages(count) - 1;
  SearchOutcome result{{}, -HUGE_VAL, 0};
  std::vector<std::optional<Climb>> climbs(count);
  for (std::uint64_t stage = 0; stage <= last; ++stage) {
    const std::uint64_t all =
        stage < last ? evaluations / (last + 1) : evaluations - evaluations / (last + 1) * last;
    if (stage == last && best_so_far && all > 1) climbs.emplace_back();
    in_parallel(climbs.size(), [&](std::size_t k) {
      std::uint64_t mine = share(all, k, climbs.size());
      if (!climbs[k]) {
        const bool again = stage > 0 || k == count;
        const std::uint64_t number = again ? most_climbs : k;
        climbs[k].emplace(goal, again ? *best_so_far : start(k), stream(number),
                          number % 4 < 2 ? zeros_wanted : 0);
        --mine;
      }
      climbs[k]->go_on(mine, stop);
    });
    std::stable_sort(climbs.begin(), climbs.end(),
                     [](const auto& a, const auto& b) { return a->outcome().value > b->outcome().value; });
    const std::size_t kept = stage < last ? climbs.size() / 2 : 0;
    for (std::size_t k = kept; k < climbs.size(); ++k) merge(result, climbs[k]->outcome());
    climbs.resize(kept);
  }
  return result;
}

}  // namespace rankfall::verify
