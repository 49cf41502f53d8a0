#include "verify/report/statistics.hpp"

#include <algorithm>

namespace rankfall::verify {
namespace {

constexpr Precision exact_ends(256);

std::vector<Ball> sorted(const std::vector<Span>& numbers, bool low) {
  std::vector<Ball> ends;
  for (const Span& number : numbers)
    ends.push_back(low ? lower(number.low, exact_ends) : upper(number.high, exact_ends));
  std::sort(ends.begin(), ends.end(), midpoint_less);
  return ends;
}

Ball middle(const std::vector<Ball>& ordered, bool low) {
  const std::size_t half = ordered.size() / 2;
  if (ordered.size() % 2 == 1) return ordered[half];
  const Ball &before = ordered[half - 1], &after = ordered[half];
  if (!is_finite(before) || !is_finite(after)) return low ? before : after;
  return scale(add(before, after, exact_ends), -1);
}

/// Orders instances from tight to loose.
bool tighter(const Instance& a, const Instance& b) {
  const Decision &left = *a.decision, &right = *b.decision;
  if (left.looseness && right.looseness) return midpoint_less(right.looseness->low, left.looseness->low);
  return midpoint_less(left.slack.high, right.slack.high);
}

}  // namespace

Distribution distribution(const std::vector<Span>& numbers) {
  if (numbers.empty()) return {};
  const std::vector<Ball> low = sorted(numbers, true), high = sorted(numbers, false);
  return {numbers.size(),
          {low.front(), high.front()},
          {middle(low, true), middle(high, false)},
          {low.back(), high.back()}};
}

void Share::count(const std::optional<bool>& value) {
  if (!value) return;
  ++known;
  yes += *value ? 1 : 0;
}

void VerdictCounts::add(const Decision& decision) {
  switch (decision.verdict) {
    case Verdict::proved:
      ++proved;
      return;
    case Verdict::refuted:
      ++refuted;
      return;
    case Verdict::inapplicable:
      ++inapplicable;
      return;
    case Verdict::inconclusive:
      ++inconclusive;
      precision += decision.reason == "precision" ? 1 : 0;
      equality += decision.reason == "equality" ? 1 : 0;
      gap += decision.reason == "minimal-residual-gap" ? 1 : 0;
      return;
  }
}

void VerdictCounts::add(const VerdictCounts& other) {
  proved += other.proved;
  refuted += other.refuted;
  inapplicable += other.inapplicable;
  inconclusive += other.inconclusive;
  gap += other.gap;
  equality += other.equality;
  precision += other.precision;
}

Digest digest(const Claim& claim) {
  Digest result;
  result.claim = &claim;
  std::vector<Span> looseness, slack;
  for (const Instance& instance : claim.instances) {
    const Decision& decision = *instance.decision;
    result.counts.add(decision);
    if (!applies(decision) || !decision.compared) continue;
    slack.push_back(decision.slack);
    result.vacuous.count(decision.vacuous);
    result.non_contracting.count(decision.non_contracting);
    if (decision.looseness) looseness.push_back(*decision.looseness);
    if (claim.bound->constant && !decision.looseness) continue;  // nothing left to measure: both sides are 0
    if (!result.tightest || tighter(instance, *result.tightest)) result.tightest = instance;
    if (!result.loosest || tighter(*result.loosest, instance)) result.loosest = instance;
  }
  result.looseness = distribution(looseness);
  result.slack = distribution(slack);
  return result;
}

bool contradicts_theory(const Decision& decision) {
  return decision.verdict == Verdict::refuted && decision.claim() == theory::Status::proved;
}

std::vector<Instance> exceptional(const std::vector<Digest>& digests) {
  std::vector<Instance> contradictions, undecided;
  for (const Digest& digest : digests)
    for (const Instance& instance : digest.claim->instances) {
      if (contradicts_theory(*instance.decision)) contradictions.push_back(instance);
      if (instance.decision->wants_precision()) undecided.push_back(instance);
    }
  contradictions.insert(contradictions.end(), undecided.begin(), undecided.end());
  return contradictions;
}

}  // namespace rankfall::verify
