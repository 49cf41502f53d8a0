#include "verify/search/local_search.hpp"

#include <algorithm>
#include <cmath>

namespace rankfall::verify {
namespace {

constexpr double first_step = 0.3, longest_step = 2, shortest_step = 1e-9;
constexpr double lengthen = 1.5, shorten = 0.93;  // level where one step in about six succeeds
constexpr std::size_t plain_moves = 5;            // one in so many

std::size_t zeros(const Point& point) {
  return static_cast<std::size_t>(std::count(point.numbers.begin(), point.numbers.end(), 0.0));
}

/// Draws in a row from a stream.
class Draws {
 public:
  Draws(const Stream& stream, std::uint64_t& next) : stream_(stream), next_(next) {}
  double normal() { return stream_.normal(next_++); }
  std::size_t below(std::size_t bound) {
    return std::min(bound - 1,
                    static_cast<std::size_t>(stream_.uniform(next_++) * static_cast<double>(bound)));
  }

 private:
  const Stream& stream_;
  std::uint64_t& next_;
};

std::size_t group_of(const Point& point, std::size_t index) {
  return static_cast<std::size_t>(std::upper_bound(point.group_ends.begin(), point.group_ends.end(), index) -
                                  point.group_ends.begin());
}

/// Root mean square of a group, or 1 for a group of zeros.
double size_of(const Point& point, std::size_t group) {
  const std::size_t begin = group ? point.group_ends[group - 1] : 0, end = point.group_ends[group];
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += point.numbers[i] * point.numbers[i];
  return sum > 0 ? std::sqrt(sum / static_cast<double>(end - begin)) : 1;
}

/// A number replaced by something plain: extremal instances have zeros and equal or opposite numbers.
void simplify_one(Point& point, Draws& draws) {
  const std::size_t i = draws.below(point.numbers.size()), j = draws.below(point.numbers.size());
  switch (draws.below(4)) {
    case 0:
      point.numbers[i] = 0;
      break;
    case 1:
      point.numbers[i] = -point.numbers[i];
      break;
    case 2:
      point.numbers[i] = point.numbers[j];
      break;
    default:
      point.numbers[i] = -point.numbers[j];
      break;
  }
}

void move(Point& point, double step, Draws& draws) {
  const std::size_t count = point.numbers.size();
  std::size_t begin = 0, end = count;
  const std::size_t kind = draws.below(4);
  if (kind == 0) {
    begin = draws.below(count);
    end = begin + 1;
  } else if (kind != 3) {
    const std::size_t group = draws.below(point.group_ends.size());
    begin = group ? point.group_ends[group - 1] : 0;
    end = point.group_ends[group];
  }
  if (kind == 2) {
    const double factor = std::exp2(2 * step * draws.normal());
    for (std::size_t i = begin; i < end; ++i) point.numbers[i] *= factor;
    return;
  }
  std::vector<double> sizes(point.group_ends.size());
  for (std::size_t group = 0; group < sizes.size(); ++group) sizes[group] = size_of(point, group);
  const double each = step / std::sqrt(static_cast<double>(end - begin));
  const bool leave_zeros = draws.below(4) != 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double change = each * sizes[group_of(point, i)] * draws.normal();
    if (!leave_zeros || point.numbers[i] != 0) point.numbers[i] += change;
  }
}

}  // namespace

Climb::Climb(const Goal& goal, Point start, const Stream& stream, double plainness)
    : goal_(&goal),
      stream_(stream),
      plainness_(plainness),
      step_(first_step),
      outcome_{start, goal(start), 1},
      current_(std::move(start)) {
  current_value_ = with_zeros(outcome_.value, current_);
}

/// Extremal instances are plain: with zeros the climb goes on in fewer dimensions.
double Climb::with_zeros(double value, const Point& point) const {
  return value + plainness_ * static_cast<double>(zeros(point));
}

void Climb::go_on(std::uint64_t evaluations, const std::function<bool()>& stop) {
  Draws draws(stream_, drawn_);
  for (const std::uint64_t end = outcome_.evaluations + evaluations; outcome_.evaluations < end;) {
    if (stop && stop()) return;
    Point next = current_;
    const bool plain = draws.below(plain_moves) == 0;
    if (plain)
      simplify_one(next, draws);
    else
      move(next, step_, draws);
    const double value = (*goal_)(next), next_value = with_zeros(value, next);
    ++outcome_.evaluations;
    if (value > outcome_.value) {
      outcome_.best = next;
      outcome_.value = value;
    }
    const bool better =
        next_value > current_value_ || (plain && next_value == current_value_ && std::isfinite(value));
    if (better) {
      current_ = std::move(next);
      current_value_ = next_value;
    }
    if (!plain)
      step_ = better ? std::min(longest_step, step_ * lengthen) : std::max(shortest_step, step_ * shorten);
    if (step_ == shortest_step) step_ = first_step;
  }
}

SearchOutcome climb(const Goal& goal, const Point& start, const Stream& stream, std::uint64_t evaluations,
                    double plainness) {
  Climb result(goal, start, stream, plainness);
  if (evaluations > 1) result.go_on(evaluations - 1);
  return result.outcome();
}

}  // namespace rankfall::verify
