#include "numerics/san/generate.hpp"

#include <doctest/doctest.h>

#include <string>

#include "numerics/errors.hpp"

using namespace rankfall;

namespace {

std::string form_refusal(const std::string& text) {
  try {
    layer_form(text);
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string kinds(const GenerateSpec& spec) {
  std::string text;
  for (const Block& block : generate(spec).blocks) text += kind(block) + ' ' + to_text(skip(block)) + ", ";
  return text;
}

}  // namespace

TEST_CASE("forms of layers are read and told in one way") {
  CHECK(to_text(layer_form("pure")) == "pure");
  CHECK(to_text(layer_form("skip")) == "skip");
  CHECK(to_text(layer_form("skip=1.0")) == "skip");
  CHECK(to_text(layer_form("layernorm+mlp+skip=1/2")) == "skip=0.5+mlp+layernorm");
  CHECK(layer_form("skip=-1/3").skip == Rational(-1, 3));
  CHECK(layer_form("mlp").blocks() == 2);
  CHECK(layer_form("mlp+layernorm").blocks() == 4);
  CHECK(
      form_refusal("mpl").starts_with("unknown word \"mpl\" for blocks (did you mean mlp?); allowed: pure"));
  CHECK(form_refusal("").starts_with("unknown word \"\" for blocks"));
  CHECK(form_refusal("mlp+").starts_with("unknown word \"\" for blocks"));
  CHECK(form_refusal("pure+mlp") == "blocks \"pure+mlp\": pure stands alone");
  CHECK(form_refusal("skip+mlp+skip=2") == "blocks \"skip+mlp+skip=2\": \"skip=2\" stands twice");
  CHECK(form_refusal("mlp+mlp") == "blocks \"mlp+mlp\": \"mlp\" stands twice");
  CHECK(form_refusal("skip=0") == "a skip of 0 is none; leave the word out");
  CHECK(form_refusal("skip=x") != "accepted");
}

TEST_CASE("generated layers have the blocks of their form around the same attention") {
  GenerateSpec spec;
  spec.tokens = 3, spec.dim = 4, spec.heads = 2, spec.depth = 2;
  const Network pure = generate(spec);
  CHECK(kinds(spec) == "attention 0, attention 0, ");
  spec.blocks = "skip=1/2";
  CHECK(kinds(spec) == "attention 0.5, attention 0.5, ");
  spec.blocks = "layernorm";
  CHECK(kinds(spec) == "attention 0, norm 0, attention 0, norm 0, ");
  spec.blocks = "skip+mlp+layernorm";
  CHECK(kinds(spec) == "attention 1, norm 0, mlp 1, norm 0, attention 1, norm 0, mlp 1, norm 0, ");
  const Network whole = generate(spec);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const auto& plain = std::get<AttentionBlock>(pure.blocks[layer]);
    const auto& dressed = std::get<AttentionBlock>(whole.blocks[4 * layer]);
    for (std::size_t h = 0; h < 2; ++h) CHECK(plain.heads[h].W_Q.nearest() == dressed.heads[h].W_Q.nearest());
    const auto& mlp = std::get<MlpBlock>(whole.blocks[4 * layer + 2]);
    REQUIRE(mlp.layers.size() == 2);
    CHECK(mlp.activation == Activation::relu);
    CHECK(mlp.layers[0].W.cols() == 16);
    CHECK(mlp.layers[1].W.rows() == 16);
  }
  CHECK(std::get<Normalisation>(whole.blocks[1]).epsilon == Rational(1, 100000));
  const auto first = std::get<MlpBlock>(whole.blocks[2]).layers[0].W.nearest();
  const auto second = std::get<MlpBlock>(whole.blocks[6]).layers[0].W.nearest();
  CHECK(first != second);
}

TEST_CASE("an MLP keeps the size of a gaussian input: entries of variance 1/d and 1/(4 d)") {
  GenerateSpec spec;
  spec.tokens = 2, spec.dim = 32, spec.depth = 1;
  spec.blocks = "mlp";
  const Network network = generate(spec);
  const auto& mlp = std::get<MlpBlock>(network.blocks[1]);
  CHECK(mlp.layers[0].W.nearest().squaredNorm() == doctest::Approx(32 * 4).epsilon(0.1));
  CHECK(mlp.layers[1].W.nearest().squaredNorm() == doctest::Approx(32).epsilon(0.1));
}
