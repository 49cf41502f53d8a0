#include "numerics/io/model_config.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

using Json = nlohmann::json;
constexpr Index most = 1'000'000;

class ConfigReader {
 public:
  ConfigReader(const Json& json, std::string_view name) : json_(json), name_(name) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", name_, why));
  }

  std::string text(const char* key) const {
    if (!json_.contains(key)) refuse(fmt::format("the key {} is missing", in_quotes(key)));
    if (!json_[key].is_string()) refuse(fmt::format("{}: found {}; expected a string", key, shown(key)));
    return json_[key].get<std::string>();
  }
  /// `otherwise` where the key is absent or null; 0: it must be there.
  Index size(const char* key, Index otherwise = 0) const {
    if (!json_.contains(key) || json_[key].is_null()) {
      if (otherwise == 0) refuse(fmt::format("the key {} is missing", in_quotes(key)));
      return otherwise;
    }
    const Json& value = json_[key];
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 || value.get<std::uint64_t>() > most)
      refuse(fmt::format("{}: found {}; expected a whole number from 1 to {}", key, shown(key), most));
    return static_cast<Index>(value.get<std::uint64_t>());
  }
  /// A key of which only one value is supported; absent and null mean that value.
  void only(const char* key, const Json& supported) const {
    if (!json_.contains(key) || json_[key].is_null() || json_[key] == supported) return;
    refuse(fmt::format("{}: found {}; only {} is supported", key, shown(key), supported.dump()));
  }
  /// 0 where the key is absent or null.
  Index size_if_said(const char* key) const {
    return json_.contains(key) && !json_[key].is_null() ? size(key) : 0;
  }
  Rational epsilon(const char* key) const {
    if (!json_.contains(key)) refuse(fmt::format("the key {} is missing", in_quotes(key)));
    if (!json_[key].is_number() || !(json_[key].get<double>() > 0))
      refuse(fmt::format("{}: found {}; expected a number above 0", key, shown(key)));
    return Rational(json_[key].get<double>());
  }
  Activation activation(const char* key) const {
    const std::string word = text(key);
    for (const auto& [name, activation] : {std::pair{"gelu", Activation::gelu},
                                           {"gelu_new", Activation::gelu_tanh},
                                           {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                           {"relu", Activation::relu},
                                           {"silu", Activation::silu},
                                           {"swish", Activation::silu},
                                           {"tanh", Activation::tanh}})
      if (word == name) return activation;
    refuse(fmt::format("{}: found {}; allowed are gelu, gelu_new, gelu_pytorch_tanh, relu, silu, swish, tanh",
                       key, in_quotes(word)));
  }

 private:
  std::string shown(const char* key) const { return abbreviated(json_[key].dump(-1, ' ', true)); }
  const Json& json_;
  std::string_view name_;
};

ModelConfig encoder(const ConfigReader& in, ModelConfig::Family family) {
  ModelConfig config;
  config.family = family;
  config.dim = in.size("hidden_size");
  config.heads = in.size("num_attention_heads");
  config.layers = in.size("num_hidden_layers");
  config.mlp_width = in.size("intermediate_size");
  config.embedding_width = config.dim;
  config.activation = in.activation("hidden_act");
  config.epsilon = in.epsilon("layer_norm_eps");
  config.vocabulary = in.size_if_said("vocab_size");
  config.positions = in.size_if_said("max_position_embeddings");
  config.token_types = in.size_if_said("type_vocab_size");
  in.only("position_embedding_type", "absolute");
  in.only("is_decoder", false);
  in.only("add_cross_attention", false);
  if (family != ModelConfig::Family::albert) return config;
  config.embedding_width = in.size("embedding_size");
  config.groups = in.size("num_hidden_groups", 1);
  in.only("inner_group_num", 1);
  in.only("net_structure_type", 0);
  if (config.layers % config.groups != 0)
    in.refuse(fmt::format("num_hidden_layers {} is no multiple of num_hidden_groups {}", config.layers,
                          config.groups));
  return config;
}

ModelConfig decoder(const ConfigReader& in) {
  ModelConfig config;
  config.family = ModelConfig::Family::gpt2;
  config.dim = config.embedding_width = in.size("n_embd");
  config.heads = in.size("n_head");
  config.layers = in.size("n_layer");
  config.mlp_width = in.size("n_inner", 4 * config.dim);
  config.activation = in.activation("activation_function");
  config.epsilon = in.epsilon("layer_norm_epsilon");
  config.vocabulary = in.size_if_said("vocab_size");
  config.positions = in.size_if_said("n_positions");
  in.only("scale_attn_weights", true);
  in.only("scale_attn_by_inverse_layer_idx", false);
  in.only("add_cross_attention", false);
  return config;
}

Json object(std::string_view text, std::string_view name) {
  std::vector<std::set<std::string>> open;
  const auto refuse_twice = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      throw InputError(fmt::format("{}: found the key {} twice; every key may stand once", name,
                                   in_quotes(parsed.get<std::string>())));
    return true;
  };
  if (text.starts_with("\xEF\xBB\xBF"))
    throw InputError(fmt::format("{}: begins with a byte order mark", name));
  try {
    Json json = Json::parse(text, refuse_twice);
    if (!json.is_object()) throw InputError(fmt::format("{}: found no JSON object", name));
    return json;
  } catch (const Json::parse_error& error) {
    throw InputError(fmt::format("{}: byte {}: this is not JSON", name, error.byte));
  } catch (const Json::out_of_range&) {
    throw InputError(fmt::format("{}: found a number beyond the range of double (about 1.8e308)", name));
  }
}

}  // namespace

std::string model_type(std::string_view text, std::string_view name) {
  const Json json = object(text, name);
  return ConfigReader(json, name).text("model_type");
}

ModelConfig parse_model_config(std::string_view text, std::string_view name) {
  const Json json = object(text, name);
  const ConfigReader in(json, name);
  const std::string type = in.text("model_type");
  ModelConfig config;
  if (type == "bert")
    config = encoder(in, ModelConfig::Family::bert);
  else if (type == "albert")
    config = encoder(in, ModelConfig::Family::albert);
  else if (type == "gpt2")
    config = decoder(in);
  else
    in.refuse(fmt::format("model_type: found {}; supported are bert, albert, gpt2, rankfall-network/1",
                          in_quotes(type)));
  if (config.dim % config.heads != 0)
    in.refuse(fmt::format("{} columns are not divided evenly by {} heads", config.dim, config.heads));
  return config;
}

}  // namespace rankfall
