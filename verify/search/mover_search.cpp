#include "verify/search/mover_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/errors.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr int decimals = 8;  // of the numbers that fix an instance
constexpr double hub = 60;

/// The numbers of MoverProfile. K and u are searched as the shares of tokens at which the movers leave c_min
/// and reach q_0: as they stand they can only change together.
struct Profile {
  double far, t, q_0, c_min, K, u;

  explicit Profile(const Point& point) {
    const auto& x = point.numbers;
    far = x[0];
    t = x[1];
    q_0 = x[2];
    c_min = x[3];
    const double leaving = std::sqrt(x[4]), reaching = std::sqrt(x[5]);
    u = (reaching * q_0 - leaving * c_min) / (leaving - reaching);
    K = x[4] * (c_min + u) * (c_min + u);
  }

  bool admissible() const {
    return far > 0 && far < hub && t > 0 && t < 40 && q_0 > 0.5 && q_0 < 1 && c_min > 0 && c_min < q_0 &&
           std::isfinite(K) && K > 0 && u > 0;
  }
};

struct Group {
  double value, count;
};

/// The weights of the movers, in groups of equal ones.
std::vector<Group> mover_weights(const Profile& m, long tokens) {
  std::vector<Group> result;
  const double boost = std::expm1(m.t);
  for (long i = 1; 2 * i - 1 < tokens; ++i) {
    const double above = 1 - static_cast<double>(2 * i - 1) / static_cast<double>(tokens);
    const double c = std::max(m.c_min, std::sqrt(m.K / above) - m.u);
    if (c >= m.q_0) break;
    const double weight = (m.q_0 / c - 1) / (boost * m.q_0);
    if (!result.empty() && result.back().value == weight)
      ++result.back().count;
    else
      result.push_back({weight, 1});
  }
  return result;
}

/// The column bound of theory/models, over hub and zero rows, far tokens, movers.
double squared_residual(std::vector<Group> values, const std::array<std::array<double, 3>, 3>& tokens) {
  double falling = -HUGE_VAL, level = falling, rising = falling;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) {
      const auto &a = tokens[i], &b = tokens[j];
      const double rest = std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]), sum = a[0] + b[0];
      falling = std::max(falling, (rest + sum) / 2);
      level = std::max(level, (rest + std::abs(a[0] - b[0])) / 2);
      rising = std::max(rising, (rest - sum) / 2);
    }
  // With no tokens of their own the bends of m are places like the others.
  for (const double bend : {falling - level, level - rising, (falling - rising) / 2})
    values.push_back({bend, 0});
  std::sort(values.begin(), values.end(), [](const Group& a, const Group& b) { return a.value < b.value; });
  double count = 0, sum = 0, count_below = 0, sum_below = 0, least = HUGE_VAL;
  for (const Group& v : values) {
    count += v.count;
    sum += v.count * v.value;
  }
  for (const auto& [y, copies] : values) {
    const double s = y * count_below - sum_below + (sum - sum_below) - y * (count - count_below);
    least = std::min(least, s * std::max({falling - y, level, rising + y}));
    count_below += copies;
    sum_below += copies * y;
  }
  return least;
}

}  // namespace

Point first_movers() {
  return {{52, 10, 0.85, 0.2, 0.34, 0.14}, {1, 2, 3, 4, 5, 6}};
}

double mover_estimate(long tokens, const Point& point) {
  const Profile m(point);
  if (!m.admissible()) return -HUGE_VAL;
  const std::vector<Group> weights = mover_weights(m, tokens);
  double sum = 1, movers = 0;
  for (const Group& w : weights) {
    movers += w.count;
    sum += w.count * w.value;
  }
  const double zeros = static_cast<double>(tokens) - 3 - movers, boost = std::expm1(m.t);
  if (movers < 1 || zeros < 0) return -HUGE_VAL;
  const double far = std::exp(m.far - hub), hub_left = std::exp(-m.t / 2);
  sum += 2 * far + zeros * std::exp(-hub);
  const double far_sum = sum + far * boost + std::expm1(-m.t / 2);
  const double near = hub_left / far_sum, own = far * std::exp(m.t) / far_sum, other = far / far_sum;
  std::vector<Group> values{{1 / sum, zeros + 1}, {near, 2}};
  for (const Group& w : weights) values.push_back({1 / (sum + w.value * boost), w.count});
  const double bound = squared_residual(
      std::move(values), {{{1 / sum, far / sum, far / sum}, {near, own, other}, {near, other, own}}});
  return std::log2(std::sqrt(bound) / (4 * m.t));
}

SharperFamily movers(long tokens, const Point& point) {
  const Profile m(point);
  if (!m.admissible()) throw DomainError("no member of the family has these numbers");
  const auto exact = [](double value) {
    const double unit = std::pow(10, decimals);
    return Rational(std::llround(value * unit), std::llround(unit));
  };
  SharperFamily result = family({.tokens = tokens,
                                 .far = exact(m.far),
                                 .t = exact(m.t),
                                 .q_0 = exact(m.q_0),
                                 .c_min = exact(m.c_min),
                                 .K = exact(m.K),
                                 .u = exact(m.u)});
  if (result.mover_count() < 1 || result.zero_rows() < 0)
    throw DomainError("a member of the family needs movers, and no more tokens than there are");
  return result;
}

}  // namespace rankfall::verify
