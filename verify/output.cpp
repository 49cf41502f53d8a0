#include "verify/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
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

/// A whole file beside its place; it goes with the object unless it was put in place.
class Beside {
 public:
  Beside(const std::filesystem::path& path, std::string_view text)
      : path_(path), beside_(path.string() + fmt::format(".{}.partial", ::getpid())) {
    const int descriptor = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) fail(path, "write", errno);
    const bool written = write_all(descriptor, text) && ::fsync(descriptor) == 0;
    const int error = errno;
    const bool closed = ::close(descriptor) == 0;
    if (written && closed) return;
    const int reason = written ? errno : error;
    ::unlink(beside_.c_str());
    fail(path, "write", reason);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (!in_place_) ::unlink(beside_.c_str());
  }

  void put_in_place() const {
    if (::rename(beside_.c_str(), path_.c_str()) != 0) fail(path_, "replace", errno);
    in_place_ = true;
  }

 private:
  std::filesystem::path path_;
  std::string beside_;
  mutable bool in_place_ = false;
};

}  // namespace

void write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) return;
  fail("standard output", "write to", errno);
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  const Beside file(path, text);
  file.put_in_place();
}

void write_files(const std::vector<std::pair<std::filesystem::path, std::string>>& files) {
  std::vector<std::unique_ptr<const Beside>> written;
  for (const auto& [path, text] : files) written.push_back(std::make_unique<const Beside>(path, text));
  for (const auto& file : written) file->put_in_place();
}

}  // namespace rankfall::verify
