#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "numerics/random.hpp"

namespace rankfall::verify {

/// A point of a search: numbers in groups (tokens, scores, values) that are each scaled by their own size.
struct Point {
  std::vector<double> numbers;
  std::vector<std::size_t> group_ends;  ///< of each group, one past its last number
};

/// What is to be made large; minus infinity where it is undefined.
using Goal = std::function<double(const Point&)>;

struct SearchOutcome {
  Point best;
  double value;
  std::uint64_t evaluations;
};

/// A climb: steps in random directions, longer after a success and shorter after failures, in all numbers,
/// one group or one number at a time, a group scaled, and now and then a number set to zero, to another or to
/// its negative. A number that becomes zero may cost up to `plainness` of the goal on the way; what is
/// reported is the best point met. A function of its arguments alone.
class Climb {
 public:
  Climb(const Goal& goal, Point start, const Stream& stream, double plainness = 0);

  /// So many evaluations more, fewer when `stop` says so.
  void go_on(std::uint64_t evaluations, const std::function<bool()>& stop = {});
  const SearchOutcome& outcome() const { return outcome_; }

 private:
  double with_zeros(double value, const Point& point) const;

  const Goal* goal_;
  std::uint64_t drawn_ = 0;
  Stream stream_;
  double plainness_, step_, current_value_;
  SearchOutcome outcome_;
  Point current_;
};

/// A climb of so many evaluations.
SearchOutcome climb(const Goal& goal, const Point& start, const Stream& stream, std::uint64_t evaluations,
                    double plainness = 0);

}  // namespace rankfall::verify
