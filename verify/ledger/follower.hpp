#pragma once
#include <functional>

#include "verify/grid.hpp"
#include "verify/ledger/ranks.hpp"

namespace rankfall::verify {

/// Any process of a shared sweep but the leader: computes what the leader hands out until there is no more,
/// or until `go_on`, asked after each cell, says no. The grid is read when work begins; the cells must be the
/// leader's, or it is an InputError. A failure is told to the leader, then thrown.
void follow(Ranks& ranks, const std::function<Grid()>& read_grid, unsigned threads,
            const std::function<bool()>& go_on);

}  // namespace rankfall::verify
