#include "numerics/san/propagation.hpp"

#include <utility>

namespace rankfall {
namespace {

ResidualState rounded(ResidualState state, Precision p) {
  const auto round = [&](Ball& a) { arb_set_round(a.raw(), a.raw(), p.bits); };
  for (Index j = 0; j < state.reference.size(); ++j) round(state.reference(j));
  for (Index i = 0; i < state.residual.mantissa.size(); ++i) round(state.residual.mantissa.data()[i]);
  return state;
}

}  // namespace

Propagation::Propagation(const ResidualEngine& engine, ResidualState start, bool recentre, Precision least)
    : engine_(engine),
      state_(std::move(start)),
      tokens_(std::get<ResidualState>(state_).residual.mantissa.rows()),
      recentre_(recentre),
      least_(least) {}

Precision Propagation::precision() const {
  const auto all = static_cast<long>(engine_.blocks()), left = all - static_cast<long>(done_);
  return Precision(least_.bits + (engine_.precision().bits - least_.bits) * left / all);
}

bool Propagation::next_keeps_rank_one() const {
  return done_ < engine_.blocks() && engine_.is_attention(done_) &&
         keeps_rank_one(engine_.attention(done_), tokens_);
}

ResidualState Propagation::state(Precision p) const {
  const auto* thin = std::get_if<RankOneState>(&state_);
  return rounded(thin ? entries(*thin, p) : std::get<ResidualState>(state_), p);
}

void Propagation::step() {
  const Precision p = precision();
  if (const auto* thin = std::get_if<RankOneState>(&state_)) {
    if (next_keeps_rank_one())
      if (auto next = advance(engine_.attention(done_), *thin, p)) {
        state_ = *std::move(next);
        ++done_;
        return;
      }
    state_ = entries(*thin, p);
  }
  ResidualState next = engine_.advance(done_, std::get<ResidualState>(state_), p);
  if (recentre_) next = recentred(next, Reference::mean, p);
  ++done_;
  if (next_keeps_rank_one())
    if (auto thin = rank_one(next, precision())) {
      state_ = *std::move(thin);
      return;
    }
  state_ = std::move(next);
}

}  // namespace rankfall
