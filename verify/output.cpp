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
  explicit Beside(const std::filesystem::path& path)
      : path_(path),
        beside_(path.string() + fmt::format(".{}.partial", ::getpid())),
        descriptor_(::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) fail(path_, "write", errno);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!in_place_) ::unlink(beside_.c_str());
  }

  void append(std::string_view text) {
    if (!write_all(descriptor_, text)) fail(path_, "write", errno);
  }

  /// After which nothing may be appended.
  void complete() {
    if (::fsync(descriptor_) != 0) fail(path_, "write", errno);
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail(path_, "write", errno);
  }

  void put_in_place() {
    if (::rename(beside_.c_str(), path_.c_str()) != 0) fail(path_, "replace", errno);
    in_place_ = true;
  }

 private:
  std::filesystem::path path_;
  std::string beside_;
  int descriptor_;
  bool in_place_ = false;
};

}  // namespace

void write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) return;
  fail("standard output", "write to", errno);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError("cannot make the folder " + folder.string() + ": " + error.message());
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, [text](const TextSink& sink) { sink(text); });
}

void write_file(const std::filesystem::path& path, const std::function<void(const TextSink&)>& produce) {
  Beside file(path);
  produce([&file](std::string_view text) { file.append(text); });
  file.complete();
  file.put_in_place();
}

void write_files(const std::vector<std::pair<std::filesystem::path, std::string>>& files) {
  std::vector<std::unique_ptr<Beside>> written;
  for (const auto& [path, text] : files) {
    written.push_back(std::make_unique<Beside>(path));
    written.back()->append(text);
    written.back()->complete();
  }
  for (const auto& file : written) file->put_in_place();
}

}  // namespace rankfall::verify
