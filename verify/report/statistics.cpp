#include "verify/report/statistics.hpp"

#include <algorithm>

namespace rankfall::verify {
namespace {

constexpr Precision exact_ends(256);

std::vector<Ball> sorted(const std::vector<Span>& numbers, bool low) {
  std::vector<Ball> ends;
  ends.reserve(numbers.size());
  for (const Span& number : numbers)
    ends.push_back(low ? lower(number.low, exact_ends) : upper(number.high, exact_ends));
  std::sort(ends.begin(), ends.end(), midpoint_less);
  return ends;
}

/// The q-th quartile.
Ball quartile(const std::vector<Ball>& ordered, long q, bool low) {
  const long place = q * (static_cast<long>(ordered.size()) - 1);
  const auto below = static_cast<std::size_t>(place / 4);
  const long part = place % 4;
  if (part == 0) return ordered[below];
  const Ball &before = ordered[below], &after = ordered[below + 1];
  if (!is_finite(before) || !is_finite(after)) return low ? before : after;
  const Ball weighted =
      add(mul(Ball(4 - part), before, exact_ends), mul(Ball(part), after, exact_ends), exact_ends);
  return low ? lower(scale(weighted, -2L), exact_ends) : upper(scale(weighted, -2L), exact_ends);
}

/// Orders instances from tight to loose.
bool tighter(const Instance& a, const Instance& b) {
  const Decision &left = *a.decision, &right = *b.decision;
  if (left.looseness && right.looseness) return midpoint_less(right.looseness->low, left.looseness->low);
  return midpoint_less(left.slack.high, right.slack.high);
}

std::vector<HypothesisDigest> hypotheses_of(const Claim& claim) {
  std::vector<HypothesisDigest> all;
  std::vector<std::vector<Span>> margins;
  for (const Instance& instance : claim.instances)
    for (const HypothesisResult& h : instance.decision->hypotheses) {
      auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& known) { return known.name == h.name; });
      if (found == all.end()) {
        found = all.insert(all.end(), HypothesisDigest{h.name, 0, 0, 0, {}});
        margins.emplace_back();
      }
      ++(h.holds ? (*h.holds ? found->certified : found->failing) : found->open);
      margins[static_cast<std::size_t>(found - all.begin())].push_back(h.margin);
    }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].margin = distribution(margins[i]);
  return all;
}

}  // namespace

Distribution distribution(const std::vector<Span>& numbers) {
  if (numbers.empty()) return {};
  const std::vector<Ball> low = sorted(numbers, true), high = sorted(numbers, false);
  const auto at = [&](long q) { return Span{quartile(low, q, true), quartile(high, q, false)}; };
  return {numbers.size(), at(0), at(2), at(4), at(1), at(3)};
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

std::optional<Span> least_margin(const Decision& decision) {
  std::optional<Span> least;
  for (const HypothesisResult& h : decision.hypotheses) {
    if (!least) {
      least = h.margin;
      continue;
    }
    if (midpoint_less(h.margin.low, least->low)) least->low = h.margin.low;
    if (midpoint_less(h.margin.high, least->high)) least->high = h.margin.high;
  }
  return least;
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
  result.hypotheses = hypotheses_of(claim);
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
