#pragma once

namespace rankfall::verify::cli {

/// Keeps the numbers 0 to 2 from files that are opened later: where the program was started without one of
/// the standard streams, messages and results would else land in such a file. Reading from or writing to a
/// stream that was not there stays an error.
void hold_standard_streams();

/// From now on the libraries in C end the program with exit code 70 and one line when memory runs out,
/// instead of aborting it.
void report_exhausted_memory();

/// From now on a mapped file that becomes shorter while it is read, or whose disk fails, ends the program
/// with exit code 65 and one line.
void report_vanished_file();

}  // namespace rankfall::verify::cli
