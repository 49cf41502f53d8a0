#pragma once
#include <optional>
#include <vector>

#include "numerics/matrix.hpp"

namespace rankfall {

/// Which keys each query of an attention block may see: all of them, those up to its own (causal), or as
/// listed.
class Mask {
 public:
  Mask() = default;  ///< every query sees every key
  static Mask causal();
  /// Row-major, tokens x tokens. Throws DomainError unless allowed.size() is tokens^2.
  static Mask listed(Index tokens, std::vector<bool> allowed);

  bool none() const { return kind_ == Kind::none; }
  bool is_causal() const { return kind_ == Kind::causal; }
  bool is_listed() const { return kind_ == Kind::listed; }
  /// Of a listed mask; 0 otherwise, which fits any number of tokens.
  Index tokens() const { return tokens_; }
  bool allows(Index query, Index key) const;

  /// The keys in order, when all of `tokens` queries see the same ones (no mask, key padding).
  std::optional<std::vector<Index>> shared_keys(Index tokens) const;
  /// Whether `tokens` queries see the keys up to their own and no others, however the mask was given.
  bool acts_causally(Index tokens) const;

  bool operator==(const Mask& other) const = default;

 private:
  enum class Kind { none, causal, listed };
  Kind kind_ = Kind::none;
  Index tokens_ = 0;
  std::vector<bool> allowed_;
};

}  // namespace rankfall
