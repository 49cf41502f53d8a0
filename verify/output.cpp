#include "verify/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace rankfall::verify {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* action, int error) {
  throw OutputError(fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(error)));
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) return;
  fail("standard output", "write to", errno);
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  const std::string beside = path.string() + fmt::format(".{}.partial", ::getpid());
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) fail(path, "write", errno);
  const bool written = write_all(descriptor, text) && ::fsync(descriptor) == 0;
  const int error = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!written || !closed) {
    const int reason = written ? errno : error;
    ::unlink(beside.c_str());
    fail(path, "write", reason);
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(beside.c_str());
    fail(path, "replace", reason);
  }
}

}  // namespace rankfall::verify
