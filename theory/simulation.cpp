#include "theory/simulation.hpp"

#include "numerics/errors.hpp"
#include "numerics/minimal_residual.hpp"
#include "numerics/parallel.hpp"

#include <algorithm>
#include <utility>

namespace rankfall::theory {
namespace {

Magnitude sum_of(const std::vector<Ball>& terms, const Integer& exponent, Precision p) {
  Ball sum;
  for (const Ball& term : terms) sum = add(sum, term, p);
  return Magnitude(sum, exponent, p);
}

/// top / bottom, at most `limit` whatever they are; zero when both are exactly zero.
Magnitude bounded_ratio(const Magnitude& top, const Magnitude& bottom, const Rational& limit, Precision p) {
  if (bottom.is_zero()) return {};
  if (bottom.certainly_positive()) return div(top, bottom, p);
  return Magnitude::from_log2(Magnitude(limit, p).log2(), Magnitude::Sign::unknown);
}

/// (e^t - 1)/t, 1 at 0; grows with t.
Magnitude phi(const Magnitude& t, Precision p) {
  if (t.is_zero()) return Magnitude(Rational(1), p);
  if (certainly_less(t.log2(), Ball(-p.bits))) {  // 1 <= phi(t) <= 1 + t for t <= 1
    Ball one(1);
    arb_add_error(one.raw(), scale(Ball(1), -p.bits).raw());
    return Magnitude(one, p);
  }
  const Ball ball = t.to_ball(p);
  if (!certainly_positive(ball)) return Magnitude(exp(ball, p), p);  // e^t is not less than phi(t)
  return Magnitude(div(expm1(ball, p), ball, p), p);
}

ScoreMeasures measure_scores(const HeadTrace& head, Precision p) {
  const BallMatrix& E = head.E.mantissa;
  const Index n = E.rows(), keys = E.cols();
  std::vector<Ball> oscillation, largest;
  Ball top;
  for (Index i = 0; i < n; ++i) {
    Ball high = E(i, 0), low = E(i, 0), size;
    for (Index j = 0; j < keys; ++j) {
      arb_max(high.raw(), high.raw(), E(i, j).raw(), p.bits);
      arb_min(low.raw(), low.raw(), E(i, j).raw(), p.bits);
      size = max(size, abs(E(i, j)), p);
    }
    oscillation.push_back(sub(high, low, p));
    largest.push_back(size);
    top = max(top, oscillation.back(), p);
  }
  ScoreMeasures m;
  m.largest_oscillation = Magnitude(top, head.E.exponent, p);
  m.oscillation_sum = sum_of(oscillation, head.E.exponent, p);
  m.largest_score = Magnitude(largest_entry(E, p), head.E.exponent, p);
  m.phi = phi(min(m.largest_score, m.largest_oscillation, p), p);
  m.column_sum = Magnitude(norm_1(E, p), head.E.exponent, p);
  m.values = Magnitude(composite_norm(head.values.mantissa, p), head.values.exponent, p);
  const Rational tokens(static_cast<long>(n));
  m.gamma_sum_max =
      bounded_ratio(mul(Magnitude(Rational(1, 2), p), m.oscillation_sum, p), m.column_sum, tokens, p);
  m.gamma_max_ratio = bounded_ratio(sum_of(largest, head.E.exponent, p), m.column_sum, tokens, p);
  return m;
}

HeadConstants measure_weights(const HeadWeights& head, Precision p) {
  HeadConstants c;
  const auto size = [&](const Ball& ball) { return Magnitude(ball, p); };
  const BallMatrix scores = head.scores.composed(p), values = head.values.composed(p);
  const SumNorms norms = sum_norms(values, p);
  c.a = size(norm_1(scores, p));
  c.W_1 = size(norms.one);
  c.W_inf = size(norms.inf);
  c.W_composite = size(norms.composite);
  c.op = {c.W_inf, size(spectral_norm(values, p)), c.W_1};
  c.bil = {size(largest_entry(scores, p)), size(spectral_norm(scores, p)), size(entry_sum(scores, p))};
  return c;
}

constexpr std::size_t few_blocks = 24;

/// What the bits of a deep network that is followed with p bits fall to at its end: losses of layers differ.
Precision at_the_end(Precision p) {
  return Precision(std::min(p.bits, std::max(256L, p.bits / 8)));
}

/// Bits that are kept of the states.
Precision kept(std::size_t blocks, Precision p) {
  return blocks <= few_blocks ? p : Precision(std::min(p.bits, std::max(128L, p.bits / 32)));
}

/// Weights are exact, and what is measured of them loses nothing on the way.
Precision of_weights(std::size_t blocks, Precision p) {
  return blocks <= few_blocks ? p : Precision(std::max(80L, p.bits / 40));
}

/// Logarithms of numbers like 10^-(3^L) need log2 3 bits a layer before the point.
Precision measuring(std::size_t blocks, Precision p) {
  return Precision(std::min(p.bits, kept(blocks, p).bits + 2 * static_cast<long>(blocks)));
}

}  // namespace

Simulation::Simulation(const Network& network, Precision p, Followed how)
    : network_(network),
      engine_(network, p),
      in_doubles_(how == Followed::in_balls ? std::nullopt
                                            : doubles::Network::of(network, how == Followed::in_pairs)),
      kept_(kept(network.blocks.size(), p)),
      precision_(measuring(network.blocks.size(), p)),
      measures_(network.blocks.size() + 1),
      refined_(network.blocks.size() + 1, false) {
  if (how != Followed::in_balls) {
    if (!in_doubles_) throw DomainError("the network is not one that doubles follow");
    states_ = states_in_doubles(Reference::mean, true);
    return;
  }
  if (blocks() <= few_blocks) {
    follow();
    return;
  }
  // States come one behind another; beside them there is time for the constants, which bounds ask for.
  const bool beside = thread_allowance() > 1;
  in_parallel(beside ? 2 : 1, [this](std::size_t i) { i == 0 ? follow_deep() : measure_constants(); });
}

long Simulation::bits() const {
  return !in_doubles_ ? precision_.bits : in_doubles_->wide() ? 106 : 53;
}

std::vector<ResidualState> Simulation::states_in_doubles(Reference start, bool recentre) const {
  const bool wide = in_doubles_->wide();
  auto first = recentre && start == Reference::mean
                   ? doubles::mean_state(network_.input, wide)
                   : doubles::state(input_state(network_.input, start, Precision(256)), wide);
  auto states = first ? in_doubles_->states(*std::move(first), recentre) : std::nullopt;
  if (!states) throw DomainError("doubles do not tell of every state");
  std::vector<ResidualState> result;
  for (const doubles::State& state : *states) result.push_back(doubles::entries(state));
  return result;
}

void Simulation::follow() {
  states_.push_back(engine_.input(Reference::mean));
  for (std::size_t block = 0; block < blocks(); ++block) {
    BlockTrace trace = engine_.apply(block, states_.back());
    own_views_.emplace(std::pair(block, Reference::mean), view(block, states_.back(), trace));
    states_.push_back(recentred(trace.output, Reference::mean, precision()));
  }
}

void Simulation::follow_deep() {
  Propagation run(engine_, engine_.input(Reference::mean), true, at_the_end(engine_.precision()));
  states_.push_back(run.state(kept_));
  while (run.blocks_done() < blocks()) {
    run.step();
    states_.push_back(run.state(kept_));
  }
}

const StateMeasures& Simulation::state(std::size_t k) {
  if (!measures_[k]) measure_around(k);
  return *measures_[k];
}

void Simulation::measure_around(std::size_t k) {
  const std::size_t ahead = thread_allowance() == 1 ? 1 : std::min<std::size_t>(states_.size() - k, 32);
  in_parallel(ahead, [&](std::size_t i) {
    if (!measures_[k + i]) measures_[k + i] = measure(states_[k + i], kept_);
  });
}

bool Simulation::refine_minimal(std::size_t k) {
  if (refined_[k]) return false;
  refined_[k] = true;
  state(k);
  const ScaledMatrix& residual = states_[k].residual;
  const Magnitude better(minimal_residual_better_lower(residual.mantissa, kept_), residual.exponent,
                         precision());
  Magnitude& lower = measures_[k]->minimal.lower;
  if (certainly_less(lower, better)) lower = better;
  return true;
}

const std::vector<HeadConstants>& Simulation::constants(std::size_t block) {
  if (constants_.empty()) measure_constants();
  return constants_[block];
}

void Simulation::measure_constants() {
  std::vector<std::pair<std::size_t, std::size_t>> heads;
  constants_.resize(blocks());
  for (std::size_t k = 0; k < blocks(); ++k)
    if (engine_.is_attention(k)) {
      constants_[k].resize(engine_.attention(k).heads.size());
      for (std::size_t h = 0; h < constants_[k].size(); ++h) heads.emplace_back(k, h);
    }
  const Precision p = of_weights(blocks(), engine_.precision());
  in_parallel(heads.size(), [&](std::size_t i) {
    const auto& [k, h] = heads[i];
    constants_[k][h] = measure_weights(engine_.attention(k).heads[h], p);
  });
}

BlockView Simulation::view(std::size_t block, const ResidualState& state, const BlockTrace& trace) {
  BlockView result;
  result.start = residual_norm(state, kept_);
  for (const HeadTrace& head : trace.heads) result.heads.push_back(measure_scores(head, precision()));
  result.end = residual_norm(trace.output, kept_);
  const auto* mlp = std::get_if<MlpBlock>(&network_.blocks[block]);
  if (mlp && !mlp->pre_norm) result.lipschitz = lipschitz(engine_.mlp(block), state, kept_);
  return result;
}

ResidualState Simulation::start(std::size_t block, Reference reference) const {
  if (reference == Reference::mean) return states_[block];
  return block == 0 ? engine_.input(reference) : recentred(states_[block], reference, kept_);
}

const BlockView& Simulation::own_view(std::size_t block, Reference reference) {
  const auto key = std::pair(block, reference);
  if (const auto found = own_views_.find(key); found != own_views_.end()) return found->second;
  const ResidualState state = start(block, reference);
  return own_views_.emplace(key, view(block, state, engine_.apply(block, state, kept_))).first->second;
}

const BlockView& Simulation::propagated_view(std::size_t block, Reference start) {
  auto found = propagations_.find(start);
  if (found == propagations_.end()) {
    PropagatedViews fresh;
    if (in_doubles_)
      fresh.states = states_in_doubles(start, false);
    else
      fresh.run.emplace(engine_, engine_.input(start), false,
                        blocks() <= few_blocks ? kept_ : at_the_end(engine_.precision()));
    found = propagations_.emplace(start, std::move(fresh)).first;
  }
  auto& [views, run, states] = found->second;
  while (views.size() <= block) {
    const ResidualState state = run ? run->state(kept_) : states[views.size()];
    views.push_back(view(views.size(), state, engine_.apply(views.size(), state, kept_)));
    if (run) run->step();
  }
  return views[block];
}

}  // namespace rankfall::theory
