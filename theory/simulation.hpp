#pragma once
#include <map>
#include <optional>
#include <vector>

#include "numerics/san/doubles/follow.hpp"
#include "numerics/san/measures.hpp"
#include "numerics/san/propagation.hpp"

namespace rankfall::theory {

/// Constants of one head's weights; a = |W_QK|_1 / sqrt(d_qk), scores A = W_QK / sqrt(d_qk), values W_h.
struct HeadConstants {
  Magnitude a, W_1, W_inf, W_composite;
  std::array<Magnitude, 3> op;   ///< op_p(W_h), p = 1, 2, inf
  std::array<Magnitude, 3> bil;  ///< bil_p(A); for inf the sum of entries, an upper bound
};

/// What one head's E says at a reference.
struct ScoreMeasures {
  Magnitude largest_oscillation;  ///< max rho_i
  Magnitude oscillation_sum;      ///< sum of rho_i
  Magnitude largest_score;        ///< M = max |E_ij|
  Magnitude phi;                  ///< (e^t - 1)/t at t = min(M, max rho_i)
  Magnitude column_sum;           ///< |E|_1
  Magnitude values;               ///< |R W_h|_{1,inf}
  Magnitude gamma_sum_max, gamma_max_ratio;
};

/// One block seen from a reference: what goes in, what the scores of an attention block say, what comes out.
struct BlockView {
  Magnitude start;  ///< |R|_{1,inf} about the reference
  std::vector<ScoreMeasures> heads;
  Magnitude end;                        ///< |R'|_{1,inf} about the propagated reference
  std::optional<BallMatrix> lipschitz;  ///< M of an MLP block, over the box of its tokens and the reference
};

/// The kind of number in which the states of a network are followed, cheapest first: doubles or pairs of
/// doubles with bounds of their errors (docs/engine, the double tier), or balls of any precision.
enum class Followed { in_doubles, in_pairs, in_balls };

/// A network run once, with everything that statements measure on it; what is asked for is computed once and
/// kept. A deep network is followed with more bits than its states are measured with, since every layer that
/// remains takes some of them: the precision of a simulation is that of its measures. Not for use from
/// several threads. Blocks are counted from 0; state k is the output of block k - 1.
class Simulation {
 public:
  /// Followed with p bits in the engine; otherwise p is the precision of what is measured of the states.
  /// Throws DomainError where the states cannot be followed so.
  Simulation(const Network& network, Precision p, Followed how = Followed::in_balls);

  Precision precision() const { return precision_; }
  /// Of the midpoints of states: 53, 106, or those of precision().
  long bits() const;
  const Network& network() const { return network_; }
  const ResidualEngine& engine() const { return engine_; }
  std::size_t blocks() const { return network_.blocks.size(); }
  /// State k, measured about its mean, median and midrange: 0 is the input.
  const StateMeasures& state(std::size_t k);
  /// Tightens the lower bound of state k's minimal residual, at the cost of looking at every pair of tokens
  /// and column (docs/theory, residual-lower-bound). Returns whether this had not been done before.
  bool refine_minimal(std::size_t k);
  /// Of an attention block.
  const std::vector<HeadConstants>& constants(std::size_t block);
  /// The input of a block about the given reference of its own.
  ResidualState start(std::size_t block, Reference reference) const;
  /// A block seen from the given reference of its own input.
  const BlockView& own_view(std::size_t block, Reference reference);
  /// A block seen from the reference that started at the network's input and was never recentred.
  const BlockView& propagated_view(std::size_t block, Reference start);

 private:
  /// A network of few blocks: what they say is seen while they are followed.
  void follow();
  /// One of many.
  void follow_deep();
  void measure_constants();
  /// All states from the network's input about `start` on, in doubles.
  std::vector<ResidualState> states_in_doubles(Reference start, bool recentre) const;
  /// This state and those that are asked for next.
  void measure_around(std::size_t k);
  BlockView view(std::size_t block, const ResidualState& state, const BlockTrace& trace);

  const Network& network_;
  ResidualEngine engine_;
  std::optional<doubles::Network> in_doubles_;
  Precision kept_, precision_;         ///< of the states and of what is measured of them
  std::vector<ResidualState> states_;  // about the mean
  std::vector<std::optional<StateMeasures>> measures_;
  std::vector<bool> refined_;
  std::vector<std::vector<HeadConstants>> constants_;  // of all blocks, or empty
  std::map<std::pair<std::size_t, Reference>, BlockView> own_views_;
  struct PropagatedViews {
    std::vector<BlockView> views;
    std::optional<Propagation> run;
    std::vector<ResidualState> states;  // all of them, where doubles follow them
  };
  std::map<Reference, PropagatedViews> propagations_;
};

}  // namespace rankfall::theory
