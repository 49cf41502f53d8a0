#include <limits>
#include <memory>
#include <optional>

#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"
#include "numerics/san/preset.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::uint64_t most_size = 1'000'000'000;

struct GenerateArguments {
  GenerateSpec spec;
  std::string beta, model;
};

/// The preset, in the sizes that the command line gives.
PresetSpec preset_spec(const Command& command, const GenerateArguments& arguments) {
  for (const char* flag : {"--beta", "--law", "--input-law", "--d-qk", "--blocks"})
    if (command.given(flag))
      throw UsageError(std::string(flag) + " does not go with --model, which fixes the laws and blocks");
  const auto given = [&](const char* flag, Index value) {
    return command.given(flag) ? std::optional(value) : std::nullopt;
  };
  const GenerateSpec& spec = arguments.spec;
  return {arguments.model,
          spec.tokens,
          given("--dim", spec.dim),
          given("--heads", spec.heads),
          given("--depth", spec.depth),
          spec.seed};
}

}  // namespace

void add_generate(Commands& commands) {
  auto arguments = std::make_shared<GenerateArguments>();
  GenerateSpec& spec = arguments->spec;
  Command command = commands.add(
      "generate",
      "Print a random network, the same bits for the same arguments on every machine.\n"
      "Weights are normal with variance 1/d, the input with variance 1; with --model they are those of a "
      "published\n"
      "architecture at initialisation.");
  command.text(
      "--model", arguments->model, "the name of a model",
      "bert-base, bert-large, distilbert, albert-base, xlnet-base, gpt2 or vit-b: the architecture and its\n"
      "law at initialisation, in its own size unless --dim, --heads and --depth say otherwise");
  command.whole_number("--tokens", spec.tokens, 1, most_size, "Tokens n");
  command.whole_number("--dim", spec.dim, 1, most_size, "Width d");
  command.whole_number("--heads", spec.heads, 1, most_size, "Heads of a layer");
  command.whole_number("--depth", spec.depth, 1, most_size, "Layers L");
  command.whole_number("--d-qk", spec.d_qk, 1, most_size, "Width of a query (default: dim/heads)");
  command.text("--beta", arguments->beta, "a number above 0",
               "Scale every head so that |W_QK|_1 |W|_{1,inf} lies in [B(1-2^-40), B], certified");
  command.text("--law", spec.law, "a law", "Law of the weights");
  command.text("--input-law", spec.input_law, "a law", "Law of the input");
  command.text("--blocks", spec.blocks, "a form of the layers",
               "What surrounds the attention: pure, or skip, skip=NUMBER, mlp and layernorm joined by +");
  command.whole_number("--seed", spec.seed, 0, std::numeric_limits<std::uint64_t>::max(), "Seed");
  command.when_chosen([arguments, command]() -> Action {
    const auto preset =
        arguments->model.empty() ? std::nullopt : std::optional(preset_spec(command, *arguments));
    try {
      if (!arguments->beta.empty()) arguments->spec.beta = parse_number(arguments->beta);
    } catch (const InputError& error) {
      throw UsageError(std::string("--beta: ") + error.what());
    }
    return [arguments, preset] {
      Network network;
      try {
        network = preset ? generate(*preset) : generate(arguments->spec);
      } catch (const InputError& error) {  // what was wrong came from the command line
        throw UsageError(error.what());
      }
      write_stdout(write_network(network));
      return static_cast<int>(success);
    };
  });
}

}  // namespace rankfall::verify::cli
