#include <doctest/doctest.h>

#include <cmath>

#include "numerics/san/doubles/follow.hpp"
#include "numerics/san/engine.hpp"
#include "numerics/san/generate.hpp"
#include "tests/numerics/san/models.hpp"
#include "tests/random_network.hpp"
#include "tests/support.hpp"

using namespace rankfall;

namespace {

/// Every state that doubles tell of, against entry balls at many more bits.
struct Compared {
  std::size_t states = 0, told = 0;
  double bits_left = 0;  ///< behind the last state
};

Compared compare(const Network& network, bool wide, Reference reference, bool to_mean, long bits) {
  const ResidualEngine engine(network, Precision(bits));
  ResidualState fine = engine.input(reference);
  Compared result;
  auto at = to_mean ? doubles::mean_state(network.input, wide)
                    : doubles::state(input_state(network.input, reference, Precision(256)), wide);
  for (std::size_t block = 0; at; ++block) {
    ++result.told;
    CAPTURE(block);
    CHECK(test::states_overlap(doubles::entries(*at), fine));
    result.bits_left = -std::log2(at->errors.total());
    if (block == network.blocks.size()) break;
    if (!doubles::is_plain_attention(network.blocks[block])) break;
    const auto layer = doubles::layer(std::get<AttentionBlock>(network.blocks[block]), wide);
    if (!layer) break;
    at = doubles::advance(*layer, *at, to_mean);
    fine = engine.advance(block, fine);
    if (to_mean) fine = recentred(fine, Reference::mean, engine.precision());
  }
  result.states = network.blocks.size() + 1;
  return result;
}

}  // namespace

TEST_CASE("doubles and pairs enclose the states of random networks, hostile ones among them") {
  std::size_t states = 0, told[2] = {0, 0};
  const int rounds = 250 * test::multiplier();
  for (int seed = 1; seed <= rounds; ++seed) {
    CAPTURE(seed);
    const Network network = test::RandomNetwork(static_cast<std::uint64_t>(seed) + 40000, false).draw();
    const bool to_mean = seed % 3 != 0;
    const Reference reference = to_mean    ? Reference::mean
                                : seed % 2 ? Reference::median
                                           : Reference::midrange;
    for (const bool wide : {false, true}) {
      CAPTURE(wide);
      const Compared compared = compare(network, wide, reference, to_mean, 700);
      told[wide] += compared.told;
      if (wide) states += compared.states;
    }
  }
  MESSAGE(told[0] << " and " << told[1] << " of " << states << " states told");
  CHECK(told[0] * 5 > states * 2);
  CHECK(told[1] * 5 > states * 3);
}

TEST_CASE("large attention blocks stay in factors and are enclosed") {
  GenerateSpec spec;
  spec.tokens = 6;
  spec.dim = 64;
  spec.heads = 4;
  spec.depth = 3;
  const Network network = generate(spec);
  for (const bool wide : {false, true}) {
    const auto layer = doubles::layer(std::get<AttentionBlock>(network.blocks.front()), wide);
    REQUIRE(layer);
    CHECK(layer->heads.front().scores.factored());
    const Compared compared = compare(network, wide, Reference::mean, true, 500);
    CHECK(compared.told == compared.states);
  }
}

TEST_CASE("a layer costs few bits") {
  // 16 tokens and columns, 12 layers: of 53 and 106 bits.
  int decided = 0, rounds = 20 * test::multiplier();
  double left = 0;
  for (int seed = 1; seed <= rounds; ++seed) {
    GenerateSpec spec;
    spec.seed = static_cast<std::uint64_t>(seed);
    const Network network = generate(spec);
    const Compared narrow = compare(network, false, Reference::mean, true, 400);
    decided += narrow.told == narrow.states && narrow.bits_left > 1;
    left += compare(network, true, Reference::mean, true, 400).bits_left;
  }
  MESSAGE(decided << " of " << rounds << " networks decided in doubles; bits lost a layer in pairs: "
                  << (106 - left / rounds) / 12);
  CHECK(decided * 10 >= rounds * 9);
  CHECK((106 - left / rounds) / 12 < 4.3);
}

TEST_CASE("what doubles do not tell of is refused") {
  Network network;
  network.input = ExactMatrix::from(3, 2, std::vector<double>{1, 2, 1, 2, 1, 2});
  CHECK_FALSE(doubles::mean_state(network.input, false).has_value());  // equal tokens: exactly zero
  CHECK_FALSE(
      doubles::mean_state(ExactMatrix::from(2, 1, std::vector<double>{1e300, -1e300}), true).has_value());

  AttentionBlock block;
  Head head;
  head.fused = true;
  head.d_qk = 1;
  head.W_QK = ExactMatrix::from(1, 1, std::vector<double>{1e250});
  head.W = ExactMatrix::identity(1);
  block.heads = {head};
  CHECK_FALSE(doubles::layer(block, false).has_value());
  block.heads.front().W_QK = ExactMatrix::identity(1);
  CHECK(doubles::is_plain_attention(block));
  CHECK(doubles::layer(block, true).has_value());
  block.mask = Mask::causal();
  CHECK_FALSE(doubles::is_plain_attention(block));
}
