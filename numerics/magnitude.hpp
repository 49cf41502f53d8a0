#pragma once
#include "numerics/ball.hpp"

namespace rankfall {

/// A real number carried as a sign and an enclosure of log2|x|, for values like 10^-(3^400) that no exponent
/// range holds. When the sign is not known only an upper bound of |x| is kept. Every operation encloses.
class Magnitude {
 public:
  enum class Sign { negative = -1, zero = 0, positive = 1, unknown = 2 };

  Magnitude() = default;  ///< exactly zero
  /// Encloses the ball times 2^exponent.
  Magnitude(const Ball& mantissa, const Integer& exponent, Precision p);
  Magnitude(const Ball& value, Precision p);
  Magnitude(const Rational& value, Precision p);
  /// 2^log2 with the given sign (positive, negative, or unknown: |x| <= 2^upper end).
  static Magnitude from_log2(const Ball& log2, Sign sign = Sign::positive);

  Sign sign() const { return sign_; }
  bool is_zero() const { return sign_ == Sign::zero; }
  bool certainly_positive() const { return sign_ == Sign::positive; }
  /// Enclosure of log2|x|. When the sign is unknown only its upper end means anything; throws DomainError for
  /// zero.
  const Ball& log2() const;
  /// Enclosure of log10|x|, under the same conditions.
  Ball log10(Precision p) const;
  /// As a ball, when |log2| is below 2^60, or |x| when the sign is unknown (throws DomainError otherwise).
  Ball to_ball(Precision p) const;

 private:
  Sign sign_ = Sign::zero;
  Ball log2_;
};

Magnitude add(const Magnitude& a, const Magnitude& b, Precision p);
Magnitude sub(const Magnitude& a, const Magnitude& b, Precision p);
Magnitude mul(const Magnitude& a, const Magnitude& b, Precision p);
/// Throws DomainError when b may be zero.
Magnitude div(const Magnitude& a, const Magnitude& b, Precision p);
Magnitude neg(const Magnitude& a);
Magnitude abs(const Magnitude& a);
Magnitude sqrt(const Magnitude& a, Precision p);
Magnitude exp(const Magnitude& a, Precision p);
/// Throws DomainError unless a is certainly positive.
Magnitude log(const Magnitude& a, Precision p);
Magnitude tanh(const Magnitude& a, Precision p);
Magnitude max(const Magnitude& a, const Magnitude& b, Precision p);
Magnitude min(const Magnitude& a, const Magnitude& b, Precision p);
/// a^exponent: any exponent for a >= 0 (0^0 = 1), integers otherwise; throws DomainError where undefined.
Magnitude power(const Magnitude& a, const Rational& exponent, Precision p);
/// a^b for a certainly positive.
Magnitude power(const Magnitude& a, const Magnitude& exponent, Precision p);

/// For every choice of points.
bool certainly_less(const Magnitude& a, const Magnitude& b);
bool certainly_less_equal(const Magnitude& a, const Magnitude& b);
bool overlap(const Magnitude& a, const Magnitude& b);
/// Encloses both. Of unlike signs only an upper bound of |x| remains.
Magnitude hull(const Magnitude& a, const Magnitude& b, Precision p);

}  // namespace rankfall
