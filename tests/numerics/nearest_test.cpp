#include "numerics/nearest.hpp"

#include <doctest/doctest.h>

using rankfall::nearest;

TEST_CASE("nearest: the least edit distance, a letter in the other case being the smallest mistake") {
  const std::vector<std::string> keys = {"d_qk", "W_Q", "W_QK", "b_Q"};
  CHECK(nearest("w_qk", keys) == "W_QK");
  CHECK(nearest("W_qk", keys) == "W_QK");
  CHECK(nearest("w_q", keys) == "W_Q");
  CHECK(nearest("d_kq", keys) == "d_qk");
  CHECK(nearest("Diameter", {"diameters", "diameter"}) == "diameter");
}

TEST_CASE("nearest: nothing when no candidate is near, however long the word") {
  CHECK(nearest("foo", {"diameter"}).empty());
  CHECK(nearest("", {"diameter"}).empty());
  CHECK(nearest(std::string(1'000'000, 'x'), {"diameter"}).empty());
}
