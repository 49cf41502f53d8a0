#pragma once
#include "verify/ledger/ranks.hpp"

namespace rankfall::verify::cli {

/// The program: parses the command line, runs one command, maps failures to exit codes (docs/using). With
/// `messages`, sweeps can be shared between processes that mpirun started.
int run(int argc, char** argv, const MessagePassing& messages = {});

}  // namespace rankfall::verify::cli
