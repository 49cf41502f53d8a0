#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/recheck/recursion.hpp"
#include "verify/recheck/subject.hpp"

namespace rankfall::recheck {

/// The layers of a reading on a network that was followed: the numbers that formulas name, measured
/// (docs/theory, 1; `rankfall explain
/// --symbols`).
class Instance final : public Subject {
 public:
  Instance(const Recursion& followed, const Statement& statement, const Reading& reading);

  Bits bits() const override { return p_; }
  Value look_up(const std::string& name, const std::vector<long>& indices) const override;
  Number left() const override;
  const Sizes& sizes_of(std::size_t state) const override;
  void each_member(const Visit& visit) const override;

 private:
  const LayerView& view(std::size_t layer) const;
  void members_of(std::size_t head, const Visit& visit) const;
  void members_beyond_leading_order(const std::string& norm, const Visit& visit) const;
  /// Distance of the second token of a state from the first, or the largest of all.
  Number from_first(std::size_t state, std::string_view norm, bool second_alone) const;
  Number least_weight_on_first() const;
  Number largest_form_of_values() const;
  std::optional<Number> of_causal_layer(const std::string& name, const std::vector<long>& indices) const;
  std::optional<Number> plain(const std::string& name) const;
  std::optional<Number> of_scores(const std::string& name) const;
  std::optional<Number> of_head(const std::string& name, std::size_t layer, std::size_t head) const;
  std::optional<Number> measured(const std::string& name, std::size_t layer, std::size_t head) const;
  std::size_t most_heads() const;
  long common_width() const;
  Number gamma() const;
  Number largest_constant() const;
  Number rate(const std::string& norm) const;

  const Recursion& followed_;
  const Statement& statement_;
  const Reading& reading_;
  Bits p_;
  mutable std::map<std::size_t, Sizes> sizes_;
  mutable std::map<std::string, Number> measured_;
  mutable std::vector<LayerView> views_;  ///< of the layers from `from` on, about the reading's reference
};

}  // namespace rankfall::recheck
