#include "numerics/slices/kernel.hpp"

#include <doctest/doctest.h>

#include "numerics/slices/buffer.hpp"
#include "tests/numerics/oracle.hpp"

using namespace rankfall;
using namespace rankfall::slices;

namespace {

struct Panels {
  Buffer left, right;
};

Panels random_panels(int slices, Index depth, bool integers, test::Draws& draws) {
  const Index left = slices * depth * left_width, right = slices * depth * right_width;
  Panels result{Buffer(static_cast<std::size_t>(left)), Buffer(static_cast<std::size_t>(right))};
  const auto number = [&] {
    return integers ? static_cast<double>(draws.integer(-4000000, 4000000)) : draws.normal();
  };
  for (Index i = 0; i < left; ++i) result.left.data()[i] = number();
  for (Index i = 0; i < right; ++i) result.right.data()[i] = number();
  return result;
}

}  // namespace

TEST_CASE("every kernel adds up integers exactly, and other numbers in one order") {
  test::Draws draws(621);
  const int slices = 3;
  for (const Index depth : {1, 2, 7, 64})
    for (const bool integers : {true, false}) {
      const Panels panels = random_panels(slices, depth, integers, draws);
      const Terms terms{panels.left.data(),
                        depth * left_width,
                        panels.right.data() + (slices - 1) * depth * right_width,
                        -depth * right_width,
                        slices,
                        depth};
      double expected[tile_size];
      for (Index entry = 0; entry < tile_size; ++entry) {
        expected[entry] = static_cast<double>(entry);
        for (int pair = 0; pair < slices; ++pair)
          for (Index k = 0; k < depth; ++k)
            expected[entry] +=
                panels.left.data()[(pair * depth + k) * left_width + entry / right_width] *
                panels.right.data()[((slices - 1 - pair) * depth + k) * right_width + entry % right_width];
      }
      for (const Kernel kernel : available_kernels()) {
        CAPTURE(name(kernel));
        CAPTURE(depth);
        alignas(64) double tile[tile_size];
        for (const bool exact : {true, false}) {
          if (exact && !integers) continue;
          for (Index entry = 0; entry < tile_size; ++entry) tile[entry] = static_cast<double>(entry);
          (exact ? add_exact : add_in_order)(kernel, terms, tile);
          for (Index entry = 0; entry < tile_size; ++entry) CHECK(tile[entry] == expected[entry]);
        }
      }
    }
}

TEST_CASE("the plain kernel is everywhere, and names are told") {
  CHECK(available_kernels().front() == Kernel::plain);
  CHECK(available_kernels().back() == fastest_kernel());
  CHECK(name(Kernel::plain) == "plain");
  CHECK(name(Kernel::avx2) == "avx2");
  CHECK(name(Kernel::avx512) == "avx512");
}
