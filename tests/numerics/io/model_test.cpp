// Checkpoints assembled byte by byte under the names that BERT, ALBERT and GPT-2 use, against a forward pass
// in plain loops over the same tensors.
#include "numerics/io/model.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/random.hpp"
#include "numerics/san/direct.hpp"

using namespace rankfall;

namespace {

using Rows = std::vector<std::vector<double>>;

/// Tensors of float32 under their names, and the file that holds them.
struct Checkpoint {
  struct Tensor {
    std::vector<std::size_t> shape;
    std::vector<float> values;
  };
  std::map<std::string, Tensor> tensors;
  Stream stream{7, 0, 0, 0};
  std::uint64_t next = 0;

  void add(const std::string& name, std::vector<std::size_t> shape, double centre = 0) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    Tensor& tensor = tensors[name];
    tensor.shape = std::move(shape);
    for (std::size_t i = 0; i < count; ++i)
      tensor.values.push_back(static_cast<float>(centre + 0.3 * stream.normal(next++)));
  }
  void linear(const std::string& module, std::size_t in, std::size_t out) {
    add(module + ".weight", {out, in});
    add(module + ".bias", {out});
  }
  void conv(const std::string& module, std::size_t in, std::size_t out) {
    add(module + ".weight", {in, out});
    add(module + ".bias", {out});
  }
  void norm(const std::string& module, std::size_t width) {
    add(module + ".weight", {width}, 1);
    add(module + ".bias", {width});
  }

  std::string bytes() const {
    std::string header, data;
    for (const auto& [name, tensor] : tensors) {
      std::string shape;
      for (const std::size_t extent : tensor.shape)
        shape += (shape.empty() ? "" : ",") + std::to_string(extent);
      const std::size_t begin = data.size();
      for (const float value : tensor.values)
        for (int i = 0; i < 4; ++i)
          data += static_cast<char>(std::bit_cast<std::uint32_t>(value) >> (8 * i) & 0xff);
      header += fmt::format("{}\"{}\":{{\"dtype\":\"F32\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                            header.empty() ? "{" : ",", name, shape, begin, data.size());
    }
    header += "}";
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return length + header + data;
  }

  double at(const std::string& name, std::size_t i, std::size_t j) const {
    const Tensor& tensor = tensors.at(name);
    return static_cast<double>(tensor.values[i * tensor.shape.back() + j]);
  }
  /// x W^T + b, or x W + b.
  Rows apply(const std::string& module, const Rows& x, bool conv) const {
    const auto& shape = tensors.at(module + ".weight").shape;
    const std::size_t out = conv ? shape[1] : shape[0];
    Rows y(x.size(), std::vector<double>(out));
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < out; ++j) {
        y[i][j] = at(module + ".bias", 0, j);
        for (std::size_t k = 0; k < x[i].size(); ++k)
          y[i][j] += x[i][k] * (conv ? at(module + ".weight", k, j) : at(module + ".weight", j, k));
      }
    return y;
  }
  Rows normed(const std::string& module, Rows x, double epsilon) const {
    for (auto& row : x) {
      double mean = 0, variance = 0;
      for (const double v : row) mean += v / static_cast<double>(row.size());
      for (const double v : row) variance += (v - mean) * (v - mean) / static_cast<double>(row.size());
      for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = (row[j] - mean) / std::sqrt(variance + epsilon) * at(module + ".weight", 0, j) +
                 at(module + ".bias", 0, j);
    }
    return x;
  }
};

Rows columns(const Rows& x, std::size_t first, std::size_t count) {
  Rows part;
  for (const auto& row : x)
    part.emplace_back(row.begin() + static_cast<long>(first), row.begin() + static_cast<long>(first + count));
  return part;
}

Rows attention(const Rows& q, const Rows& k, const Rows& v, std::size_t heads, bool causal) {
  const std::size_t n = q.size(), width = q[0].size() / heads;
  Rows mixed(n, std::vector<double>(q[0].size()));
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> weight(n);
      double total = 0;
      for (std::size_t j = 0; j < (causal ? i + 1 : n); ++j) {
        double score = 0;
        for (std::size_t c = h * width; c < (h + 1) * width; ++c) score += q[i][c] * k[j][c];
        weight[j] = std::exp(score / std::sqrt(static_cast<double>(width)));
        total += weight[j];
      }
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = h * width; c < (h + 1) * width; ++c) mixed[i][c] += weight[j] / total * v[j][c];
    }
  return mixed;
}

Rows sum(Rows a, const Rows& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] += b[i][j];
  return a;
}

