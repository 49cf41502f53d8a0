#include "numerics/io/file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "numerics/errors.hpp"

using namespace rankfall;
namespace fs = std::filesystem;

namespace {

/// A folder of its own, gone with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "rankfall-file-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string message_of(const fs::path& path, std::size_t limit = 1000) {
  try {
    read_file(path, limit);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("a file is read whole, byte for byte") {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 70'000; ++i) bytes += static_cast<char>(i % 251);
  write(folder / "bytes", bytes);
  CHECK(read_file(folder / "bytes", 70'000) == bytes);
  CHECK(message_of(folder / "bytes", 69'999) ==
        (folder / "bytes").string() + ": the file is longer than 69999 bytes, the most that is read");
  write(folder / "empty", "");
  CHECK(read_file(folder / "empty", 10).empty());
}

TEST_CASE("whatever is no regular file is refused at once") {
  const TemporaryFolder folder;
  CHECK(message_of(folder / "absent").ends_with("absent: there is no such file"));
  CHECK(message_of("") == "\"\": there is no such file");
  fs::create_directory(folder / "folder");
  CHECK(message_of(folder / "folder").ends_with("folder: found a folder; a file is needed"));
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(
      message_of(folder / "pipe").ends_with("found a pipe, a socket or a device; a regular file is needed"));
  CHECK(message_of("/dev/zero").ends_with("found a pipe, a socket or a device; a regular file is needed"));
  write(folder / "file", "x");
  CHECK(message_of(folder / "file" / "inside") != "read");
  fs::create_symlink("loop", folder / "loop");
  CHECK(message_of(folder / "loop") != "read");
  fs::create_symlink("file", folder / "link");
  CHECK(read_file(folder / "link", 10) == "x");
}

TEST_CASE("a file without read permission is refused with the reason") {
  const TemporaryFolder folder;
  write(folder / "secret", "x");
  fs::permissions(folder / "secret", fs::perms::none);
  if (geteuid() != 0)  // root reads everything
    CHECK(message_of(folder / "secret").find("cannot be opened: Permission denied") != std::string::npos);
  else
    CHECK(read_file(folder / "secret", 10) == "x");
}
