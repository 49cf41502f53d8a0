#pragma once
#include <optional>

#include "verify/search/local_search.hpp"

namespace rankfall::verify {

/// One round of a search: climbs from many starting points, of which the better half goes on twice as far,
/// and so on to the last one, beside which the best point so far is climbed from as well.
struct Tournament {
  const Goal& goal;
  std::function<Point(std::uint64_t climb)> start;
  std::function<Stream(std::uint64_t climb)> stream;
  std::optional<Point> best_so_far;
  unsigned threads = 1;
  std::function<bool()> stop;  ///< asked before every evaluation, from any thread; empty: never

  static constexpr std::uint64_t most_climbs = 64;
  /// Evaluations of a round on points of so many numbers.
  static std::uint64_t full_round(std::size_t numbers);

  /// The best point met, the first among equals, in exactly so many evaluations (at least one), or fewer when
  /// stopped. Otherwise a function of the members above that does not depend on the threads.
  SearchOutcome play(std::uint64_t evaluations) const;
};

}  // namespace rankfall::verify
