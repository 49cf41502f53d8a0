#include "verify/witness.hpp"

#include <fmt/format.h>

#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

bool is_zero_logarithm(const Real& log10) {
  return isinf(log10) && log10 < 0;
}

void confirm_one(std::size_t state, const std::string& measure, const Magnitude& certified, const Real& log10,
                 int digits) {
  bool consistent = false;
  if (is_zero_logarithm(log10))
    consistent = !certified.certainly_positive();
  else if (certified.certainly_positive())
    consistent = overlap(certified.log10(Precision(128 + 4L * digits)), agreed(log10, digits));
  else  // the enclosure reaches zero: only its upper end can be held against the witness
    consistent = !certified.is_zero() &&
                 !certainly_less(certified.log10(Precision(128 + 4L * digits)), agreed(log10, digits));
  if (consistent) return;
  const EnclosureText enclosure = log10_text(certified, digits);
  throw Disagreement(
      fmt::format("the engines disagree: state {}, {}: the residual engine encloses log10 in [{}, {}], the "
                  "direct evaluation gives {}",
                  state, measure, enclosure.low, enclosure.high, log10.str(digits + 3)));
}

/// Encloses 10^log10 where the digits are right.
Magnitude magnitude(const Real& log10, int digits) {
  if (is_zero_logarithm(log10)) return {};
  const Precision p(128 + 4L * digits);
  Ball factor = log2(Ball(10), p);
  return Magnitude::from_log2(mul(agreed(log10, digits), factor, p));
}

}  // namespace

void confirm(const CheckResult& certified, const DirectEvaluation& witness) {
  for (std::size_t k = 0; k < certified.states.size(); ++k) {
    const StateMeasures& a = certified.states[k];
    const DirectMeasures<Real>& b = witness.states[k];
    const auto one = [&](const std::string& measure, const Magnitude& mine, const Real& theirs) {
      confirm_one(k, measure, mine, theirs, witness.digits);
    };
    one("norm", a.norm, b.norm);
    one("mean residual", a.residual[0], b.mean);
    one("median residual", a.residual[1], b.median);
    one("midrange residual", a.residual[2], b.midrange);
    one("1-diameter", a.diameter[0], b.diam_1);
    one("2-diameter", a.diameter[1], b.diam_2);
    one("inf-diameter", a.diameter[2], b.diam_inf);
    one("composite diameter", a.composite_diameter, b.diam_composite);
  }
}

CheckResult states_of(const Network& network, const DirectEvaluation& witness) {
  CheckResult result;
  result.describe(network);
  result.bits = witness.bits;
  for (const DirectMeasures<Real>& state : witness.states) {
    const auto of = [&](const Real& log10) { return magnitude(log10, witness.digits); };
    StateMeasures m;
    m.norm = of(state.norm);
    m.residual = {of(state.mean), of(state.median), of(state.midrange)};
    const Precision p(128);
    m.minimal.upper = min(min(m.residual[0], m.residual[1], p), m.residual[2], p);
    m.diameter = {of(state.diam_1), of(state.diam_2), of(state.diam_inf)};
    m.composite_diameter = of(state.diam_composite);
    m.has_relative = m.norm.certainly_positive();
    if (m.has_relative) m.relative = div(m.residual[0], m.norm, Precision(128 + 4L * witness.digits));
    result.states.push_back(std::move(m));
  }
  return result;
}

}  // namespace rankfall::verify
