#include "numerics/san/arithmetics.hpp"

#include <fmt/format.h>

#include "numerics/errors.hpp"
#include "numerics/san/arithmetic_binary.hpp"
#include "numerics/san/arithmetic_double_double.hpp"
#include "numerics/san/arithmetic_interval.hpp"
#include "numerics/san/arithmetic_narrow.hpp"
#include "numerics/san/arithmetic_real.hpp"
#include "numerics/san/naive.hpp"
#include "numerics/san/recursion.hpp"

namespace rankfall {
namespace {

Ball exactly(double value) {
  return Ball(value);
}
Ball exactly(long double value) {
  const auto head = static_cast<double>(value);
  return std::isfinite(head) ? add(Ball(head), Ball(static_cast<double>(value - head)), Precision(128))
                             : Ball(head);
}
Ball exactly(const BFloat16& value) {
  return Ball(static_cast<double>(value.value));
}
Ball exactly(const DoubleDouble& value) {
  return add(Ball(value.high), Ball(value.low), Precision(2200));
}
Ball exactly(const Quadruple& value) {
  if (!(boost::multiprecision::isfinite)(value)) return Ball(std::nan(""));
  Ball result;
  Quadruple left = value;
  for (int part = 0; part < 4 && left != 0; ++part) {  // in doubles, each near 1 so that none underflows
    const int exponent = boost::multiprecision::ilogb(left);
    const auto digits = boost::multiprecision::ldexp(left, -exponent).convert_to<double>();
    result = add(result, scale(Ball(digits), static_cast<long>(exponent)), Precision(512));
    left -= boost::multiprecision::ldexp(Quadruple(digits), exponent);
  }
  return result;
}
Ball exactly(const Real& value) {
  return mpfr_number_p(value.backend().data()) ? to_ball(value) : Ball(std::nan(""));
}
Ball exactly(const Interval& value) {
  const mpfr_srcptr low = Arithmetic<Interval>::low(value), high = Arithmetic<Interval>::high(value);
  if (!mpfr_number_p(low) || !mpfr_number_p(high)) return Ball(std::nan(""));
  Ball result;
  arb_set_interval_mpfr(result.raw(), low, high, current_bits() + 64);
  return result;
}
Ball exactly(const Ball& value) {
  return value;
}

std::optional<Magnitude> seen(const Ball& diameter, const Integer& exponent) {
  if (!is_finite(diameter)) return std::nullopt;
  return Magnitude(abs(diameter), exponent, Precision(128));
}

template <class Scalar>
std::vector<std::optional<Magnitude>> diameters(const Network& network, Form form,
                                                Arithmetic<Scalar> arithmetic) {
  const Naive<Scalar> naive(arithmetic);
  std::vector<std::optional<Magnitude>> result;
  if (form == Form::residual) {
    Recursion<Scalar> recursion(arithmetic);
    RecursionState<Scalar> state = recursion.input(network.input);
    result.push_back(seen(exactly(naive.composite_diameter(state.residual)), state.exponent));
    for (const Block& block : network.blocks) {
      recursion.apply(recursion.layer(std::get<AttentionBlock>(block)), state);
      result.push_back(seen(exactly(naive.composite_diameter(state.residual)), state.exponent));
    }
    return result;
  }
  Matrix<Scalar> X = naive.rounded(network.input);
  result.push_back(seen(exactly(naive.composite_diameter(X)), 0));
  for (const Block& block : network.blocks) {
    X = naive.apply(std::get<AttentionBlock>(block), X);
    result.push_back(seen(exactly(naive.composite_diameter(X)), 0));
  }
  return result;
}

template <class Scalar>
NumberKind fixed(const char* name, long bits) {
  return {name, bits, false, [](const Network& network, Form form) {
            return diameters<Scalar>(network, form, Arithmetic<Scalar>());
          }};
}

}  // namespace

std::string name(Form form) {
  return form == Form::naive ? "naive" : "residual";
}

NumberKind mpfr_kind(long bits) {
  const auto actual_bits = [bits] {
    const PrecisionScope scope{Precision(bits)};
    return current_bits();
  };
  return {"mpfr", actual_bits(), false, [bits](const Network& network, Form form) {
            const PrecisionScope scope{Precision(bits)};
            return diameters<Real>(network, form, Arithmetic<Real>());
          }};
}

NumberKind mpfi_kind(long bits) {
  return {"mpfi", mpfr_kind(bits).bits, true, [bits](const Network& network, Form form) {
            const IntervalScope scope{Precision(bits)};
            return diameters<Interval>(network, form, Arithmetic<Interval>());
          }};
}

NumberKind ball_kind(long bits) {
  return {"ball", bits, true, [bits](const Network& network, Form form) {
            return diameters<Ball>(network, form, Arithmetic<Ball>(Precision(bits)));
          }};
}

std::vector<NumberKind> number_kinds(const std::vector<long>& bits) {
  std::vector<NumberKind> result = {fixed<BFloat16>("bf16", 8),
                                    fixed<float>("float32", 24),
                                    fixed<double>("double", 53),
                                    fixed<long double>("long double", 64),
                                    fixed<DoubleDouble>("double-double", 106),
                                    fixed<Quadruple>("cpp_bin_float", 113)};
  for (const long b : bits) result.push_back(mpfr_kind(b));
  for (const long b : bits) result.push_back(mpfi_kind(b));
  for (const long b : bits) result.push_back(ball_kind(b));
  return result;
}

void require_plain_attention(const Network& network) {
  validate(network);
  for (std::size_t k = 0; k < network.blocks.size(); ++k) {
    const auto* attention = std::get_if<AttentionBlock>(&network.blocks[k]);
    if (attention == nullptr || !is_plain(*attention))
      throw InputError(fmt::format(
          "blocks[{}]: found {}; only attention without mask, pre_norm and score biases "
          "can be evaluated in any arithmetic",
          k, attention ? "attention with one of them" : "a block of kind " + kind(network.blocks[k])));
  }
}

}  // namespace rankfall
