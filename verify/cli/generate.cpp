#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <optional>

#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"
#include "numerics/san/preset.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/values.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::uint64_t most_size = 1'000'000'000;

struct Arguments {
  GenerateSpec spec;
  std::string beta, model;
};

/// The preset, in the sizes that the command line gives.
PresetSpec preset_spec(const CLI::App& command, const Arguments& arguments) {
  for (const char* flag : {"--beta", "--law", "--input-law", "--d-qk"})
    if (command.count(flag) > 0)
      throw UsageError(std::string(flag) + " does not go with --model, which fixes the laws");
  const auto given = [&](const char* flag, Index value) {
    return command.count(flag) > 0 ? std::optional(value) : std::nullopt;
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

void add_generate(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  GenerateSpec& spec = arguments->spec;
  CLI::App* command = program.add_subcommand(
      "generate",
      "Print a random network, the same bits for the same arguments on every machine.\n"
      "Weights are normal with variance 1/d, the input with variance 1; with --model they are those of a "
      "published\n"
      "architecture at initialisation.");
  const auto add_size = [command](const char* flag, Index& size, const char* words) {
    return takes_whole_number(command->add_option(flag, size, words), 1, most_size);
  };
  takes_text(
      command->add_option(
          "--model", arguments->model,
          "bert-base, bert-large, distilbert, albert-base, xlnet-base, gpt2 or vit-b: the architecture and its\n"
          "law at initialisation, in its own size unless --dim, --heads and --depth say otherwise"),
      "the name of a model");
  add_size("--tokens", spec.tokens, "Tokens n")->capture_default_str();
  add_size("--dim", spec.dim, "Width d")->capture_default_str();
  add_size("--heads", spec.heads, "Heads of a layer")->capture_default_str();
  add_size("--depth", spec.depth, "Layers L")->capture_default_str();
  add_size("--d-qk", spec.d_qk, "Width of a query (default: dim/heads)");
  takes_text(
      command->add_option("--beta", arguments->beta,
                          "Scale every head so that |W_QK|_1 |W|_{1,inf} lies in [B(1-2^-40), B], certified"),
      "a number above 0");
  command->add_option("--law", spec.law, "Law of the weights")->capture_default_str();
  command->add_option("--input-law", spec.input_law, "Law of the input")->capture_default_str();
  takes_whole_number(command->add_option("--seed", spec.seed, "Seed"), 0,
                     std::numeric_limits<std::uint64_t>::max())
      ->capture_default_str();
  command->callback([arguments, command, &action] {
    const auto preset =
        arguments->model.empty() ? std::nullopt : std::optional(preset_spec(*command, *arguments));
    try {
      if (!arguments->beta.empty()) arguments->spec.beta = parse_number(arguments->beta);
    } catch (const InputError& error) {
      throw UsageError(std::string("--beta: ") + error.what());
    }
    action = [arguments, preset] {
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
