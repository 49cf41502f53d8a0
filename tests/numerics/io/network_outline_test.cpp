#include "numerics/io/network_outline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <string>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"

using namespace rankfall;

namespace {

struct Tensor {
  std::string name, shape;
  std::vector<float> values;
};

std::string file(const std::vector<Tensor>& tensors) {
  std::string header, data;
  for (const Tensor& tensor : tensors) {
    const std::size_t begin = data.size();
    for (const float value : tensor.values)
      for (int i = 0; i < 4; ++i)
        data += static_cast<char>(std::bit_cast<std::uint32_t>(value) >> (8 * i) & 0xff);
    header += fmt::format("{}\"{}\":{{\"dtype\":\"F32\",\"shape\":{},\"data_offsets\":[{},{}]}}",
                          header.empty() ? "{" : ",", tensor.name, tensor.shape, begin, data.size());
  }
  header += "}";
  std::string length;
  for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return length + header + data;
}

const std::vector<Tensor> tensors = {{"input", "[2,2]", {1, 2, 3, 4}},
                                     {"blocks.0.heads.0.W_Q", "[2,1]", {1, 0.5}},
                                     {"blocks.0.heads.0.W_K", "[2,1]", {0, 1}},
                                     {"blocks.0.heads.0.W_V", "[2,2]", {1, 0, 0, 1}},
                                     {"blocks.0.heads.0.b_K", "[1]", {0.25}},
                                     {"blocks.0.pre_norm.shift", "[2]", {1, 2}},
                                     {"blocks.1.layers.0.W", "[2,2]", {1, -1, 0, 2}},
                                     {"blocks.2.scale", "[2]", {3, 4}},
                                     {"blocks.3.heads.0.W_QK", "[2,2]", {1, 0, 0, 1}},
                                     {"blocks.3.heads.0.W", "[2,1]", {1, 1}}};

std::string config(std::string_view blocks) {
  return fmt::format("{{\"model_type\": \"rankfall-network/1\", \"blocks\": [{}]}}", blocks);
}

const std::string blocks = R"(
  {"kind": "attention", "skip": "1/3", "mask": "causal", "heads": 1, "pre_norm": {"epsilon": 0.1, "of": "token"}},
  {"layers": 1, "activation": "gelu", "kind": "mlp"},
  {"kind": "norm", "of": "column", "epsilon": "1e-5"},
  {"kind": "attention", "heads": 1, "d_qk": 4})";

Network network_of(const std::vector<Tensor>& all, std::string_view text) {
  const std::string bytes = file(all);
  return outlined_network(Safetensors(bytes, "m.safetensors"), parse_outline(text, "config.json"), {});
}

std::string message_of(const std::vector<Tensor>& all, std::string_view text) {
  try {
    network_of(all, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string message_of(std::string_view text) {
  return message_of(tensors, config(text));
}

}  // namespace

TEST_SUITE("io/network_outline") {
  TEST_CASE("an outline and its tensors are the network that one JSON file says") {
    const Network expected =
        parse_network(R"({"format": "rankfall-network/1", "input": [[1, 2], [3, 4]], "blocks": [
      {"kind": "attention", "skip": "1/3", "mask": "causal",
       "pre_norm": {"of": "token", "epsilon": 0.1, "shift": [1, 2]},
       "heads": [{"W_Q": [[1], [0.5]], "W_K": [[0], [1]], "W_V": [[1, 0], [0, 1]], "b_K": [0.25]}]},
      {"kind": "mlp", "activation": "gelu", "layers": [{"W": [[1, -1], [0, 2]]}]},
      {"kind": "norm", "of": "column", "epsilon": "1e-5", "scale": [3, 4]},
      {"kind": "attention", "heads": [{"W_QK": [[1, 0], [0, 1]], "d_qk": 4, "W": [[1], [1]]}]}]})",
                      "net.json");
    CHECK(write_network(network_of(tensors, config(blocks))) == write_network(expected));
  }

  TEST_CASE("vectors stand for the input") {
    const std::string bytes = file({tensors.begin() + 1, tensors.end()});
    const ExactMatrix vectors = ExactMatrix::from(1, 2, std::vector<double>{5, 6});
    const Network network =
        outlined_network(Safetensors(bytes, "m"), parse_outline(config(blocks), "c"), vectors);
    CHECK(network.input == vectors);
    CHECK(message_of({tensors.begin() + 1, tensors.end()}, config(blocks)) ==
          "m.safetensors: input: there is no such tensor");
  }

  TEST_CASE("tensors and outline that disagree") {
    auto changed = tensors;
    changed[4].name = "blocks.0.heads.0.b_k";
    CHECK(message_of(changed, config(blocks)) ==
          "m.safetensors: blocks.0.heads.0.b_k: this tensor has no place in the network that the config "
          "describes");
    changed = tensors;
    changed[2].shape = "[1,2]";
    CHECK(message_of(changed, config(blocks)) ==
          "blocks[0].heads[0].W_K: found shape 1 x 2; it must be 2 x 1, like W_Q, which is 2 x 1");
    changed = tensors;
    changed[2].shape = "[2,1,1]";
    CHECK(message_of(changed, config(blocks)) ==
          "m.safetensors: blocks.0.heads.0.W_K: found the shape [2, 1, 1]; it "
          "must have one or two dimensions, none of them 0");
    CHECK(message_of(R"({"kind": "attention", "heads": 2})") ==
          "m.safetensors: blocks.0.heads.1.W_Q: there is no such tensor");
    changed = {tensors[0], tensors[8], tensors[9]};
    changed[1].name = "blocks.0.heads.0.W_QK";
    changed[2].name = "blocks.0.heads.0.W";
    CHECK(message_of(changed, config(R"({"kind": "attention", "heads": 1, "d_qk": 1})")) == "accepted");
    CHECK(message_of(changed, config(R"({"kind": "attention", "heads": 1})")) ==
          "m.safetensors: blocks.0.heads.0.W_QK: the block has no \"d_qk\", which scores in this form need");
  }

  TEST_CASE("outlines that are none") {
    CHECK(message_of(tensors, R"({"model_type": "bert", "blocks": []})") ==
          "config.json: model_type: found \"bert\"; expected \"rankfall-network/1\"");
    CHECK(message_of(tensors, R"({"model_type": "rankfall-network/1"})") ==
          "config.json: the key \"blocks\" is missing; it holds the list of blocks");
    CHECK(message_of(R"({"heads": 1})").starts_with("config.json: blocks[0]: the key \"kind\" is missing"));
    CHECK(message_of(R"({"kind": "attention"})")
              .starts_with("config.json: blocks[0]: the key \"heads\" is missing"));
    CHECK(message_of(R"({"kind": "mlp", "layers": 1})")
              .starts_with("config.json: blocks[0]: the key \"activation\""));
    CHECK(message_of(R"({"kind": "norm"})").starts_with("config.json: blocks[0]: the key \"of\" is missing"));
    CHECK(message_of(R"({"kind": "norm", "of": "token", "skip": 1})") ==
          "config.json: blocks[0]: found the key \"skip\" in a block of kind \"norm\". Keys allowed here: "
          "kind, of, "
          "epsilon");
    CHECK(message_of(R"({"kind": "attention", "heads": 0})") ==
          "config.json: blocks[0].heads: found 0; expected a whole number from 1 to 1000000");
    CHECK(
        message_of(R"({"kind": "attention", "heads": 1, "pre_norm": {"of": "token", "scale": [1]}})") ==
        "config.json: blocks[0]: pre_norm: found \"scale\" or \"shift\"; they are tensors of the checkpoint");
  }
}
