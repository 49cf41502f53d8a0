#pragma once
#include <string>
#include <vector>

#include "numerics/san/network.hpp"
#include "theory/statement.hpp"

namespace rankfall::verify {

/// Why a statement of this scope says nothing about the blocks [from, to), which begin with its first layer
/// or with the network; empty when it does.
std::string outside_scope(const theory::Scope& scope, const Network& network, std::size_t from,
                          std::size_t to);

/// Where the layer of attention block layers[l] ends: with it, or with the blocks behind it that the scope
/// takes to belong to it.
std::size_t end_of_layer(const theory::Scope& scope, const Network& network,
                         const std::vector<std::size_t>& layers, std::size_t l);

}  // namespace rankfall::verify
