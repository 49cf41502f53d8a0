#include "verify/report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankfall::verify {
namespace {

constexpr Precision plotting(64);

std::string power_of_ten(long exponent) {
  if (exponent == 0) return "1";
  return fmt::format("10^{{{}{}}}", exponent < 0 ? "\u2212" : "", std::abs(exponent));
}

/// 10^(sign 10^k)
std::string tower(int sign, long k) {
  const char* minus = sign < 0 ? "\u2212" : "";
  if (k <= 2) return fmt::format("10^{{{}{}}}", minus, k == 0 ? 1 : (k == 1 ? 10 : 100));
  return fmt::format("10^{{{}10^{{{}}}}}", minus, k);
}

long step_for(long count, std::size_t most) {
  return count / static_cast<long>(std::max<std::size_t>(most, 1)) + 1;
}

}  // namespace

double tower_height(const Ball& v) {
  if (!is_finite(v)) return std::numeric_limits<double>::quiet_NaN();
  const Ball middle = midpoint(v);
  const Ball height =
      div(log(add(Ball(1), abs(middle), plotting), plotting), log(Ball(10), plotting), plotting);
  return certainly_negative(middle) ? -to_double(height) : to_double(height);
}

double decade_height(const Ball& number) {
  if (!is_finite(number) || !certainly_positive(number)) return std::numeric_limits<double>::quiet_NaN();
  return to_double(div(log(number, plotting), log(Ball(10), plotting), plotting));
}

std::vector<Tick> tower_ticks(double low, double high, std::size_t most) {
  std::vector<Tick> ticks;
  const double reach = std::max(std::abs(low), std::abs(high));
  const long step = step_for(static_cast<long>(std::floor(high) - std::ceil(low)), most - 1);
  if (low <= 0 && high >= 0) ticks.push_back({0, "1"});
  for (long k = 0; k <= static_cast<long>(reach); k += step)
    for (const int sign : {-1, 1}) {
      const double position = sign * tower_height(Ball(power(Integer(10), static_cast<unsigned long>(k))));
      if (position >= low && position <= high) ticks.push_back({position, tower(sign, k)});
    }
  return ticks;
}

std::vector<Tick> decade_ticks(double low, double high, std::size_t most) {
  std::vector<Tick> ticks;
  const long first = static_cast<long>(std::ceil(low)), last = static_cast<long>(std::floor(high));
  const long step = step_for(last - first, most - 1);
  for (long exponent = last; exponent >= first; exponent -= step)
    ticks.push_back({static_cast<double>(exponent), power_of_ten(exponent)});
  return ticks;
}

}  // namespace rankfall::verify
