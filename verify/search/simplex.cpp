#include "verify/search/simplex.hpp"

#include <algorithm>
#include <cmath>

namespace rankfall::verify {
namespace {

constexpr double first_edge = 0.03, later_edge = 0.01;  // of each number
constexpr double flat = 1e-11, no_gain = 1e-9;          // of the goal
constexpr int vain_restarts = 2;

struct Vertex {
  std::vector<double> numbers;
  double value;
};

bool higher(const Vertex& a, const Vertex& b) {
  return a.value > b.value;
}

class Simplex {
 public:
  Simplex(const Goal& goal, const Point& start, std::uint64_t evaluations, double enough)
      : goal_(goal), point_(start), left_(evaluations), enough_(enough) {
    best_ = at(start.numbers);
  }

  bool over() const { return left_ == 0 || best_.value > enough_; }
  const Vertex& best() const { return best_; }
  std::uint64_t left() const { return left_; }

  /// One run from the best point; every edge is so much of its number, times a random factor.
  void run(double edge, const Stream& stream, std::uint64_t& drawn) {
    std::vector<Vertex> vertices{best_};
    for (std::size_t i = 0; i < best_.numbers.size() && !over(); ++i) {
      std::vector<double> moved = vertices.front().numbers;
      moved[i] += edge * (1 + 0.3 * stream.normal(drawn++)) * (moved[i] == 0 ? 1 : std::abs(moved[i]));
      vertices.push_back(at(std::move(moved)));
    }
    while (!over()) {
      std::stable_sort(vertices.begin(), vertices.end(), higher);
      if (!(vertices.front().value - vertices.back().value > flat)) return;
      step(vertices);
    }
  }

 private:
  Vertex at(std::vector<double> numbers) {
    if (left_ > 0) --left_;
    point_.numbers = std::move(numbers);
    Vertex result{point_.numbers, goal_(point_)};
    if (best_.numbers.empty() || result.value > best_.value) best_ = result;
    return result;
  }

  /// The point on the line from the centre of the others through the last: the last is at 1.
  Vertex along(const std::vector<Vertex>& vertices, double factor) {
    const std::size_t count = vertices.size() - 1;
    std::vector<double> numbers(vertices.back().numbers.size());
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      double centre = 0;
      for (std::size_t i = 0; i < count; ++i) centre += vertices[i].numbers[j] / static_cast<double>(count);
      numbers[j] = centre + factor * (vertices.back().numbers[j] - centre);
    }
    return at(std::move(numbers));
  }

  void step(std::vector<Vertex>& vertices) {
    Vertex& last = vertices.back();
    Vertex reflected = along(vertices, -1);
    if (reflected.value > vertices.front().value) {
      Vertex further = along(vertices, -2);
      last = higher(further, reflected) ? std::move(further) : std::move(reflected);
      return;
    }
    if (higher(reflected, vertices[vertices.size() - 2])) {
      last = std::move(reflected);
      return;
    }
    Vertex nearer = along(vertices, higher(reflected, last) ? -0.5 : 0.5);
    if (nearer.value > std::max(reflected.value, last.value)) {
      last = std::move(nearer);
      return;
    }
    for (std::size_t i = 1; i < vertices.size() && !over(); ++i) {
      std::vector<double> halfway = vertices[i].numbers;
      for (std::size_t j = 0; j < halfway.size(); ++j)
        halfway[j] = (halfway[j] + vertices.front().numbers[j]) / 2;
      vertices[i] = at(std::move(halfway));
    }
  }

  const Goal& goal_;
  Point point_;
  std::uint64_t left_;
  double enough_;
  Vertex best_{};
};

}  // namespace

SearchOutcome simplex_search(const Goal& goal, const Point& start, const Stream& stream,
                             std::uint64_t evaluations, double enough) {
  Simplex simplex(goal, start, evaluations, enough);
  std::uint64_t drawn = 0;
  double edge = first_edge;
  for (int vain = 0; vain < vain_restarts && !simplex.over(); edge = later_edge) {
    const double before = simplex.best().value;
    simplex.run(edge, stream, drawn);
    vain = simplex.best().value - before > no_gain ? 0 : vain + 1;
  }
  return {{simplex.best().numbers, start.group_ends}, simplex.best().value, evaluations - simplex.left()};
}

}  // namespace rankfall::verify
