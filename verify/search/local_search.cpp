#include "verify/search/local_search.hpp"

#include <algorithm>
#include <cmath>

namespace rankfall::verify {
namespace {

constexpr double first_step = 0.3, longest_step = 2, shortest_step = 1e-9;
constexpr double lengthen = 1.5, shorten = 0.93;  // level where one step in about six succeeds

std::size_t zeros(const Point& point) {
  return static_cast<std::size_t>(std::count(point.numbers.begin(), point.numbers.end(), 0.0));
}

/// Draws in a row from a stream.
class Draws {
 public:
  explicit Draws(const Stream& stream) : stream_(stream) {}
  double normal() { return stream_.normal(next_++); }
  std::size_t below(std::size_t bound) {
    return std::min(bound - 1,
                    static_cast<std::size_t>(stream_.uniform(next_++) * static_cast<double>(bound)));
  }

 private:
  Stream stream_;
  std::uint64_t next_ = 0;
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

SearchOutcome climb(const Goal& goal, const Point& start, const Stream& stream, std::uint64_t evaluations,
                    double plainness) {
  Draws draws(stream);
  SearchOutcome outcome{start, goal(start), 1};
  // Extremal instances are plain: with zeros the climb goes on in fewer dimensions.
  const auto with_zeros = [plainness](double value, const Point& point) {
    return value + plainness * static_cast<double>(zeros(point));
  };
  Point current = start;
  double current_value = with_zeros(outcome.value, start), step = first_step;
  while (outcome.evaluations < evaluations) {
    Point next = current;
    const bool plain = draws.below(10) == 0;
    if (plain)
      simplify_one(next, draws);
    else
      move(next, step, draws);
    const double value = goal(next), next_value = with_zeros(value, next);
    ++outcome.evaluations;
    if (value > outcome.value) {
      outcome.best = next;
      outcome.value = value;
    }
    const bool better =
        next_value > current_value || (plain && next_value == current_value && std::isfinite(value));
    if (better) {
      current = std::move(next);
      current_value = next_value;
    }
    if (!plain)
      step = better ? std::min(longest_step, step * lengthen) : std::max(shortest_step, step * shorten);
    if (step == shortest_step) step = first_step;
  }
  return outcome;
}

}  // namespace rankfall::verify
