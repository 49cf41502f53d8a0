#include "numerics/slices/buffer.hpp"

#include <algorithm>
#include <new>
#include <vector>

namespace rankfall::slices {
namespace {

constexpr std::align_val_t alignment{64};
constexpr std::size_t most_kept = (std::size_t(64) << 20) / sizeof(double), granule = 512;

/// Set when a thread has given back what it kept; buffers that outlive that are returned at once.
thread_local bool ended = false;

/// The blocks a thread keeps.
class Kept {
 public:
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    ended = true;
    for (const Block& block : blocks_) ::operator delete[](block.data, alignment);
  }

  /// The smallest that is large enough; a null pointer when there is none, or only one that would be mostly
  /// unused.
  double* take(std::size_t size, std::size_t& capacity) {
    auto best = blocks_.end();
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block)
      if (block->capacity >= size && block->capacity <= 4 * size &&
          (best == blocks_.end() || block->capacity < best->capacity))
        best = block;
    if (best == blocks_.end()) return nullptr;
    double* const data = best->data;
    capacity = best->capacity;
    total_ -= capacity;
    blocks_.erase(best);
    return data;
  }

  /// The oldest make room.
  void put(double* data, std::size_t capacity) noexcept {
    while (!blocks_.empty() && (blocks_.size() == most_blocks || total_ + capacity > most_kept)) {
      total_ -= blocks_.front().capacity;
      ::operator delete[](blocks_.front().data, alignment);
      blocks_.erase(blocks_.begin());
    }
    if (capacity > most_kept) return ::operator delete[](data, alignment);
    blocks_.push_back({data, capacity});  // within what was reserved
    total_ += capacity;
  }

  void reserve() { blocks_.reserve(most_blocks); }

 private:
  static constexpr std::size_t most_blocks = 16;
  struct Block {
    double* data;
    std::size_t capacity;
  };
  std::vector<Block> blocks_;
  std::size_t total_ = 0;
};

Kept& kept() {
  thread_local Kept blocks;
  return blocks;
}

}  // namespace

Buffer::Buffer(std::size_t size) {
  std::size_t capacity = std::max<std::size_t>((size + granule - 1) / granule, 1) * granule;
  double* data = nullptr;
  if (!ended) {
    kept().reserve();
    data = kept().take(capacity, capacity);
  }
  if (data == nullptr) data = static_cast<double*>(::operator new[](capacity * sizeof(double), alignment));
  data_ = std::unique_ptr<double[], Release>(data, Release{capacity});
}

void Release::operator()(double* data) const {
  if (ended) return ::operator delete[](data, alignment);
  kept().put(data, capacity);
}

}  // namespace rankfall::slices
