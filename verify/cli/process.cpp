#include "verify/cli/process.hpp"

#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include <flint/flint.h>

#include "verify/cli/command.hpp"

namespace rankfall::verify::cli {
namespace {

[[noreturn]] void out_of_memory() {
  constexpr char message[] = "rankfall: out of memory\n";
  if (::write(STDERR_FILENO, message, std::strlen(message)) < 0) ::_exit(internal);
  ::_exit(internal);
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
  flint_set_abort(out_of_memory);
}

}  // namespace rankfall::verify::cli
