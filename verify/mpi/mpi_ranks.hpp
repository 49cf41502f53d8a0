#pragma once
#include "verify/ledger/ranks.hpp"

namespace rankfall::verify {

/// MPI, where the program was built with it, else nothing. MPI is not initialised before start() is called,
/// and finalised when what that returns ends.
MessagePassing message_passing();

}  // namespace rankfall::verify
