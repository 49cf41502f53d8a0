#include "verify/precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "numerics/errors.hpp"
#include "verify/check.hpp"

namespace rankfall::verify {
namespace {

using Diameters = std::vector<std::optional<Magnitude>>;

constexpr Precision fine(256), narrow_end(64);

/// The truth: of every state its diameter, its norm, and the bound on it by the state before.
struct Certified {
  std::vector<Magnitude> diameter, norm;
  std::vector<std::optional<Magnitude>> bound;
};

Certified certify(const Network& network) {
  CheckOptions options;
  options.statements = {"composite-diameter"};
  options.digits = 20;
  const CheckResult result = check(network, options);
  Certified certified;
  for (const StateMeasures& state : result.states) {
    certified.diameter.push_back(state.composite_diameter);
    certified.norm.push_back(state.norm);
  }
  certified.bound.resize(result.states.size());
  for (const Decision& d : result.decisions)
    if (d.quantity == theory::Quantity::composite_diameter && d.to == d.from + 1 && d.compared)
      certified.bound[d.to] = d.right.upper;
  return certified;
}

/// At least so many decimal digits of `seen` are right: -log10 |seen / truth - 1|, not below 0.
double right_digits(const std::optional<Magnitude>& seen, const Magnitude& truth) {
  constexpr double many = 40;
  if (!seen) return 0;
  if (truth.is_zero()) return seen->is_zero() ? many : 0;
  if (!seen->certainly_positive() || !truth.certainly_positive()) return 0;
  const Ball ratio = sub(seen->log2(), truth.log2(), fine);
  if (!certainly_less(abs(ratio), Ball(1))) return 0;
  const Ball error = upper(abs(expm1(mul(ratio, ln2(fine), fine), fine)), narrow_end);
  if (is_zero(error)) return many;
  const double digits = -std::log10(std::max(to_double(error), 1e-300));
  return std::clamp(digits, 0.0, many);
}

void judge(PrecisionRow& row, const Diameters& seen, const Certified& truth) {
  for (std::size_t k = 0; k < seen.size(); ++k) {
    row.digits.push_back(right_digits(seen[k], truth.diameter[k]));
    if (!row.blind && row.digits.back() < 1) row.blind = k;
    const bool there = truth.diameter[k].certainly_positive();
    if (!row.vanishes && there && seen[k] && seen[k]->is_zero()) row.vanishes = k;
    const std::optional<Magnitude>& bound = truth.bound[k];
    if (!bound || !seen[k]) continue;
    if (!row.refutes && certainly_less(*bound, *seen[k])) {
      row.refutes = k;
      if (bound->certainly_positive())
        row.decades = to_double(lower(div(*seen[k], *bound, fine).log10(narrow_end), narrow_end));
    }
    if (row.encloses && !row.undecided && !certainly_less_equal(*seen[k], *bound)) row.undecided = k;
  }
}

double seconds_of(const std::function<void()>& work) {
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = run == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

PrecisionRow row_of(const NumberKind& kind, Form form, const Network& network, const Certified& truth,
                    bool times) {
  PrecisionRow row{kind.name, kind.bits, form, kind.encloses, {}, {}, {}, {}, 0, {}, {}};
  judge(row, kind.diameters(network, form), truth);
  if (times) row.seconds = seconds_of([&] { kind.diameters(network, form); });
  return row;
}

/// The least bits in [2, most] for which `enough` holds, which grows with the bits.
std::optional<long> least_bits(long most, const std::function<bool(long)>& enough) {
  long low = 1, high = 16;
  while (high < most && !enough(high)) low = high, high = std::min(2 * high, most);
  if (high == most && !enough(most)) return std::nullopt;
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

Network prefix(const Network& network, std::size_t blocks) {
  Network result{network.input, {}};
  result.blocks.assign(network.blocks.begin(), network.blocks.begin() + static_cast<std::ptrdiff_t>(blocks));
  return result;
}

DepthNeed need(const Network& network, std::size_t depth, const Certified& truth) {
  const Network cut = prefix(network, depth);
  DepthNeed result{depth, std::nullopt, std::nullopt, 0};
  const Magnitude& diameter = truth.diameter[depth];
  if (!diameter.certainly_positive()) return result;
  const Ball shared = sub(truth.norm[depth].log2(), diameter.log2(), narrow_end);
  const double bits = to_double(upper(shared, narrow_end));
  result.predicted = bits > 1e17 ? static_cast<long>(1e17) : std::max(0L, static_cast<long>(std::ceil(bits)));
  result.residual = least_bits(64 + 32 * static_cast<long>(depth), [&](long b) {
    PrecisionRow row{"", b, Form::residual, true, {}, {}, {}, {}, 0, {}, {}};
    judge(row, ball_kind(b).diameters(cut, Form::residual), truth);
    return !row.undecided;
  });
  if (result.predicted >= most_direct_bits) return result;
  const auto direct = least_bits(most_direct_bits, [&](long b) {
    return right_digits(mpfr_kind(b).diameters(cut, Form::naive).back(), diameter) >= 1;
  });
  if (direct) result.direct = mpfr_kind(*direct).bits;
  return result;
}

}  // namespace

PrecisionStudy study_precision(const Network& network, const PrecisionOptions& options) {
  require_plain_attention(network);
  if (network.blocks.size() > most_studied_blocks)
    throw InputError(fmt::format("found {} blocks; precision is studied for at most {}",
                                 network.blocks.size(), most_studied_blocks));
  const Certified truth = certify(network);
  PrecisionStudy study{static_cast<std::size_t>(network.tokens()),
                       static_cast<std::size_t>(network.dim()),
                       network.blocks.size(),
                       {},
                       {}};
  for (const Form form : {Form::naive, Form::residual})
    for (const NumberKind& kind : number_kinds(options.bits))
      study.rows.push_back(row_of(kind, form, network, truth, options.times));
  for (std::size_t depth = 1; depth <= network.blocks.size(); ++depth)
    study.needs.push_back(need(network, depth, truth));
  return study;
}

}  // namespace rankfall::verify
