#pragma once
#include <optional>
#include <string>
#include <vector>

#include "theory/proof.hpp"
#include "theory/statement.hpp"

namespace rankfall::theory {

/// That a depth bound is what the statement's constant of one layer gives when it is chained from r0 (or the
/// diameter it names), its prefactor apart: by induction, as identities of exponents. None for a bound of
/// another kind.
std::optional<Proof> prove_chain(const Bound& bound);

/// Why the bound is not what its constant and prefactor say, prefactor C s^3 on one layer and its chain in
/// depth, s what it starts from; empty when it is, or names no constant.
std::string not_cubic(const Bound& bound);

/// The proofs of `chaining`: the closed form for equal constants and for those of each layer, the limit
/// criterion C r0^2 < 1, and the sensitivity (3^L - 1)/2.
std::vector<Proof> prove_chaining();

}  // namespace rankfall::theory
