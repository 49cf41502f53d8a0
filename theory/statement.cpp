#include "theory/statement.hpp"

#include "numerics/errors.hpp"

namespace rankfall::theory {

std::string name(Status status) {
  switch (status) {
    case Status::proved:
      return "proved";
    case Status::refuted:
      return "refuted";
    case Status::open:
      return "open";
  }
  return {};
}

std::string name(Quantity quantity) {
  switch (quantity) {
    case Quantity::residual:
      return "residual";
    case Quantity::residual_about:
      return "residual-about-reference";
    case Quantity::composite_diameter:
      return "composite-diameter";
    case Quantity::diameter_1:
      return "diameter-1";
    case Quantity::diameter_2:
      return "diameter-2";
    case Quantity::diameter_inf:
      return "diameter-inf";
    case Quantity::first_difference:
      return "first-difference";
    case Quantity::spread_1:
      return "spread-from-first-1";
    case Quantity::spread_2:
      return "spread-from-first-2";
    case Quantity::spread_inf:
      return "spread-from-first-inf";
    case Quantity::oscillation:
      return "oscillation";
    case Quantity::attention:
      return "attention-entries";
    case Quantity::entries:
      return "residual-entries";
    case Quantity::beyond_leading_order_1:
      return "beyond-leading-order-1";
    case Quantity::beyond_leading_order_2:
      return "beyond-leading-order-2";
    case Quantity::beyond_leading_order_inf:
      return "beyond-leading-order-inf";
    case Quantity::column_oscillation:
      return "column-oscillation";
  }
  return {};
}

std::string name(Feature feature) {
  switch (feature) {
    case Feature::none:
      return "nothing";
    case Feature::token_norm:
      return "token normalisation after the attention";
    case Feature::column_norm:
      return "column normalisation after the attention";
    case Feature::token_pre_norm:
      return "token normalisation before the attention";
    case Feature::causal_mask:
      return "a causal mask";
  }
  return {};
}

std::string name(const Gamma& gamma) {
  switch (gamma.kind) {
    case Gamma::Kind::one:
      return "one";
    case Gamma::Kind::sum_max:
      return "sum-max";
    case Gamma::Kind::max_ratio:
      return "max-ratio";
    case Gamma::Kind::fixed:
      return "fixed:" + to_text(gamma.value);
    case Gamma::Kind::implied:
      return "implied";
  }
  return {};
}

Gamma parse_gamma(std::string_view text) {
  for (const auto kind :
       {Gamma::Kind::one, Gamma::Kind::sum_max, Gamma::Kind::max_ratio, Gamma::Kind::implied})
    if (text == name(Gamma{kind, 1})) return Gamma{kind, 1};
  constexpr std::string_view fixed = "fixed:";
  if (text.starts_with(fixed)) {
    const Rational value = parse_number(text.substr(fixed.size()));
    if (value <= 0) throw InputError("gamma " + std::string(text) + ": the value must be above 0");
    return Gamma{Gamma::Kind::fixed, value};
  }
  throw InputError("unknown gamma '" + std::string(text) +
                   "': allowed are one, sum-max, max-ratio, fixed:VALUE and implied");
}

Status Statement::status_with(const Gamma& gamma) const {
  if (!uses_gamma || status != Status::proved) return status;
  switch (gamma.kind) {
    case Gamma::Kind::sum_max:
    case Gamma::Kind::max_ratio:
      return status;
    case Gamma::Kind::one:
    case Gamma::Kind::fixed:
      return Status::refuted;
    case Gamma::Kind::implied:
      return Status::open;
  }
  return status;
}

bool certified(const Constant& constant, Precision p) {
  return !constant.stand_in || certainly_less(Ball(*constant.stand_in, p), constant.enclose(p));
}

Expression chained(const Expression& layer_constant, const Expression& start) {
  const Expression L = sym("L"), l = sym("l");
  return prod("l", 0, L - 1, pow(layer_constant, pow(3, L - 1 - l))) * pow(start, pow(3, L));
}

}  // namespace rankfall::theory
