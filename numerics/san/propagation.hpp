#pragma once
#include <variant>

#include "numerics/san/engine.hpp"
#include "numerics/san/rank_one.hpp"

namespace rankfall {

/// A network followed block by block from a state of its input. The precision falls from the engine's to
/// `least` bits with the blocks that remain, since each of them needs some of it; where a network comes down
/// to rank one, it is followed in that form.
class Propagation {
 public:
  /// About the mean of the tokens of every state when `recentre`, else about the propagated reference. The
  /// engine must outlive it.
  Propagation(const ResidualEngine& engine, ResidualState start, bool recentre, Precision least);

  std::size_t blocks_done() const { return done_; }
  bool at_rank_one() const { return std::holds_alternative<RankOneState>(state_); }
  /// The state that has been reached, of at most `least` bits or so many.
  ResidualState state() const { return state(least_); }
  ResidualState state(Precision p) const;
  /// Throws as ResidualEngine::apply does.
  void step();

 private:
  Precision precision() const;
  bool next_keeps_rank_one() const;

  const ResidualEngine& engine_;
  std::variant<ResidualState, RankOneState> state_;
  Index tokens_;
  bool recentre_;
  Precision least_;
  std::size_t done_ = 0;
};

}  // namespace rankfall
