#include "numerics/io/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError(fmt::format("{}: {}", path.empty() ? in_quotes("") : path.string(), why));
}

void require_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  switch (status.type()) {
    case fs::file_type::regular:
      return;
    case fs::file_type::not_found:
      refuse(path, "there is no such file");
    case fs::file_type::directory:
      refuse(path, "found a folder; a file is needed");
    case fs::file_type::none:
      refuse(path, "cannot be read: " + error.message());
    default:
      refuse(path, "found a pipe, a socket or a device; a regular file is needed");
  }
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t max_bytes) {
  require_regular_file(path);
  std::error_code error;
  const std::uintmax_t announced = fs::file_size(path, error);
  const auto refuse_size = [&] {
    refuse(path, fmt::format("the file is longer than {} bytes, the most that is read", max_bytes));
  };
  if (!error && announced > max_bytes) refuse_size();

  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path, "cannot be opened: " + std::generic_category().message(errno));
  std::string bytes;
  // One byte more than announced shows the end at once; a file may still grow, or announce nothing as in
  // /proc.
  std::size_t chunk = error ? 4096 : static_cast<std::size_t>(announced) + 1;
  while (stream) {
    const std::size_t before = bytes.size();
    bytes.resize(before + chunk);
    stream.read(bytes.data() + before, static_cast<std::streamsize>(chunk));
    bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > max_bytes) refuse_size();
    chunk = std::max<std::size_t>(4096, bytes.size() / 2);
  }
  if (stream.bad()) refuse(path, "reading failed: " + std::generic_category().message(errno));
  return bytes;
}

}  // namespace rankfall
