#pragma once
#include <algorithm>
#include <boost/multiprecision/eigen.hpp>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "numerics/ball.hpp"
#include "numerics/exact.hpp"
#include "numerics/flint_integer.hpp"
#include "numerics/matrix.hpp"
#include "numerics/random.hpp"

/// Exact rationals as the judge of enclosures: what a ball holds, and functions in rational arithmetic that
/// owe nothing to Arb.
namespace rankfall::test {

/// base 2; the exponent may be negative.
inline Rational two_to(long exponent) {
  return power(Rational(2), exponent);
}

inline Rational exact(const arf_struct* value) {
  fmpz_t mantissa, exponent;
  fmpz_init(mantissa);
  fmpz_init(exponent);
  arf_get_fmpz_2exp(mantissa, exponent, value);
  Rational result = Rational(to_integer(mantissa)) * two_to(fmpz_get_si(exponent));
  fmpz_clear(mantissa);
  fmpz_clear(exponent);
  return result;
}

/// The closed interval [low, high].
struct Interval {
  Rational low, high;
};

/// The set a finite ball of moderate exponent stands for.
inline Interval ends(const Ball& a) {
  arf_t radius;
  arf_init(radius);
  arf_set_mag(radius, arb_radref(a.raw()));
  const Rational middle = exact(arb_midref(a.raw())), reach = exact(radius);
  arf_clear(radius);
  return {middle - reach, middle + reach};
}

/// Whether the ball holds the point, decided in rationals.
inline bool holds(const Ball& a, const Rational& point) {
  if (!is_finite(a)) return true;
  const Interval set = ends(a);
  return set.low <= point && point <= set.high;
}

/// Whether the ball may hold the number that lies in `value`: as sharp as `value` is narrow.
inline bool holds(const Ball& a, const Interval& value) {
  if (!is_finite(a)) return true;
  const Interval set = ends(a);
  return set.low <= value.high && value.low <= set.high;
}

inline Rational middle(const Interval& value) {
  return Rational((value.low + value.high) / 2);
}

/// Functions below are known to about 2^-oracle_bits, relative (log: absolute).
constexpr long oracle_bits = 400;

/// floor(x 2^bits).
inline Integer fixed_point(const Rational& x, long bits) {
  const Rational scaled = x * two_to(bits);
  Integer result;
  mpz_fdiv_q(result.backend().data(), mpq_numref(scaled.backend().data()),
             mpq_denref(scaled.backend().data()));
  return result;
}

/// value 2^-bits, give or take `units`.
inline Interval from_fixed_point(const Integer& value, long units, long bits) {
  return {Rational(Rational(value - units) * two_to(-bits)),
          Rational(Rational(value + units) * two_to(-bits))};
}

/// e^x by Taylor's sum in fixed point, after halving x until it is below 2^-8, and squaring back.
inline Interval exp_of(const Rational& x) {
  long halvings = 0;
  while (abs(x) > two_to(halvings - 8)) ++halvings;
  const long bits = oracle_bits + 40 + 4 * halvings;
  const Integer t = fixed_point(Rational(x * two_to(-halvings)), bits);
  Integer sum = Integer(1) << static_cast<unsigned>(bits), term = sum;
  long k = 0;
  while (term != 0 && term != -1) {  // shifts round down
    term = ((term * t) >> static_cast<unsigned>(bits)) / ++k;
    sum += term;
  }
  Rational low = Rational(sum - 4 * k) * two_to(-bits), high = Rational(sum + 4 * k) * two_to(-bits);
  for (; halvings > 0; --halvings) {
    low *= low;
    high *= high;
    const long size = static_cast<long>(msb(numerator(high))) - static_cast<long>(msb(denominator(high)));
    low = Rational(fixed_point(low, bits - size)) * two_to(size - bits);
    high = Rational(fixed_point(high, bits - size) + 1) * two_to(size - bits);
  }
  return {low, high};
}

/// log x for x > 0: k log 2 + 2 atanh((m-1)/(m+1)), m in [2/3, 4/3), by the series of atanh in fixed point.
inline Interval log_of(const Rational& x) {
  constexpr long bits = oracle_bits + 60;
  const auto twice_atanh = [](const Rational& ratio) {
    const Integer t = fixed_point(ratio, bits);
    Integer sum = 0, power_of_t = t;
    for (long k = 1; power_of_t != 0 && power_of_t != -1; k += 2) {
      sum += power_of_t / k;
      power_of_t = (((power_of_t * t) >> static_cast<unsigned>(bits)) * t) >> static_cast<unsigned>(bits);
    }
    return Integer(2 * sum);
  };
  static const Integer log_2 = twice_atanh(Rational(1, 3));
  long k = static_cast<long>(msb(numerator(x))) - static_cast<long>(msb(denominator(x)));
  Rational m = x / two_to(k);
  if (m >= Rational(4, 3)) {
    m /= 2;
    ++k;
  }
  const Integer value = k * log_2 + twice_atanh(Rational((m - 1) / (m + 1)));
  return from_fixed_point(value, 2000 * (std::labs(k) + 1), bits);
}

inline Interval log2_of(const Rational& x) {
  static const Interval log_2 = log_of(2);
  const Rational value = middle(log_of(x)) / middle(log_2);
  const Rational slack = (abs(value) + 1) * two_to(-oracle_bits);
  return {Rational(value - slack), Rational(value + slack)};
}

/// tanh x = 1 - 2/(e^(2x) + 1), accurate relative to x as long as x is not below 2^-100.
inline Interval tanh_of(const Rational& x) {
  const Interval e = exp_of(Rational(2 * x));
  return {Rational(1 - 2 / (e.low + 1)), Rational(1 - 2 / (e.high + 1))};
}

/// sqrt x for x >= 0, by integers.
inline Interval sqrt_of(const Rational& x) {
  if (x == 0) return {0, 0};
  const long size = static_cast<long>(msb(numerator(x))) - static_cast<long>(msb(denominator(x)));
  const long shift = oracle_bits - size / 2;
  const Rational scaled = x * two_to(2 * shift);
  Integer root = numerator(scaled) / denominator(scaled);
  root = sqrt(root);
  return {Rational(Rational(root) * two_to(-shift)), Rational(Rational(root + 1) * two_to(-shift))};
}

/// Reproducible test data.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed, 0, 0, 0) {}