template <class F>
Rows mapped(Rows x, F f) {
  for (auto& row : x)
    for (double& v : row) v = f(v);
  return x;
}

double gelu(double x) {
  return x * std::erfc(-x / std::sqrt(2.0)) / 2;
}
double gelu_new(double x) {
  return x * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x))) / 2;
}

Rows embedded(const Checkpoint& c, const std::vector<std::string>& tables, const std::vector<Index>& ids) {
  Rows x;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t width = c.tensors.at(tables[0]).shape[1];
    std::vector<double> row(width);
    for (std::size_t j = 0; j < width; ++j) {
      row[j] = c.at(tables[0], static_cast<std::size_t>(ids[i]), j) + c.at(tables[1], i, j);
      if (tables.size() > 2) row[j] += c.at(tables[2], 0, j);
    }
    x.push_back(row);
  }
  return x;
}

void check_equal(const Network& network, const Rows& expected) {
  const Matrix<double> found = evaluate<double>(network).back();
  REQUIRE(found.rows() == static_cast<Index>(expected.size()));
  for (Index i = 0; i < found.rows(); ++i)
    for (Index j = 0; j < found.cols(); ++j)
      CHECK(
          found(i, j) ==
          doctest::Approx(expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]).epsilon(1e-12));
}

constexpr std::size_t d = 4, heads = 2, layers = 2, wide = 6, vocabulary = 7, positions = 5;
const std::vector<Index> ids = {3, 0, 6};

const std::string bert_config =
    R"({"model_type":"bert","hidden_size":4,"num_attention_heads":2,"num_hidden_layers":2,
  "intermediate_size":6,"hidden_act":"gelu","layer_norm_eps":1e-12,"vocab_size":7,"architectures":["BertModel"]})";
const std::string albert_config =
    R"({"model_type":"albert","hidden_size":4,"embedding_size":3,"num_attention_heads":2,"num_hidden_layers":2,
  "num_hidden_groups":1,"inner_group_num":1,"intermediate_size":6,"hidden_act":"gelu_new","layer_norm_eps":1e-12})";
const std::string gpt2_config = R"({"model_type":"gpt2","n_embd":4,"n_head":2,"n_layer":2,"n_inner":null,
  "activation_function":"gelu_new","layer_norm_epsilon":1e-05})";

void add_embeddings(Checkpoint& c, const std::string& prefix, std::size_t width) {
  c.add(prefix + "embeddings.word_embeddings.weight", {vocabulary, width});
  c.add(prefix + "embeddings.position_embeddings.weight", {positions, width});
  c.add(prefix + "embeddings.token_type_embeddings.weight", {2, width});
  c.norm(prefix + "embeddings.LayerNorm", width);
}

/// Modules of an encoder layer: query, key, value, output, its norm, first, second, its norm.
using Modules = std::vector<std::string>;

Modules bert_modules(const std::string& prefix, std::size_t layer) {
  const std::string at = fmt::format("{}encoder.layer.{}.", prefix, layer);
  return {at + "attention.self.query",
          at + "attention.self.key",
          at + "attention.self.value",
          at + "attention.output.dense",
          at + "attention.output.LayerNorm",
          at + "intermediate.dense",
          at + "output.dense",
          at + "output.LayerNorm"};
}

const Modules albert_modules = [] {
  Modules all = {"attention.query",     "attention.key", "attention.value", "attention.dense",
                 "attention.LayerNorm", "ffn",           "ffn_output",      "full_layer_layer_norm"};
  for (std::string& module : all) module.insert(0, "albert.encoder.albert_layer_groups.0.albert_layers.0.");
  return all;
}();

void add_encoder_layer(Checkpoint& c, const Modules& m) {
  for (std::size_t i = 0; i < 4; ++i) c.linear(m[i], d, d);
  c.norm(m[4], d);
  c.linear(m[5], d, wide);
  c.linear(m[6], wide, d);
  c.norm(m[7], d);
}

template <class F>
Rows encoder_layer(const Checkpoint& c, const Modules& m, const Rows& x, F activation) {
  const Rows mixed =
      attention(c.apply(m[0], x, false), c.apply(m[1], x, false), c.apply(m[2], x, false), heads, false);
  const Rows y = c.normed(m[4], sum(x, c.apply(m[3], mixed, false)), 1e-12);
  return c.normed(m[7], sum(y, c.apply(m[6], mapped(c.apply(m[5], y, false), activation), false)), 1e-12);
}

Checkpoint bert(const std::string& prefix) {
  Checkpoint c;
  add_embeddings(c, prefix, d);
  for (std::size_t l = 0; l < layers; ++l) add_encoder_layer(c, bert_modules(prefix, l));
  return c;
}

