#pragma once
#include <optional>
#include <vector>

#include "numerics/san/doubles/engine.hpp"

namespace rankfall::doubles {

/// A network of plain attention blocks, its weights in doubles or in pairs of them.
class Network {
 public:
  /// Nothing where a block is of another kind, or its weights leave the range (engine.hpp).
  static std::optional<Network> of(const rankfall::Network& network, bool wide);

  bool wide() const { return wide_; }
  std::size_t blocks() const { return layers_.size(); }
  /// All states from the given one on, each about the mean of its tokens or about the propagated reference:
  /// nothing where doubles do not tell of one.
  std::optional<std::vector<State>> states(State start, bool to_mean) const;

 private:
  std::vector<Layer> layers_;
  bool wide_ = false;
};

}  // namespace rankfall::doubles
