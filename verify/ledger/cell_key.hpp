#pragma once
#include <string>

#include "verify/grid.hpp"

namespace rankfall::verify {

/// Everything that determines what a ledger says of a cell, as text: the network's specification, the depths,
/// statements (those of one's own in full), gammas, digits and precision of the grid, and the version of the
/// arithmetic.
std::string cell_description(const Grid& grid, const Cell& cell);

/// SHA-256 of the description, in hexadecimal.
std::string cell_key(const Grid& grid, const Cell& cell);

}  // namespace rankfall::verify
