#include "numerics/san/direct_evaluation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/san/constant_columns.hpp"
#include "numerics/san/direct.hpp"

namespace rankfall {
namespace {

constexpr double bits_per_digit = 3.3219280948873626;
constexpr double nothing = -std::numeric_limits<double>::infinity();  // log2 of zero

using Measures = DirectMeasures<Real>;
constexpr std::array members{&Measures::norm,     &Measures::mean,          &Measures::median,
                             &Measures::midrange, &Measures::diam_1,        &Measures::diam_2,
                             &Measures::diam_inf, &Measures::diam_composite};

double log2_of(const Real& log10) {
  return log10.convert_to<double>() * bits_per_digit;
}

struct Run {
  long bits;
  std::vector<Measures> states;
  std::vector<bool> constant;  // all tokens of that state are equal by wiring
};

/// Evaluates at `bits`; measures are rounded to `kept` bits.
Run run_at(const Network& network, long bits, long kept) {
  const PrecisionScope scope{Precision(bits)};
  Run run{bits, {}, {}};
  ConstantColumns columns = constant_columns(network.input);
  Matrix<Real> state = rounded<Real>(network.input);
  const auto record = [&] {
    Measures measures = measure(state, columns);
    for (Real Measures::*member : members)
      mpfr_prec_round((measures.*member).backend().data(), std::min(kept, current_bits()), MPFR_RNDN);
    run.states.push_back(std::move(measures));
    run.constant.push_back(std::find(columns.begin(), columns.end(), false) == columns.end());
  };
  record();
  for (const Block& block : network.blocks) {
    columns = constant_columns(block, columns, state);
    state = apply_block(block, state);
    record();
  }
  return run;
}

bool agree(const Run& a, const Run& b, int digits) {
  const PrecisionScope scope{Precision(64)};
  const Real tolerance = pow(Real(10), -digits);
  for (std::size_t state = 0; state < a.states.size(); ++state)
    for (Real Measures::*member : members) {
      const Real& v = a.states[state].*member;
      const Real& w = b.states[state].*member;
      if (v == w) continue;  // also two exact zeros
      if (!isfinite(v) || !isfinite(w)) return false;
      if (!(abs(Real(v - w)) <= tolerance * std::max(Real(1), Real(abs(w))))) return false;
    }
  return true;
}

/// How a normalisation rescales a residual, in log2: it divides by the larger of the size of what it sees and
/// the root of epsilon.
struct Rescaling {
  Normalisation::Of of = Normalisation::Of::token;
  double gain = 0, entries = 0, root_epsilon = nothing;  // entries: composite norm over root mean square

  double after(double residual, double norm) const {
    const double seen = of == Normalisation::Of::token ? norm : residual;
    return residual + gain - std::max(seen - entries, root_epsilon);
  }
};

/// How a block shrinks a small residual r, in log2: to max(skip r, gain rescaled(r)^power).
struct Contraction {
  double skip, gain, power;
  std::optional<Rescaling> before = {};

