#include "theory/paths.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"

using namespace rankfall;
using namespace rankfall::theory;

namespace {

/// Goes through every path of a network with `heads` heads and a skip in each layer.
std::vector<long> counted_one_by_one(long heads, long depth) {
  std::vector<long> of_length(static_cast<std::size_t>(depth) + 1, 0);
  std::vector<long> path(static_cast<std::size_t>(depth), 0);  // 0 is the skip
  for (;;) {
    long length = 0;
    for (const long choice : path) length += choice != 0 ? 1 : 0;
    ++of_length[static_cast<std::size_t>(length)];
    std::size_t layer = 0;
    while (layer < path.size() && path[layer] == heads) path[layer++] = 0;
    if (layer == path.size()) return of_length;
    ++path[layer];
  }
}

}  // namespace

TEST_CASE("path counts are those of all paths gone through one by one") {
  for (long heads = 1; heads <= 3; ++heads)
    for (long depth = 1; depth <= 6; ++depth) {
      CAPTURE(heads);
      CAPTURE(depth);
      const PathCount paths = path_count(heads, depth);
      const std::vector<long> expected = counted_one_by_one(heads, depth);
      REQUIRE(paths.of_length.size() == expected.size());
      Integer total = 0, lengths = 0;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        CHECK(paths.of_length[k] == expected[k]);
        total += expected[k];
        lengths += Integer(expected[k]) * static_cast<long>(k);
      }
      CHECK(paths.total == total);
      CHECK(paths.mean == Rational(lengths, total));
      CHECK(paths.full_length == Rational(Integer(expected.back()), total));
    }
}

TEST_CASE("the total is (1 + H)^L and the modes follow (L + 1) H/(1 + H)") {
  for (const long heads : {1L, 2L, 7L, 12L, 96L})
    for (const long depth : {1L, 5L, 12L, 96L, 1000L}) {
      const PathCount paths = path_count(heads, depth);
      CHECK(paths.total == power(Integer(heads + 1), static_cast<unsigned long>(depth)));
      const long scaled = (depth + 1) * heads, mode = scaled / (heads + 1);
      if (scaled % (heads + 1) == 0)
        CHECK(paths.modes == std::vector<long>{mode - 1, mode});
      else
        CHECK(paths.modes == std::vector<long>{mode});
    }
}

TEST_CASE("the models have the heads and layers of docs/theory/paths, and the modes that follow") {
  const auto modes = [](const char* name) {
    const PathModel& model = find_path_model(name);
    return path_count(model.heads, model.depth).modes;
  };
  CHECK(modes("distilbert") == std::vector<long>{6});
  CHECK(modes("mobilebert-notebook") == std::vector<long>{10});
  CHECK(modes("mobilebert") == std::vector<long>{19, 20});
  CHECK(modes("bert-base") == std::vector<long>{11, 12});
  CHECK(modes("vit-b") == std::vector<long>{11, 12});
  CHECK(modes("bert-large") == std::vector<long>{23});
  CHECK(modes("vit-h") == std::vector<long>{31});
  CHECK(modes("t5-3b") == std::vector<long>{24});
  CHECK(modes("t5-11b") == std::vector<long>{24});
  CHECK(modes("gpt-3") == std::vector<long>{95, 96});
  CHECK(modes("deit-t") == std::vector<long>{9});
}

TEST_CASE("what cannot be counted is refused with what can") {
  CHECK_THROWS_WITH_AS(path_count(0, 3), "heads 0: allowed are 1 to 1000000000", InputError);
  CHECK_THROWS_WITH_AS(path_count(2, 1001), "depth 1001: allowed are 1 to 1000", InputError);
  CHECK_THROWS_WITH_AS(find_path_model("gpt3"), doctest::Contains("did you mean \"gpt-3\""), InputError);
}
