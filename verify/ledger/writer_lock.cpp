#include "verify/ledger/writer_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "verify/output.hpp"

namespace rankfall::verify {
namespace {

/// One byte far beyond those that SQLite locks, and beyond any data.
struct flock far_byte() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t{1} << 60;
  lock.l_len = 1;
  return lock;
}

}  // namespace

WriterLock::WriterLock(const std::string& path)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) throw OutputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  struct flock lock = far_byte();
  // A lock of the open file, not of the process: SQLite's own are not disturbed.
  if (::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0) return;
  const int error = errno;
  ::close(descriptor_);
  if (error == EAGAIN || error == EACCES)
    throw OutputError(fmt::format(
        "another process is writing {}; wait for it, or give this one a ledger of its own and merge them",
        path));
  throw OutputError(fmt::format("cannot lock {}: {}", path, std::strerror(error)));
}

WriterLock::~WriterLock() {
  ::close(descriptor_);
}

}  // namespace rankfall::verify
