#include "verify/cli/network_argument.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <utility>

#include "numerics/io/file.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/io/mapped_file.hpp"
#include "numerics/io/model.hpp"
#include "numerics/io/network_outline.hpp"
#include "numerics/io/npy.hpp"
#include "numerics/io/npz.hpp"
#include "numerics/san/surgery.hpp"
#include "verify/cli/command.hpp"
#include "verify/sha256.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::size_t max_config_bytes = 1U << 24U;
constexpr Index max_token_id = 1'000'000'000;

Surgery removed_parts(const std::string& text) {
  if (text.empty()) return {};
  const std::vector<std::string> words = split_list("--remove", text);
  try {
    return surgery({words.begin(), words.end()});
  } catch (const InputError& error) {
    throw UsageError(fmt::format("--remove: {}", error.what()));
  }
}

std::vector<Index> token_ids(const std::string& text) {
  std::vector<Index> ids;
  for (const std::string& word : split_list("--token-ids", text, Repeats::allowed)) {
    Index id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size() || id < 0 || id > max_token_id)
      throw UsageError(fmt::format("--token-ids: '{}' is no whole number from 0 to {}", word, max_token_id));
    ids.push_back(id);
  }
  return ids;
}

bool is_checkpoint(const std::string& file) {
  return std::filesystem::path(file).extension() == ".safetensors";
}

/// The array of an npy file, or one of an npz file: "x.npz" or "x.npz:name".
ExactMatrix read_array(const std::string& argument) {
  constexpr std::string_view archive = ".npz";
  if (argument.ends_with(archive)) return read_npz(argument, "");
  const std::size_t end = argument.rfind(".npz:");
  if (end == std::string::npos) return read_npy(argument);
  const std::size_t colon = end + archive.size();
  return read_npz(argument.substr(0, colon), argument.substr(colon + 1));
}

Network checkpoint_network(const NetworkArgument& argument, const MappedFile& file) {
  const std::filesystem::path path = std::filesystem::path(argument.file).parent_path() / "config.json";
  const std::string config = read_file(path, max_config_bytes);
  ModelInput input;
  if (!argument.input.empty()) input.vectors = read_array(argument.input);
  input.name = argument.input;
  if (model_type(config, path.string()) == outline_type) {
    if (!argument.token_ids.empty())
      throw UsageError("--token-ids needs a checkpoint with embeddings; this one is a rankfall-network/1");
    const auto outline = parse_outline(config, path.string());
    return outlined_network(Safetensors(file.bytes(), argument.file), outline, input.vectors);
  }
  const ModelConfig model = parse_model_config(config, path.string());
  if (argument.input.empty() == argument.token_ids.empty())
    throw UsageError("a checkpoint needs either --input x.npy or --token-ids 1,2,3");
  if (!argument.token_ids.empty()) input.token_ids = token_ids(argument.token_ids);
  return model_network(Safetensors(file.bytes(), argument.file), model, input);
}

LoadedNetwork load_checkpoint(const NetworkArgument& argument) {
  const MappedFile file(argument.file);
  return {checkpoint_network(argument, file), {argument.file, sha256(file.bytes())}};
}

LoadedNetwork load_file(const NetworkArgument& argument) {
  if (!argument.token_ids.empty())
    throw UsageError("--token-ids needs a checkpoint (.safetensors), which has embeddings");
  const std::string bytes = network_text(argument.file);
  Network network = parse_network(bytes, network_name(argument.file));
  if (!argument.input.empty()) network.input = read_array(argument.input);
  return {std::move(network), {argument.file, sha256(bytes)}};
}

}  // namespace

void add_network_options(Command& command, NetworkArgument& argument) {
  command.argument(
      "NETWORK", argument.file,
      "Network file (rankfall-network/1, docs/formats.md), - for standard input, or a checkpoint\n"
      "(.safetensors) of BERT, ALBERT, GPT-2 or under rankfall's own names, with its config.json beside it");
  command.text(
      "--input", argument.input, "an npy or npz file",
      "Tokens to use instead of the file's: an npy file, tokens x d, of float16, float32 or float64, or\n"
      "such an array of an npz file, x.npz or x.npz:name. With a checkpoint: what its first layer reads");
  command.text("--token-ids", argument.token_ids, "an id, or ids a,b,c",
               "Tokens for a checkpoint's own embeddings, separated by commas: 101,2023,102");
  command.text("--remove", argument.remove, "a part, or parts a,b,c",
               "Parts to take out first, separated by commas: skip, mlp, layernorm\n"
               "(all three leave the attention alone, as the paper does)");
}

LoadedNetwork load(const NetworkArgument& argument) {
  const Surgery parts = removed_parts(argument.remove);
  LoadedNetwork loaded = is_checkpoint(argument.file) ? load_checkpoint(argument) : load_file(argument);
  try {
    loaded.network = operated(std::move(loaded.network), parts);
    validate(loaded.network);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}{}: {}", argument.file,
                                 argument.input.empty() ? "" : " with " + argument.input, error.what()));
  }
  return loaded;
}

}  // namespace rankfall::verify::cli
