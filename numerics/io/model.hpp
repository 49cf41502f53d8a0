#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "numerics/io/model_config.hpp"
#include "numerics/io/safetensors.hpp"

namespace rankfall {

/// What a model reads: vectors for its first layer, or tokens for its own embeddings.
struct ModelInput {
  std::optional<ExactMatrix> vectors;  ///< tokens x dim
  std::vector<Index> token_ids;        ///< used when there are no vectors
  std::string name = "input";          ///< how messages call the vectors
};

/// The network of a checkpoint, its weights exact: BERT and ALBERT as post-LN layers (ALBERT's share their
/// weights), GPT-2 as pre-LN layers under a causal mask with a normalisation behind the last. With vectors it
/// begins with the first layer; with token ids with the sum of word, position and (first) token type
/// embeddings, their normalisation, and ALBERT's map to `dim` columns. Names may carry the prefix "bert.",
/// "albert." or "transformer.", and BERT's normalisations may have gamma and beta. Throws InputError naming
/// the tensor where one is absent or has another shape than the config says, or names a number that is not
/// finite; also for no tokens.
Network model_network(const Safetensors& tensors, const ModelConfig& config, const ModelInput& input);

}  // namespace rankfall
