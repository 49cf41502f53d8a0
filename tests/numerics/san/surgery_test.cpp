#include "numerics/san/surgery.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "tests/numerics/san/models.hpp"

using namespace rankfall;

namespace {

/// A pre-LN layer with skips, then a normalisation.
Network whole() {
  test::Draws draws(381);
  Network network = test::random_network(3, 2, 1, 1, 1, draws);
  std::get<AttentionBlock>(network.blocks[0]).pre_norm = Normalisation{Normalisation::Of::token, 1};
  std::get<AttentionBlock>(network.blocks[0]).mask = Mask::causal();
  MlpBlock mlp{1, Activation::relu, {{test::random_exact(2, 2, draws), {}}}};
  mlp.pre_norm = Normalisation{Normalisation::Of::token, 1};
  network.blocks.emplace_back(mlp);
  network.blocks.emplace_back(Normalisation{Normalisation::Of::token, 1});
  return network;
}

}  // namespace

TEST_CASE("each part can be taken out alone, and all of them") {
  const Network without_skip = operated(whole(), surgery({"skip"}));
  REQUIRE(without_skip.blocks.size() == 3);
  CHECK(skip(without_skip.blocks[0]) == 0);
  CHECK(skip(without_skip.blocks[1]) == 0);
  CHECK(pre_norm(without_skip.blocks[0]).has_value());

  const Network without_mlp = operated(whole(), surgery({"mlp"}));
  REQUIRE(without_mlp.blocks.size() == 2);
  CHECK(kind(without_mlp.blocks[1]) == "norm");

  const Network without_norm = operated(whole(), surgery({"layernorm"}));
  REQUIRE(without_norm.blocks.size() == 2);
  CHECK_FALSE(pre_norm(without_norm.blocks[0]).has_value());
  CHECK_FALSE(pre_norm(without_norm.blocks[1]).has_value());
  CHECK(skip(without_norm.blocks[1]) == 1);

  const Network attention = operated(whole(), surgery({"mlp", "layernorm", "skip"}));
  REQUIRE(attention.blocks.size() == 1);
  CHECK(std::get<AttentionBlock>(attention.blocks[0]).mask.is_causal());
  CHECK(attention.input == whole().input);
  CHECK(write_network(operated(whole(), {})) == write_network(whole()));
}

TEST_CASE("what cannot be removed is named") {
  CHECK_THROWS_WITH_AS(surgery({"skip", "bias"}),
                       "found \"bias\"; what can be removed is skip, mlp, layernorm", InputError);
  Network network = whole();
  std::get<MlpBlock>(network.blocks[1]).skip = 0;
  std::get<MlpBlock>(network.blocks[1]).layers[0].W = ExactMatrix(2, 5);
  CHECK_THROWS_WITH_AS(operated(network, surgery({"mlp"})),
                       "blocks[1]: this mlp block turns 2 columns into 5, so it cannot be removed",
                       InputError);
}

TEST_CASE("an affine map is no MLP") {
  Network network = whole();
  MlpBlock& map = std::get<MlpBlock>(network.blocks[1]);
  map.skip = 0;
  map.activation = Activation::identity;
  map.layers[0].W = ExactMatrix(2, 5);
  const Network without = operated(network, surgery({"mlp", "layernorm"}));
  REQUIRE(without.blocks.size() == 2);
  CHECK(std::get<MlpBlock>(without.blocks[1]).layers[0].W.cols() == 5);
  CHECK_FALSE(pre_norm(without.blocks[1]).has_value());
}
