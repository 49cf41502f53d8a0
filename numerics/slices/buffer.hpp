#pragma once
#include <cstddef>
#include <memory>

namespace rankfall::slices {

/// Returns a buffer to what its thread keeps.
struct Release {
  std::size_t capacity = 0;
  void operator()(double* data) const;
};

/// Uninitialised doubles, aligned to 64 bytes. Memory that a thread has used it uses again, because fresh
/// pages cost more than a product: at most 64 MB are kept for a thread, until it ends.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size);
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

 private:
  std::unique_ptr<double[], Release> data_;
};

}  // namespace rankfall::slices