  double seen(double residual, double norm) const {
    return before ? before->after(residual, norm) : residual;
  }
  /// `norm`: of the state that the block reads.
  double after(double residual, double norm, double correction) const {
    return std::max(skip + residual, gain + power * seen(residual, norm) + (power > 1 ? correction : 0));
  }
};

double log2_norm(const ExactMatrix& matrix) {
  return matrix.empty() ? 0 : log2_of(measure(rounded<Real>(matrix)).norm);
}

double log2_of(const Rational& positive) {
  return log2_of(log10(rounded<Real>(positive)));
}

Rescaling rescaling(const Normalisation& norm, Index tokens, Index width) {
  Rescaling result{norm.of};
  for (Index j = 0; j < norm.scale.cols(); ++j)
    if (!norm.scale(0, j).is_zero())
      result.gain = std::max(j == 0 ? nothing : result.gain, log2_of(Rational(abs(norm.scale(0, j)))));
  result.entries = (std::log2(static_cast<double>(tokens)) + std::log2(static_cast<double>(width))) / 2;
  if (!norm.epsilon.is_zero()) result.root_epsilon = log2_of(norm.epsilon) / 2;
  return result;
}

Contraction contraction(const AttentionBlock& block, Index tokens, Index) {
  double gain = nothing;
  const bool cubic =
      block.mask.shared_keys(tokens) && std::none_of(block.heads.begin(), block.heads.end(),
                                                     [](const Head& head) { return head.has_row_biases(); });
  for (const Head& head : block.heads) {
    const double scores = head.fused ? log2_norm(head.W_QK) : log2_norm(head.W_Q) + log2_norm(head.W_K);
    const double values = head.fused ? log2_norm(head.W) : log2_norm(head.W_V) + log2_norm(head.W_O);
    gain = std::max(gain, cubic ? scores + values - std::log2(static_cast<double>(head.d_qk)) / 2 : values);
  }
  return {nothing, gain, cubic ? 3.0 : 1.0};
}

Contraction contraction(const Normalisation& norm, Index tokens, Index width) {
  return {nothing, 0, 1, rescaling(norm, tokens, width)};
}

Contraction contraction(const MlpBlock& block, Index, Index) {
  double gain = 0;
  for (const MlpBlock::Layer& layer : block.layers) gain += log2_norm(layer.W);
  return {nothing, gain, 1};
}

std::vector<Contraction> contractions(const Network& network) {
  const PrecisionScope scope{Precision(64)};
  std::vector<Contraction> result;
  Index width = network.dim();
  for (const Block& block : network.blocks) {
    std::visit([&](const auto& kind) { result.push_back(contraction(kind, network.tokens(), width)); },
               block);
    if (const auto& before = pre_norm(block))
      result.back().before = rescaling(*before, network.tokens(), width);
    if (const Rational weight = skip(block); !weight.is_zero())
      result.back().skip = log2_of(Rational(abs(weight)));
    width = output_width(block, width);
  }
  return result;
}

/// What a run says about the precision that a network takes.
struct Plan {
  std::optional<std::size_t> first_hidden;  // state whose residual the run could not see
  double first_bits = 0;                    // bits to see that one
  double bits = 0;                          // bits to see all of them
  bool undefined = false;                   // that state came out as no number: a variance rounded to zero
};

/// `spare`: bits beyond those that the tokens of a state share. Hidden residuals are extrapolated from
/// visible ones, with the constant of the last attention block that was seen to cube.
Plan plan(const Run& run, const std::vector<Contraction>& blocks, double spare) {
  Plan result;
  double residual = 0, before = 0, correction = -3;  // of the state before: residual and norm
  for (std::size_t k = 0; k < run.states.size() && !run.constant[k]; ++k) {
    if (isnan(run.states[k].norm)) {
      if (!result.first_hidden)
        result = {k, 2.0 * static_cast<double>(run.bits), 2.0 * static_cast<double>(run.bits)};
      result.undefined = true;
      return result;
    }
    const double norm = log2_of(run.states[k].norm), seen = log2_of(run.states[k].mean);
    const double read = std::exchange(before, norm);
    const bool visible = !result.first_hidden && norm - seen + spare <= static_cast<double>(run.bits);
    const Contraction* block = k == 0 ? nullptr : &blocks[k - 1];
    if (visible) {
      if (block && block->power > 1 && block->skip == nothing)
        correction = seen - block->gain - block->power * block->seen(residual, read);
      residual = seen;
      continue;
    }
    residual = block ? block->after(residual, read, correction) : norm - 2 * static_cast<double>(run.bits);
    // A zero gain would ask for infinitely many bits: then the wiring would have made the state constant.
    const double needed = norm - residual + 2 * spare;
    if (!result.first_hidden) {
      result.first_hidden = k;
      result.first_bits = needed;
    }
    result.bits = std::max(result.bits, needed);
  }
  return result;
}

std::string count(double bits) {
  return bits < 1e15 ? fmt::format("{:.0f}", bits) : fmt::format("{:.3g}", bits);
}

[[noreturn]] void too_deep(const Plan& need, long max_bits) {
  throw PrecisionLimit(
      fmt::format("direct evaluation: about {} bits are needed to tell the tokens of every state apart "
                  "(state {} is the first that fails); the limit is {} bits",
                  count(need.bits), *need.first_hidden, max_bits));
}

[[noreturn]] void no_number(const Plan& need, const Run& run) {
  throw PrecisionLimit(fmt::format(
      "direct evaluation: blocks[{}] divides by 0 at {} bits: a normalisation with epsilon 0 meets a "
      "variance that is 0 or rounds to it",
      *need.first_hidden - 1, run.bits));
}

[[noreturn]] void maybe_zero(const Plan& need, const Run& run) {
  throw PrecisionLimit(
      fmt::format("direct evaluation: the tokens of state {} still agree at {} bits, where about {} were "
                  "expected to tell them apart; they may be exactly equal, which rounded arithmetic "
                  "cannot show",
                  *need.first_hidden, run.bits, count(need.first_bits)));
}

}  // namespace

DirectEvaluation direct_evaluation(const Network& network, int digits, long max_bits) {
  if (digits < 1)
    throw DomainError(fmt::format("direct evaluation to {} digits; at least 1 is needed", digits));
  validate(network);
  const std::vector<Contraction> blocks = contractions(network);
  const double spare = digits * bits_per_digit + 48;
  const long kept = static_cast<long>(spare) + 64;
  const long planned_limit = (max_bits - 64) / 5 * 4;  // the second run takes a quarter and 64 bits more
  constexpr long extrapolate_from = 2048;              // below, blocks may not be seen to cube yet

  long bits = std::min(static_cast<long>(3 * spare), planned_limit);
  for (;;) {
    if (bits < 2)
      throw PrecisionLimit(
          fmt::format("direct evaluation: the limit of {} bits is below the least, {}", max_bits, 72));
    const Run run = run_at(network, bits, kept);
    const Plan need = plan(run, blocks, spare);
    long next = 2 * bits;
    if (need.first_hidden) {
      if (need.undefined && bits == planned_limit) no_number(need, run);
      if (bits >= extrapolate_from && need.bits > 4 * static_cast<double>(planned_limit))
        too_deep(need, max_bits);
      next = std::max(next, static_cast<long>(std::min(need.bits, 16.0 * static_cast<double>(bits))));
    } else {
      Run second = run_at(network, bits + bits / 4 + 64, kept);
      if (agree(run, second, digits)) return {digits, second.bits, std::move(second.states)};
    }
    if (bits == planned_limit) {
      if (need.first_hidden && static_cast<double>(bits) > 8 * need.first_bits) maybe_zero(need, run);
      if (need.first_hidden) too_deep(need, max_bits);
      throw PrecisionLimit(
          fmt::format("direct evaluation: runs at {} and {} bits disagree on {} digits; the limit is {} bits",
                      bits, bits + bits / 4 + 64, digits, max_bits));
    }
    bits = std::min(next, planned_limit);
  }
}

Ball agreed(const Real& v, int digits) {
  const Ball centre = to_ball(v);
  const Precision p(64);
  const Ball unit = max(Ball(1), abs(centre), p);
  const Ball radius = mul(unit, Ball(power(Rational(10), -digits), p), p);
  // The sum with an interval around zero must not lose the centre: it is kept exactly.
  return add(centre, symmetric(radius), Precision(mpfr_get_prec(v.backend().data()) + 1));
}

}  // namespace rankfall
