#include "numerics/san/preset.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/san/sinusoid.hpp"

using namespace rankfall;

namespace {

Network small(const std::string& model, std::uint64_t seed = 1) {
  return generate(PresetSpec{model, 4, 8, 2, 2, seed});
}

std::string kinds(const Network& network) {
  std::string text;
  for (const Block& block : network.blocks) text += (text.empty() ? "" : " ") + kind(block);
  return text;
}

const AttentionBlock& attention(const Network& network, std::size_t block) {
  return std::get<AttentionBlock>(network.blocks.at(block));
}

double deviation_of(const ExactMatrix& a) {
  const Matrix<double> entries = a.nearest();
  return std::sqrt(entries.squaredNorm() / static_cast<double>(entries.size()));
}

}  // namespace

TEST_CASE("the blocks of each architecture") {
  const std::string post = "attention norm mlp norm attention norm mlp norm";
  CHECK(kinds(small("bert-base")) == "norm " + post);
  CHECK(kinds(small("bert-large")) == "norm " + post);
  CHECK(kinds(small("distilbert")) == "norm " + post);
  CHECK(kinds(small("albert-base")) == "norm mlp " + post);
  CHECK(kinds(small("xlnet-base")) == post);
  for (const std::string model : {"gpt2", "vit-b"}) {
    const Network network = small(model);
    CHECK(kinds(network) == "attention mlp attention mlp norm");
    CHECK(pre_norm(network.blocks[0]).has_value());
    CHECK(pre_norm(network.blocks[1]).has_value());
    CHECK(attention(network, 0).mask.is_causal() == (model == "gpt2"));
    CHECK(skip(network.blocks[1]) == 1);
  }
}

TEST_CASE("sizes are the model's own where none is given") {
  CHECK(find_preset("bert-large").dim == 1024);
  CHECK(find_preset("bert-large").depth == 24);
  CHECK(find_preset("distilbert").depth == 6);
  const Network network = generate(PresetSpec{"bert-base", 2, 24, std::nullopt, 1, 1});
  CHECK(attention(network, 1).heads.size() == 12);
  CHECK(attention(network, 1).heads[0].d_qk == 2);
}

TEST_CASE("weights have deviation 0.02, ALBERT's layers share them, seeds differ") {
  const Network bert = generate(PresetSpec{"bert-base", 4, 64, 2, 2, 5});
  CHECK(deviation_of(attention(bert, 1).heads[1].W_K) == doctest::Approx(0.02).epsilon(0.05));
  CHECK(deviation_of(std::get<MlpBlock>(bert.blocks[3]).layers[1].W) == doctest::Approx(0.02).epsilon(0.05));
  CHECK(deviation_of(bert.input) == doctest::Approx(0.02 * std::sqrt(3.0)).epsilon(0.2));
  CHECK_FALSE(attention(bert, 1).heads[0].W_Q == attention(bert, 5).heads[0].W_Q);
  CHECK_FALSE(attention(bert, 1).heads[0].W_Q == attention(bert, 1).heads[1].W_Q);
  const Network albert = small("albert-base");
  CHECK(attention(albert, 2).heads[0].W_Q == attention(albert, 6).heads[0].W_Q);
  const Network gpt2 = generate(PresetSpec{"gpt2", 4, 64, 2, 2, 5});
  CHECK(deviation_of(attention(gpt2, 0).heads[0].W_O) == doctest::Approx(0.01).epsilon(0.1));
  CHECK(write_network(small("gpt2")) == write_network(small("gpt2")));
  CHECK(write_network(small("gpt2")) != write_network(small("gpt2", 2)));
}

TEST_CASE("XLNet's heads have relative keys of sinusoids") {
  const Network network = small("xlnet-base");
  const Head& head = attention(network, 0).heads[0];
  CHECK(head.relative_keys.rows() == 7);
  CHECK_FALSE(head.b_R.empty());
  CHECK_FALSE(head.b_Q.empty());
  const std::vector<double> wave = sinusoid(-3, 6);
  for (int k = 0; k < 3; ++k) {
    const double angle = -3 / std::pow(10000, 2 * k / 6.0);
    CHECK(wave[static_cast<std::size_t>(k)] == doctest::Approx(std::sin(angle)).epsilon(1e-14));
    CHECK(wave[static_cast<std::size_t>(k + 3)] == doctest::Approx(std::cos(angle)).epsilon(1e-14));
  }
}

TEST_CASE("every preset is a network that a file can hold") {
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    const Network network = small(std::string(preset.name));
    CHECK_NOTHROW(validate(network));
    CHECK(write_network(parse_network(write_network(network), "x")) == write_network(network));
  }
}

TEST_CASE("what cannot be generated is named") {
  CHECK_THROWS_WITH_AS(
      generate(PresetSpec{"bert-bse", 4, {}, {}, {}, 1}),
      "unknown model \"bert-bse\"; did you mean \"bert-base\"? Allowed: bert-base, bert-large, "
      "distilbert, albert-base, xlnet-base, gpt2, vit-b",
      InputError);
  CHECK_THROWS_WITH_AS(generate(PresetSpec{"bert-base", 4, 10, 3, {}, 1}),
                       "dim = 10 is not divisible by heads = 3", InputError);
  CHECK_THROWS_WITH_AS(
      generate(PresetSpec{"bert-base", 128, {}, {}, {}, 1}),
      "bert-base in this size has about 85032960 numbers, a network file at most 16777216; give a "
      "smaller --dim, --depth or --tokens",
      InputError);
  CHECK_THROWS_AS(generate(PresetSpec{"bert-base", 0, 8, 2, 1, 1}), InputError);
}
