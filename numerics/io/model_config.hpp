#pragma once
#include <string>
#include <string_view>

#include "numerics/san/network.hpp"

namespace rankfall {

/// What the config.json beside a checkpoint says of its architecture.
struct ModelConfig {
  enum class Family { bert, albert, gpt2 };
  Family family = Family::bert;
  Index dim = 0, heads = 0, layers = 0, mlp_width = 0;
  Index embedding_width = 0;  ///< of a token's embedding; dim but for albert
  Index groups = 1;           ///< albert: layers share the weights of so many groups
  Index vocabulary = 0, positions = 0, token_types = 0;  ///< rows of the embeddings; 0: not said
  Activation activation = Activation::gelu;
  Rational epsilon = 0;  ///< the double nearest to what the file says, with which the model computes

  Index head_width() const { return dim / heads; }
};

/// The "model_type" of a config.json; throws InputError where there is none.
std::string model_type(std::string_view text, std::string_view name);

/// Reads the text of a config.json. Throws InputError "name: what was found; what is allowed" for text that
/// is not a JSON object or names a key twice, an attention that is another function (relative positions, a
/// decoder made of an encoder, scores scaled by layers), a model_type other than bert, albert and gpt2, a
/// size that is missing or no whole number from 1 to 10^6, a dim that the heads do not divide, layers that
/// the groups do not divide, an unknown activation, and an epsilon that is not positive.
ModelConfig parse_model_config(std::string_view text, std::string_view name);

}  // namespace rankfall