std::string message_of(const Checkpoint& checkpoint, std::string_view config, const ModelInput& input) {
  const std::string bytes = checkpoint.bytes();
  try {
    model_network(Safetensors(bytes, "m.safetensors"), parse_model_config(config, "config.json"), input);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("BERT, with and without the prefix") {
  for (const std::string prefix : {"bert.", ""}) {
    const Checkpoint c = bert(prefix);
    Rows x = embedded(
        c,
        {prefix + "embeddings.word_embeddings.weight", prefix + "embeddings.position_embeddings.weight",
         prefix + "embeddings.token_type_embeddings.weight"},
        ids);
    x = c.normed(prefix + "embeddings.LayerNorm", x, 1e-12);
    Rows y = x;
    for (std::size_t l = 0; l < layers; ++l) y = encoder_layer(c, bert_modules(prefix, l), y, gelu);
    const std::string bytes = c.bytes();
    const Safetensors tensors(bytes, "m");
    const ModelConfig config = parse_model_config(bert_config, "c");
    check_equal(model_network(tensors, config, {std::nullopt, ids}), y);

    ModelInput vectors;
    std::vector<double> entries;
    for (const auto& row : x) entries.insert(entries.end(), row.begin(), row.end());
    vectors.vectors = ExactMatrix::from(3, 4, entries);
    const Network network = model_network(tensors, config, vectors);
    CHECK(network.depth() == layers);
    CHECK(kind(network.blocks.front()) == "attention");
    check_equal(network, y);
  }
}

TEST_CASE("ALBERT: one group of weights for all layers, narrow embeddings") {
  Checkpoint c;
  add_embeddings(c, "albert.", 3);
  c.linear("albert.encoder.embedding_hidden_mapping_in", 3, d);
  add_encoder_layer(c, albert_modules);
  Rows x =
      embedded(c,
               {"albert.embeddings.word_embeddings.weight", "albert.embeddings.position_embeddings.weight",
                "albert.embeddings.token_type_embeddings.weight"},
               ids);
  x = c.apply("albert.encoder.embedding_hidden_mapping_in", c.normed("albert.embeddings.LayerNorm", x, 1e-12),
              false);
  for (std::size_t l = 0; l < layers; ++l) x = encoder_layer(c, albert_modules, x, gelu_new);
  const std::string bytes = c.bytes();
  check_equal(
      model_network(Safetensors(bytes, "m"), parse_model_config(albert_config, "c"), {std::nullopt, ids}), x);
}

TEST_CASE("GPT-2: fused, untransposed projections, pre-LN, causal") {
  Checkpoint c;
  c.add("transformer.wte.weight", {vocabulary, d});
  c.add("transformer.wpe.weight", {positions, d});
  c.norm("transformer.ln_f", d);
  for (std::size_t l = 0; l < layers; ++l) {
    const std::string at = fmt::format("transformer.h.{}.", l);
    c.norm(at + "ln_1", d);
    c.conv(at + "attn.c_attn", d, 3 * d);
    c.conv(at + "attn.c_proj", d, d);
    c.norm(at + "ln_2", d);
    c.conv(at + "mlp.c_fc", d, 4 * d);
    c.conv(at + "mlp.c_proj", 4 * d, d);
  }
  Rows x = embedded(c, {"transformer.wte.weight", "transformer.wpe.weight"}, ids);
  for (std::size_t l = 0; l < layers; ++l) {
    const std::string at = fmt::format("transformer.h.{}.", l);
    const Rows qkv = c.apply(at + "attn.c_attn", c.normed(at + "ln_1", x, 1e-5), true);
    const Rows mixed = attention(columns(qkv, 0, d), columns(qkv, d, d), columns(qkv, 2 * d, d), heads, true);
    x = sum(x, c.apply(at + "attn.c_proj", mixed, true));
    const Rows wide_rows = mapped(c.apply(at + "mlp.c_fc", c.normed(at + "ln_2", x, 1e-5), true), gelu_new);
    x = sum(x, c.apply(at + "mlp.c_proj", wide_rows, true));
  }
  x = c.normed("transformer.ln_f", x, 1e-5);
  const std::string bytes = c.bytes();
  check_equal(
      model_network(Safetensors(bytes, "m"), parse_model_config(gpt2_config, "c"), {std::nullopt, ids}), x);
}

TEST_CASE("what disagrees with the config, or is missing, is named") {
  Checkpoint c = bert("");
  CHECK(message_of(c, bert_config, {std::nullopt, {3, 7}}) ==
        "m.safetensors: embeddings.word_embeddings.weight: row 7 was asked for; there are 7");
  CHECK(message_of(c, bert_config, {std::nullopt, std::vector<Index>(6, 1)}) ==
        "m.safetensors: embeddings.position_embeddings.weight: row 5 was asked for; there are 5");
  CHECK(message_of(c, bert_config, {}) == "no tokens: give vectors or token ids");
  const auto counted = [&](const char* from, const char* to) {
    std::string text = bert_config;
    text.replace(text.find(from), std::string_view(from).size(), to);
    return message_of(c, text, {std::nullopt, {1}});
  };
  CHECK(counted("vocab_size\":7", "vocab_size\":99").find("; vocab_size in the config is 99") !=
        std::string::npos);
  CHECK(counted("{", "{\"max_position_embeddings\":99,")
            .find("; max_position_embeddings in the config is 99") != std::string::npos);
  CHECK(counted("num_hidden_layers\":2", "num_hidden_layers\":1")
            .find("has no place in the model: num_hidden_layers in the config is 1") != std::string::npos);
  std::string deeper = bert_config;
  deeper.replace(deeper.find("layers\":2"), 9, "layers\":3");
  CHECK(message_of(c, deeper, {std::nullopt, ids}) ==
        "m.safetensors: encoder.layer.2.attention.self.query.weight: there is no such tensor");
  std::string wider = bert_config;
  wider.replace(wider.find("size\":6"), 7, "size\":8");
  CHECK(
      message_of(c, wider, {std::nullopt, ids}) ==
      "m.safetensors: encoder.layer.0.intermediate.dense.weight: found the shape [6, 4]; it must be [8, 4]");
  c.tensors.at("encoder.layer.1.output.dense.bias").values[2] = NAN;
  CHECK(message_of(c, bert_config, {std::nullopt, ids}) ==
        "m.safetensors: encoder.layer.1.output.dense.bias: entry 2 is NaN or an infinity; only finite "
        "numbers are allowed");
}

TEST_CASE("configs that are none") {
  const auto refused = [](std::string text, const char* from, const char* to, const char* message) {
    text.replace(text.find(from), std::string_view(from).size(), to);
    CHECK_THROWS_WITH_AS(parse_model_config(text, "config.json"), message, InputError);
  };
  CHECK_THROWS_WITH_AS(parse_model_config("[]", "config.json"), "config.json: found no JSON object",
                       InputError);
  CHECK_THROWS_WITH_AS(parse_model_config("{", "config.json"), "config.json: byte 2: this is not JSON",
                       InputError);
  CHECK_THROWS_WITH_AS(parse_model_config("{\"hidden_size\": 1e999}", "config.json"),
                       "config.json: found a number beyond the range of double (about 1.8e308)", InputError);
  const auto with = [&](const std::string& config, const char* key, const char* message) {
    refused(config, "{", (std::string("{") + key + ",").c_str(), message);
  };
  with(bert_config, "\"num_attention_heads\":4",
       "config.json: found the key \"num_attention_heads\" twice; every key may stand once");
  with(bert_config, "\"position_embedding_type\":\"relative_key\"",
       "config.json: position_embedding_type: found \"relative_key\"; only \"absolute\" is supported");
  with(bert_config, "\"is_decoder\":true", "config.json: is_decoder: found true; only false is supported");
  with(gpt2_config, "\"scale_attn_weights\":false",
       "config.json: scale_attn_weights: found false; only true is supported");
  with(gpt2_config, "\"scale_attn_by_inverse_layer_idx\":true",
       "config.json: scale_attn_by_inverse_layer_idx: found true; only false is supported");
  refused(bert_config, "\"bert\"", "\"t5\"",
          "config.json: model_type: found \"t5\"; supported are bert, albert, gpt2, rankfall-network/1");
  refused(bert_config, "\"hidden_size\":4", "\"hidden_size\":-4",
          "config.json: hidden_size: found -4; expected a whole number from 1 to 1000000");
  refused(bert_config, "\"hidden_size\":4,", "", "config.json: the key \"hidden_size\" is missing");
  refused(bert_config, "heads\":2", "heads\":3", "config.json: 4 columns are not divided evenly by 3 heads");
  refused(bert_config, "1e-12", "0", "config.json: layer_norm_eps: found 0; expected a number above 0");
  refused(gpt2_config, "gelu_new", "mish",
          "config.json: activation_function: found \"mish\"; allowed are gelu, gelu_new, gelu_pytorch_tanh, "
          "relu, silu, "
          "swish, tanh");
}
