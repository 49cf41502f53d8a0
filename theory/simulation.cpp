#include "theory/simulation.hpp"

#include "numerics/minimal_residual.hpp"

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
  c.a = size(norm_1(scores, p));
  c.W_1 = size(norm_1(values, p));
  c.W_inf = size(norm_inf(values, p));
  c.W_composite = size(composite_norm(values, p));
  c.op = {c.W_inf, size(spectral_norm(values, p)), c.W_1};
  c.bil = {size(largest_entry(scores, p)), size(spectral_norm(scores, p)), size(entry_sum(scores, p))};
  return c;
}

}  // namespace

Simulation::Simulation(const Network& network, Precision p)
    : network_(network),
      engine_(network, p),
      measures_(network.blocks.size() + 1),
      refined_(network.blocks.size() + 1, false),
      constants_(network.blocks.size()) {
  states_.push_back(engine_.input(Reference::mean));
  for (std::size_t block = 0; block < network.blocks.size(); ++block) {
    ResidualState next;
    own_views_.emplace(std::pair(block, Reference::mean), view(block, states_.back(), &next));
    states_.push_back(recentred(next, Reference::mean, p));
  }
}

const StateMeasures& Simulation::state(std::size_t k) {
  if (!measures_[k]) measures_[k] = measure(states_[k], precision());
  return *measures_[k];
}

bool Simulation::refine_minimal(std::size_t k) {
  if (refined_[k]) return false;
  refined_[k] = true;
  state(k);
  const ScaledMatrix& residual = states_[k].residual;
  const Magnitude better(minimal_residual_better_lower(residual.mantissa, precision()), residual.exponent,
                         precision());
  Magnitude& lower = measures_[k]->minimal.lower;
  if (certainly_less(lower, better)) lower = better;
  return true;
}

const std::vector<HeadConstants>& Simulation::constants(std::size_t block) {
  auto& kept = constants_[block];
  if (!kept) {
    kept.emplace();
    for (const HeadWeights& head : engine_.attention(block).heads)
      kept->push_back(measure_weights(head, precision()));
  }
  return *kept;
}

BlockView Simulation::view(std::size_t block, const ResidualState& state, ResidualState* next) {
  BlockTrace trace = engine_.apply(block, state);
  BlockView result;
  result.start = residual_norm(state, precision());
  for (const HeadTrace& head : trace.heads) result.heads.push_back(measure_scores(head, precision()));
  result.end = residual_norm(trace.output, precision());
  const auto* mlp = std::get_if<MlpBlock>(&network_.blocks[block]);
  if (mlp && !mlp->pre_norm) result.lipschitz = lipschitz(engine_.mlp(block), state, precision());
  if (next) *next = std::move(trace.output);
  return result;
}

ResidualState Simulation::start(std::size_t block, Reference reference) const {
  if (reference == Reference::mean) return states_[block];
  return block == 0 ? engine_.input(reference) : recentred(states_[block], reference, precision());
}

const BlockView& Simulation::own_view(std::size_t block, Reference reference) {
  const auto key = std::pair(block, reference);
  if (const auto found = own_views_.find(key); found != own_views_.end()) return found->second;
  return own_views_.emplace(key, view(block, start(block, reference), nullptr)).first->second;
}

const BlockView& Simulation::propagated_view(std::size_t block, Reference start) {
  if (!propagations_.contains(start)) propagations_[start].next = engine_.input(start);
  Propagation& propagation = propagations_[start];
  while (propagation.views.size() <= block) {
    ResidualState next;
    propagation.views.push_back(view(propagation.views.size(), propagation.next, &next));
    propagation.next = std::move(next);
  }
  return propagation.views[block];
}

}  // namespace rankfall::theory
