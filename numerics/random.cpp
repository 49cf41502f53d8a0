#include "numerics/random.hpp"

#include <Random123/philox.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <optional>

// The deviates are promised bit for bit, so each operation below must be the IEEE one, rounded once to
// double.
static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0);

namespace rankfall {
namespace {

constexpr double two_to_minus_53 = 0x1p-53;

/// In (0, 1].
double positive_uniform(std::uint64_t word) {
  return static_cast<double>((word >> 11) + 1) * two_to_minus_53;
}

/// In (-1/2, 1/2): odd multiples of 2^-54, so symmetric about zero and never zero.
double centred_uniform(std::uint64_t word) {
  const auto odd = static_cast<std::int64_t>((word >> 11) * 2 + 1) - (std::int64_t{1} << 53);
  return static_cast<double>(odd) * 0x1p-54;
}

/// log(x) for x in (0, 1], within a few units in the last place, by the series of 2 artanh((m-1)/(m+1)).
double logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;  // below 0.0295: eleven terms reach 2^-56
  double sum = 0;
  for (int k = 21; k >= 3; k -= 2) sum = (sum + 1.0 / k) * z;
  return exponent * 0.69314718055994531 + 2 * (s + s * sum);
}

/// Ratio of uniforms: the deviate v/u if (u, v) lies in v^2 <= -4 u^2 log u. Leva's two ellipses (ACM TOMS
/// 18, 1992) lie inside and outside of that region and settle 99 of 100 points without the logarithm.
std::optional<double> ratio_of_uniforms(std::uint64_t first, std::uint64_t second) {
  const double u = positive_uniform(first);
  const double v = 1.7156 * centred_uniform(second);  // 1.7156 > 2 sqrt(2/e), the height of the region
  const double x = u - 0.449871;
  const double y = std::fabs(v) + 0.386595;
  const double q = x * x + y * (0.19600 * y - 0.25472 * x);
  if (q > 0.27846) return std::nullopt;
  if (q >= 0.27597 && v * v > -4 * (u * u) * logarithm(u)) return std::nullopt;
  return v / u;
}

}  // namespace

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  const r123::Philox4x64::ctr_type in{{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x64::ctr_type out = r123::Philox4x64{}(in, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

std::array<std::uint64_t, 4> Stream::bits(Kind kind, std::uint64_t index, std::uint64_t attempt) const {
  return philox({index, static_cast<std::uint64_t>(kind) << 32 | attempt, block_, matrix_}, {seed_, cell_});
}

double Stream::uniform(std::uint64_t index) const {
  return static_cast<double>(bits(Kind::uniform, index, 0)[0] >> 11) * two_to_minus_53;
}

double Stream::normal(std::uint64_t index) const {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const auto words = bits(Kind::normal, index, attempt);
    if (const auto deviate = ratio_of_uniforms(words[0], words[1])) return *deviate;
    if (const auto deviate = ratio_of_uniforms(words[2], words[3])) return *deviate;
  }
}

}  // namespace rankfall
