#pragma once
#include <string>

namespace rankfall::verify {

/// The right to write a ledger, held by one process at a time and given back when it ends, however it ends.
/// Readers are not hindered.
class WriterLock {
 public:
  /// Makes the file where there is none. Throws OutputError when it cannot be opened for writing or another
  /// process holds the lock.
  explicit WriterLock(const std::string& path);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace rankfall::verify
