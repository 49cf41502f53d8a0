#pragma once
#include <variant>
#include <vector>

#include "numerics/san/attention.hpp"
#include "numerics/san/mlp.hpp"

namespace rankfall {

/// The tokens of an input about the given reference; differences of tokens are formed exactly.
ResidualState input_state(const ExactMatrix& input, Reference reference, Precision p);

/// The certified residual engine: the recursion of docs/theory, 2 in balls. Every state encloses the exact
/// state of the network; exactly equal tokens stay exactly equal.
class ResidualEngine {
 public:
  /// Throws InputError when the network's shapes break.
  ResidualEngine(const Network& network, Precision p);

  std::size_t blocks() const { return blocks_.size(); }
  Precision precision() const { return precision_; }
  bool is_attention(std::size_t block) const {
    return std::holds_alternative<AttentionWeights>(blocks_[block]);
  }
  /// The weights of a block of one kind; throw std::bad_variant_access for another kind.
  const AttentionWeights& attention(std::size_t block) const {
    return std::get<AttentionWeights>(blocks_[block]);
  }
  const MlpWeights& mlp(std::size_t block) const { return std::get<MlpWeights>(blocks_[block]); }
  const NormalisationWeights& normalisation(std::size_t block) const {
    return std::get<NormalisationWeights>(blocks_[block]);
  }

  /// The network's input about the given reference.
  ResidualState input(Reference reference) const { return input_state(input_, reference, precision_); }
  /// One block, about the reference that it propagates (not recentred). Throws InputError naming the place
  /// where a normalisation divides by zero, DomainError where the enclosure does not tell.
  BlockTrace apply(std::size_t block, const ResidualState& state) const {
    return apply(block, state, precision_);
  }
  /// At a lower precision than the engine's.
  BlockTrace apply(std::size_t block, const ResidualState& state, Precision p) const;
  /// The output alone.
  ResidualState advance(std::size_t block, const ResidualState& state) const {
    return advance(block, state, precision_);
  }
  ResidualState advance(std::size_t block, const ResidualState& state, Precision p) const;

 private:
  ExactMatrix input_;
  std::vector<std::variant<AttentionWeights, MlpWeights, NormalisationWeights>> blocks_;
  Precision precision_;
};

/// All states of the network, each about its token mean (recentred after every block): states 0..blocks.
std::vector<ResidualState> mean_states(const ResidualEngine& engine);

}  // namespace rankfall
