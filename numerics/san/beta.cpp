#include "numerics/san/beta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/norms.hpp"
#include "numerics/product.hpp"
#include "numerics/product_norms.hpp"

namespace rankfall {
namespace {

constexpr Precision precision(128);
constexpr long tolerance_bits = 40;
constexpr long max_decimal_exponent = 10'000;

Rational checked(const Rational& beta) {
  const Rational largest = power(Rational(10), max_decimal_exponent);
  if (beta > 0 && beta <= largest && beta * largest >= 1) return beta;
  throw InputError(fmt::format("beta = {} is not allowed; it must be positive, from 1e-{} to 1e{}",
                               abbreviated(to_text(beta)), max_decimal_exponent, max_decimal_exponent));
}

/// beta by a pass in doubles, rigorous but wider than in balls.
Ball quick_beta(const DrawnHead& head) {
  const ProductNorms scores = product_norms(head.W_Q, head.W_K.transpose());
  const ProductNorms values = product_norms(head.W_V, head.W_O);
  return mul(scores.one, sqrt(mul(values.one, values.inf, precision), precision), precision);
}

/// beta, certified as tightly as needed to tell whether it meets the target.
Ball reduced_beta(const DrawnHead& head, const BetaTarget& target) {
  const Ball quick = quick_beta(head);
  return target.met_by(quick) ? quick : beta(exact(head), precision);
}

/// 2^exponent * mantissa. Shifts, because a rational product would look for common factors of long numbers.
Rational dyadic(double mantissa, long exponent) {
  Rational result(mantissa);
  mpq_ptr raw = result.backend().data();
  if (exponent < 0)
    mpq_div_2exp(raw, raw, static_cast<mp_bitcnt_t>(-exponent));
  else
    mpq_mul_2exp(raw, raw, static_cast<mp_bitcnt_t>(exponent));
  return result;
}

/// 2^exponent * a, exactly.
ExactMatrix shifted(const Matrix<double>& a, long exponent) {
  const auto shift = [exponent](double entry) { return std::scalbln(entry, exponent); };
  const bool normal = std::all_of(a.data(), a.data() + a.size(), [&](double entry) {
    return entry == 0 || std::fpclassify(shift(entry)) == FP_NORMAL;
  });
  if (normal) return exact(Matrix<double>(a.unaryExpr(shift)));
  std::vector<Rational> entries;
  entries.reserve(static_cast<std::size_t>(a.size()));
  for (Index i = 0; i < a.size(); ++i) entries.push_back(dyadic(a.data()[i], exponent));
  return ExactMatrix::from(a.rows(), a.cols(), std::move(entries));
}

}  // namespace

Ball beta(const Head& head, Precision p) {
  const BallMatrix scores = head.fused
                                ? head.W_QK.balls(p)
                                : product(head.W_Q.balls(p), BallMatrix(head.W_K.balls(p).transpose()), p);
  const BallMatrix values = head.fused         ? head.W.balls(p)
                            : head.W_O.empty() ? head.W_V.balls(p)
                                               : product(head.W_V.balls(p), head.W_O.balls(p), p);
  return mul(norm_1(scores, p), composite_norm(values, p), p);
}

BetaTarget::BetaTarget(const Rational& beta) {
  const Ball upper(checked(beta), precision);
  const Ball lower = sub(upper, scale(upper, -tolerance_bits), precision);
  const Ball aim = scale(add(lower, upper, precision), -1);
  exponent_ = static_cast<long>(binary_exponent(aim)) / 2;
  lower_ = scale(lower, -2 * exponent_);
  upper_ = scale(upper, -2 * exponent_);
  aim_ = scale(aim, -2 * exponent_);
}

bool BetaTarget::met_by(const Ball& reduced_beta) const {
  return certainly_less_equal(lower_, reduced_beta) && certainly_less_equal(reduced_beta, upper_);
}

Head scaled(const DrawnHead& drawn, const BetaTarget& target, std::string_view place) {
  const double start = to_double(quick_beta(drawn));
  if (!(start > 0))
    throw DomainError(fmt::format("{}: W_Q W_K^T or W_V W_O is 0, so beta cannot be scaled", place));
  double query = std::sqrt(to_double(target.reduced_aim()) / start), value = query;
  DrawnHead head = drawn;
  head.W_Q = query * drawn.W_Q;
  head.W_V = value * drawn.W_V;
  Ball reached = reduced_beta(head, target);
  // Rounding the entries moves beta by far less than the tolerance unless a product cancels; the other matrix
  // then takes up the difference.
  for (int attempt = 0; attempt < 2 && !target.met_by(reached) && certainly_positive(reached); ++attempt) {
    const double correction = to_double(div(target.reduced_aim(), reached, precision));
    if (attempt == 0)
      head.W_V = (value *= correction) * drawn.W_V;
    else
      head.W_Q = (query *= correction) * drawn.W_Q;
    reached = reduced_beta(head, target);
  }
  if (!target.met_by(reached)) {
    const Ball off = sub(div(reached, target.reduced_aim(), precision), Ball(1), precision);
    throw PrecisionLimit(
        fmt::format("{}: after scaling beta is off its target by the factor 1 + [{}, {}], allowed is 1 +- "
                    "2^-{}; W_Q W_K^T and "
                    "W_V W_O cancel too much for weights of 53 bits",
                    place, lower_text(off, 6), upper_text(off, 6), tolerance_bits + 1));
  }
  Head result = exact(head);
  result.W_Q = shifted(head.W_Q, target.exponent());
  result.W_V = shifted(head.W_V, target.exponent());
  return result;
}

}  // namespace rankfall
