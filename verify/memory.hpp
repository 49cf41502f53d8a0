#pragma once
#include "numerics/san/network.hpp"

namespace rankfall::verify {

/// About how many bytes following the network at p bits takes at its peak: attention of every token to every
/// other in each head, and the weights.
Integer working_bytes(const Network& network, Precision p);

/// Bytes that this process may take: the machine's memory, or the limit of the process (ulimit -v) where that
/// is less.
Integer available_bytes();

/// Whether the network at p bits takes at most a share of one in `shares` of what is available.
bool fits_memory(const Network& network, Precision p, unsigned shares = 1);

/// Throws InputError, with both sizes, where it takes more.
void require_memory(const Network& network, Precision p, unsigned shares = 1);

}  // namespace rankfall::verify
