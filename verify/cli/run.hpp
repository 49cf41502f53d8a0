#pragma once

namespace rankfall::verify::cli {

/// The program: parses the command line, runs one command, maps failures to exit codes (docs/using).
int run(int argc, char** argv);

}  // namespace rankfall::verify::cli
