#include "numerics/random.hpp"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "tests/support.hpp"

using namespace rankfall;

namespace {

using Words = std::array<std::uint64_t, 4>;

/// The definition, without ellipses and with a logarithm of 200 bits: v/u where v^2 <= -4 u^2 log u.
std::optional<double> deviate_by_definition(std::uint64_t first, std::uint64_t second) {
  const double u = std::ldexp(static_cast<double>((first >> 11) + 1), -53);
  const auto cell = static_cast<std::int64_t>(second >> 11) - (std::int64_t{1} << 52);
  const double centred = std::ldexp(static_cast<double>(cell) + 0.5, -53);
  const double v = 1.7156 * centred;
  mpfr_t left, right;
  mpfr_inits2(200, left, right, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(left, v, MPFR_RNDN);
  mpfr_sqr(left, left, MPFR_RNDN);
  mpfr_set_d(right, u, MPFR_RNDN);
  mpfr_log(right, right, MPFR_RNDN);
  mpfr_mul_d(right, right, u, MPFR_RNDN);
  mpfr_mul_d(right, right, u, MPFR_RNDN);
  mpfr_mul_si(right, right, -4, MPFR_RNDN);
  const bool inside = mpfr_lessequal_p(left, right) != 0;
  mpfr_clears(left, right, static_cast<mpfr_ptr>(nullptr));
  return inside ? std::optional(v / u) : std::nullopt;
}

double normal_by_definition(std::uint64_t seed, std::uint64_t block, std::uint64_t index) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const Words w = philox({index, (std::uint64_t{1} << 32) + attempt, block, 0}, {seed, 0});
    if (const auto x = deviate_by_definition(w[0], w[1])) return *x;
    if (const auto x = deviate_by_definition(w[2], w[3])) return *x;
  }
}

double normal_distribution(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

}  // namespace

