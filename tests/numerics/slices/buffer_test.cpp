#include "numerics/slices/buffer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using rankfall::slices::Buffer;

TEST_CASE("buffers are aligned and their own, whatever was used before") {
  for (int round = 0; round < 3; ++round) {
    std::vector<Buffer> buffers;
    for (std::size_t size = 0; size < 40; ++size) {
      buffers.emplace_back(size * size * 7);
      CHECK(reinterpret_cast<std::uintptr_t>(buffers.back().data()) % 64 == 0);
      for (std::size_t i = 0; i < size * size * 7; ++i) buffers.back().data()[i] = static_cast<double>(size);
    }
    for (std::size_t size = 1; size < 40; ++size) {
      CHECK(buffers[size].data()[0] == static_cast<double>(size));
      CHECK(buffers[size].data()[size * size * 7 - 1] == static_cast<double>(size));
    }
  }
}

TEST_CASE("a buffer is used again by its thread") {
  const double* first = nullptr;
  {
    const Buffer buffer(100000);
    first = buffer.data();
  }
  CHECK(Buffer(90000).data() == first);
}

TEST_CASE("buffers move between threads and outlive them") {
  std::optional<Buffer> kept;
  std::thread([&kept] {
    const Buffer returned(5000);
    kept.emplace(6000);
    kept->data()[5999] = 3;
  }).join();
  std::thread([buffer = std::move(*kept)]() mutable {
    CHECK(buffer.data()[5999] == 3);
    const Buffer taken = std::move(buffer);
  }).join();
}
