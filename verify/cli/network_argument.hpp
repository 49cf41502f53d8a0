#pragma once
#include <string>

#include "numerics/san/network.hpp"
#include "verify/check_json.hpp"
#include "verify/cli/options.hpp"

namespace rankfall::verify::cli {

/// A network as a command line names it.
struct NetworkArgument {
  std::string file;   ///< network file, checkpoint (.safetensors, with config.json beside it), or - for stdin
  std::string input;  ///< x.npy, x.npz or x.npz:name with the tokens, or empty
  std::string token_ids;  ///< for a checkpoint's own embeddings, or empty
  std::string remove;     ///< parts to take out, or empty
};

/// Declares NETWORK, --input, --token-ids and --remove.
void add_network_options(Command& command, NetworkArgument& argument);

struct LoadedNetwork {
  Network network;
  Source source;
};
/// Throws InputError for what cannot be read, UsageError for flags that do not go together.
LoadedNetwork load(const NetworkArgument& argument);

}  // namespace rankfall::verify::cli
