#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/report/instances.hpp"

namespace rankfall::verify {

/// Extremes, quartiles and middle of a list of enclosed numbers, each enclosed again.
struct Distribution {
  std::size_t count = 0;
  Span least, median, greatest;  ///< meaningless when count is 0
  Span lower_quartile = {}, upper_quartile = {};
};

/// Order statistics are monotone: that of the lower ends bounds that of the numbers from below, and so above.
/// The q-th quartile of n ordered numbers stands at place 1 + q (n-1)/4, between two of them in proportion;
/// so the median of an even number is the mean of the two middle ones. Ends may be infinite.
Distribution distribution(const std::vector<Span>& numbers);

/// How often something is so, and of how many it is known.
struct Share {
  std::size_t yes = 0, known = 0;
  void count(const std::optional<bool>& value);
};

struct VerdictCounts {
  std::size_t proved = 0, refuted = 0, inapplicable = 0, inconclusive = 0;
  std::size_t gap = 0, equality = 0, precision = 0;  ///< reasons of the inconclusive
  void add(const Decision& decision);
  void add(const VerdictCounts& other);
  std::size_t total() const { return proved + refuted + inapplicable + inconclusive; }
};

/// One hypothesis over the instances that were decided under it, also those where it fails.
struct HypothesisDigest {
  std::string name;
  std::size_t certified = 0, failing = 0, open = 0;
  Distribution margin;  ///< bound less value
};

/// The margin of the hypothesis nearest to failing: all hold where it is not below zero. Empty where there
/// are none.
std::optional<Span> least_margin(const Decision& decision);

/// What became of one claim. Tightness is taken over the instances to which it applies.
struct Digest {
  const Claim* claim = nullptr;
  VerdictCounts counts;
  Distribution looseness, slack;
  Share vacuous, non_contracting;
  std::vector<HypothesisDigest> hypotheses = {};
  std::optional<Instance> tightest, loosest;  ///< by looseness, or by slack where there is none
};

Digest digest(const Claim& claim);

/// A claim held true was refuted on the instance.
bool contradicts_theory(const Decision& decision);

/// What must not happen: first the instances that contradict theory, then those undecided for lack of
/// precision.
std::vector<Instance> exceptional(const std::vector<Digest>& digests);

}  // namespace rankfall::verify
