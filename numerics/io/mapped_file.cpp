#include "numerics/io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, int descriptor, const std::string& why) {
  if (descriptor >= 0) ::close(descriptor);
  throw InputError(fmt::format("{}: {}", path.string(), why));
}

std::string last_error() {
  return "cannot be read: " + std::generic_category().message(errno);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(path, descriptor, errno == ENOENT ? "there is no such file" : last_error());
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse(path, descriptor, last_error());
  if (!S_ISREG(status.st_mode)) refuse(path, descriptor, "found no regular file; one is needed");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) refuse(path, descriptor, last_error());
    data_ = static_cast<const char*>(address);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace rankfall