TEST_CASE("philox gives the known answers of Random123") {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        Words{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        Words{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
  CHECK(philox({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
               {0x452821e638d01377, 0xbe5466cf34e90c6c}) ==
        Words{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6});
}

TEST_CASE("uniform and normal deviates have the bits of an independent program") {
  struct Golden {
    std::uint64_t seed, cell, block, matrix, index, uniform, normal;
  };
  // Python integers for Philox, mpmath at 60 digits for the acceptance region.
  const Golden golden[] = {
      {1, 0, 0, 0, 0, 0x3fe96fd4e899e337, 0xbff0d6ba64db743a},
      {1, 0, 0, 0, 1, 0x3fd36da89edd58a0, 0xbfee36250e14aece},
      {1, 0, 1, 0, 0, 0x3f9710ac17fc95c0, 0x3fe1d4e6cb3c24d8},
      {1, 0, 1, 3, 255, 0x3fbf44dba69f5f80, 0x3fe4df6bce398748},
      {~std::uint64_t{0}, 7, 12, 5, 1'000'000'000'000, 0x3fd00e907e228a0e, 0x3fa409cd5a04c780},
      {42, 1, 200, 31, 4095, 0x3fde80e06abfacd6, 0x3fe9302cde46de78},
  };
  for (const Golden& g : golden) {
    CAPTURE(g.index);
    const Stream stream(g.seed, g.cell, g.block, g.matrix);
    CHECK(std::bit_cast<std::uint64_t>(stream.uniform(g.index)) == g.uniform);
    CHECK(std::bit_cast<std::uint64_t>(stream.normal(g.index)) == g.normal);
  }
  CHECK(std::bit_cast<std::uint64_t>(Stream(3, 0, 0, 0).normal(6975)) == 0xc0113ade4546c5c0);  // far out
}

TEST_CASE("ellipses and series accept exactly what the definition accepts") {
  const Stream stream(11, 0, 5, 0);
  const std::uint64_t count = 20'000 * static_cast<std::uint64_t>(test::multiplier());
  std::uint64_t different = 0;
  for (std::uint64_t i = 0; i < count; ++i) different += stream.normal(i) != normal_by_definition(11, 5, i);
  CHECK(different == 0);
}

TEST_CASE("every coordinate of the key separates streams, and order does not matter") {
  const Stream streams[] = {{1, 0, 0, 0}, {2, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}};
  for (std::size_t a = 0; a < std::size(streams); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      CHECK(streams[a].normal(0) != streams[b].normal(0));
      CHECK(streams[a].uniform(0) != streams[b].uniform(0));
    }
  }
  std::vector<double> forward;
  for (std::uint64_t i = 0; i < 100; ++i) forward.push_back(streams[0].normal(i));
  for (std::uint64_t i = 100; i-- > 0;) CHECK(Stream(1, 0, 0, 0).normal(i) == forward[i]);
}

TEST_CASE("uniform deviates fill [0, 1) evenly") {
  const Stream stream(5, 0, 0, 0);
  const int count = 100'000 * test::multiplier();
  std::vector<int> bins(64);
  double sum = 0, correlation = 0;
  for (int i = 0; i < count; ++i) {
    const double u = stream.uniform(static_cast<std::uint64_t>(i));
    const bool admissible = u >= 0 && u < 1 && std::trunc(std::ldexp(u, 53)) == std::ldexp(u, 53);
    if (!admissible) FAIL("uniform(" << i << ") = " << u);
    ++bins[static_cast<std::size_t>(u * 64)];
    sum += u - 0.5;
    correlation += (u - 0.5) * stream.normal(static_cast<std::uint64_t>(i));
  }
  double chi_square = 0;
  for (const int observed : bins) chi_square += std::pow(observed - count / 64.0, 2) / (count / 64.0);
  CHECK(chi_square < 63 + 5 * std::sqrt(126.0));  // 63 degrees of freedom, five standard deviations
  CHECK(chi_square > 63 - 5 * std::sqrt(126.0));
  CHECK(std::fabs(sum) < 5 * std::sqrt(count / 12.0));
  CHECK(std::fabs(correlation) < 5 * std::sqrt(count / 12.0));  // uniform(i) and normal(i) share nothing
}

TEST_CASE("normal deviates have the moments and the distribution of the standard normal law") {
  const Stream stream(9, 0, 3, 2);
  const int count = 400'000 * test::multiplier();
  std::vector<int> bins(128);
  double moments[5] = {}, neighbours = 0, previous = 0;
  int beyond_3 = 0;
  for (int i = 0; i < count; ++i) {
    const double x = stream.normal(static_cast<std::uint64_t>(i));
    if (x == 0 || !(std::fabs(x) < 12.2)) FAIL("normal(" << i << ") = " << x);
    double power = x;
    for (int k = 1; k <= 4; ++k, power *= x) moments[k] += power;
    neighbours += x * previous;
    previous = x;
    beyond_3 += std::fabs(x) > 3;
    ++bins[static_cast<std::size_t>(normal_distribution(x) * 128)];
  }
  // Each sum lies within five of its standard deviations: var x^k = 1, 2, 15, 96 for k = 1..4.
  const double n = count;
  CHECK(std::fabs(moments[1]) < 5 * std::sqrt(n));
  CHECK(std::fabs(moments[2] - n) < 5 * std::sqrt(2 * n));
  CHECK(std::fabs(moments[3]) < 5 * std::sqrt(15 * n));
  CHECK(std::fabs(moments[4] - 3 * n) < 5 * std::sqrt(96 * n));
  CHECK(std::fabs(neighbours) < 5 * std::sqrt(n));
  const double tail = 2 * normal_distribution(-3);
  CHECK(std::fabs(beyond_3 - tail * n) < 5 * std::sqrt(tail * n));
  double chi_square = 0;
  for (const int observed : bins) chi_square += std::pow(observed - n / 128, 2) / (n / 128);
  CHECK(chi_square < 127 + 5 * std::sqrt(254.0));  // 127 degrees of freedom
  CHECK(chi_square > 127 - 5 * std::sqrt(254.0));
}
