#include "numerics/san/mask.hpp"

#include <fmt/format.h>

#include <utility>

#include "numerics/errors.hpp"

namespace rankfall {

Mask Mask::causal() {
  Mask mask;
  mask.kind_ = Kind::causal;
  return mask;
}

Mask Mask::listed(Index tokens, std::vector<bool> allowed) {
  if (static_cast<Index>(allowed.size()) != tokens * tokens)
    throw DomainError(fmt::format("a mask of {} entries for {} tokens", allowed.size(), tokens));
  Mask mask;
  mask.kind_ = Kind::listed;
  mask.tokens_ = tokens;
  mask.allowed_ = std::move(allowed);
  return mask;
}

bool Mask::allows(Index query, Index key) const {
  switch (kind_) {
    case Kind::none:
      return true;
    case Kind::causal:
      return key <= query;
    case Kind::listed:
      return allowed_[static_cast<std::size_t>(query * tokens_ + key)];
  }
  return true;
}

std::optional<std::vector<Index>> Mask::shared_keys(Index tokens) const {
  std::vector<Index> keys;
  for (Index j = 0; j < tokens; ++j) {
    for (Index i = 1; i < tokens; ++i)
      if (allows(i, j) != allows(0, j)) return std::nullopt;
    if (allows(0, j)) keys.push_back(j);
  }
  return keys;
}

bool Mask::acts_causally(Index tokens) const {
  for (Index i = 0; i < tokens; ++i)
    for (Index j = 0; j < tokens; ++j)
      if (allows(i, j) != (j <= i)) return false;
  return true;
}

}  // namespace rankfall
