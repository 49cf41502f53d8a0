#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/io/json_network.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// The architecture of a published model.
struct Preset {
  std::string_view name;
  Index dim, heads, depth;
  Activation activation;
  double epsilon;
  bool pre_norm = false;  ///< normalisation before what skips go around, and one behind the last layer
  bool causal = false;
  bool shared = false;          ///< one set of weights for all layers, embeddings narrower than the layers
  bool relative = false;        ///< XLNet's relative keys and biases
  bool scaled_outputs = false;  ///< output matrices drawn smaller by sqrt(2 depth)
  bool images = false;          ///< tokens are patches, not words
};

/// bert-base, bert-large, distilbert, albert-base, xlnet-base, gpt2, vit-b.
const std::vector<Preset>& presets();
/// Throws InputError naming the nearest.
const Preset& find_preset(std::string_view name);

/// A preset in a size of one's own; what is absent is the model's.
struct PresetSpec {
  std::string model;
  Index tokens = 16;
  std::optional<Index> dim, heads, depth;
  std::uint64_t seed = 1;
  /// More numbers are refused before any is drawn; a network file holds so many.
  std::uint64_t most_numbers = max_network_numbers;
};

/// The model at initialisation: weights normal with deviation 0.02, biases 0, normalisations 1 and 0, MLP
/// blocks four times as wide as the layers; the same bits on every machine. The input is what freshly drawn
/// embeddings of different words give (vit-b: of patches of independent pixels of variance 1). Throws
/// InputError for an unknown model, a size below 1, a dim that the heads do not divide, and more numbers than
/// are allowed.
Network generate(const PresetSpec& spec);

}  // namespace rankfall
