#include "verify/cli/process.hpp"

#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>
#include <csignal>

#include <cstdlib>
#include <cstring>

#include <flint/flint.h>

#include "verify/cli/command.hpp"

namespace rankfall::verify::cli {
namespace {

[[noreturn]] void give_up(const char* message, int code = internal) {
  if (::write(STDERR_FILENO, message, std::strlen(message)) < 0) ::_exit(code);
  ::_exit(code);
}

[[noreturn]] void out_of_memory() {
  give_up("rankfall: out of memory\n");
}

/// FLINT has said why: it could not allocate, or an operation was asked of what has none.
[[noreturn]] void stopped_by_flint() {
  give_up("rankfall: internal error or out of memory: the line above is what FLINT says\n");
}

void* checked(void* memory) {
  if (memory == nullptr) out_of_memory();
  return memory;
}

void* allocate(std::size_t bytes) {
  return checked(std::malloc(bytes));
}
void* reallocate(void* memory, std::size_t, std::size_t bytes) {
  return checked(std::realloc(memory, bytes));
}
void release(void* memory, std::size_t) {
  std::free(memory);
}

void on_bus_error(int) {
  give_up("rankfall: a file became shorter while it was read, or its disk failed\n", bad_input);
}

}  // namespace

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Opened the wrong way round, so that using it fails. The lowest free number is `stream`.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) continue;
  }
}

void report_exhausted_memory() {
  mp_set_memory_functions(allocate, reallocate, release);
  flint_set_abort(stopped_by_flint);
}

void report_vanished_file() {
  struct sigaction action {};
  action.sa_handler = on_bus_error;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace rankfall::verify::cli
