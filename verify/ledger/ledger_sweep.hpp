#pragma once
#include "verify/ledger/ledger_filler.hpp"

namespace rankfall::verify {

/// Computes what the ledger lacks of the grid's shard and stores each cell as soon as it is finished. The
/// ledger's rows do not depend on threads, shards or interruptions. Throws OutputError when the ledger cannot
/// be written: what is stored stays.
SweepCounts sweep_into(Ledger& ledger, const Grid& grid, Shard shard, unsigned threads,
                       const SweepCallback& progress);

/// Adds what the other ledger has and this one lacks; returns the number of cells. Throws InputError naming
/// a cell on which the two say different things; nothing of it is added.
std::size_t merge_into(Ledger& ledger, const Ledger& other);

}  // namespace rankfall::verify