  double uniform() { return stream_.uniform(next_++); }
  double normal() { return stream_.normal(next_++); }
  /// Between low and high, both included.
  long integer(long low, long high) {
    return low + static_cast<long>(uniform() * static_cast<double>(high - low + 1));
  }
  bool coin() { return uniform() < 0.5; }
  /// A fraction of integers of up to 2^bits, both signs.
  Rational fraction(long bits = 20) {
    const long top = (1L << bits) - 1;
    return Rational(integer(-top, top), integer(1, top));
  }
  /// k / 2^12 with |k| <= 2^14.
  Rational dyadic() { return Rational(integer(-16384, 16384), 4096); }
  /// An inexact ball about a random fraction times 2^(up to spread), relative radius about 2^-accuracy.
  Ball ball(long accuracy, long spread = 20) {
    const Rational centre = fraction() * two_to(integer(-spread, spread));
    Ball result(centre, Precision(60));
    const Rational radius = abs(centre) * two_to(-accuracy);
    arb_add_error(result.raw(), Ball(radius, Precision(30)).raw());
    return result;
  }

 private:
  Stream stream_;
  std::uint64_t next_ = 0;
};

/// The ends of a, its middle, and points between.
inline std::vector<Rational> points_of(const Ball& a, Draws& draws, int inner = 2) {
  const Interval set = ends(a);
  std::vector<Rational> points{set.low, set.high, middle(set)};
  for (int i = 0; i < inner; ++i)
    points.push_back(Rational(set.low + (set.high - set.low) * Rational(draws.integer(0, 1000), 1000)));
  return points;
}

inline Matrix<Rational> random_matrix(Index rows, Index cols, Draws& draws, long bits = 8) {
  Matrix<Rational> result(rows, cols);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = draws.fraction(bits);
  return result;
}

/// An exactly orthogonal rational matrix: a product of rotations with rational sine and cosine.
inline Matrix<Rational> rational_rotation(Index n, Draws& draws) {
  Matrix<Rational> Q = Matrix<Rational>::Constant(n, n, Rational(0));
  for (Index i = 0; i < n; ++i) Q(i, i) = 1;
  for (Index i = 0; i + 1 < n; ++i) {
    const Rational t(draws.integer(-9, 9), draws.integer(1, 9));
    const Rational c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    for (Index k = 0; k < n; ++k) {
      const Rational x = Q(k, i), y = Q(k, i + 1);
      Q(k, i) = c * x - s * y;
      Q(k, i + 1) = s * x + c * y;
    }
  }
  return Q;
}

inline BallMatrix balls(const Matrix<Rational>& exact_values, Precision p) {
  BallMatrix result(exact_values.rows(), exact_values.cols());
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = Ball(exact_values.data()[i], p);
  return result;
}

inline ExactMatrix exact_matrix(const Matrix<Rational>& values) {
  return ExactMatrix::from(values.rows(), values.cols(),
                           std::vector<Rational>(values.data(), values.data() + values.size()));
}

}  // namespace rankfall::test
