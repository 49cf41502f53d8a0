#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/values.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::uint64_t most_size = 1'000'000'000;

struct Arguments {
  GenerateSpec spec;
  std::string beta;
};

}  // namespace

void add_generate(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  GenerateSpec& spec = arguments->spec;
  CLI::App* command = program.add_subcommand(
      "generate",
      "Print a random network, the same bits for the same arguments on every machine.\n"
      "Weights are normal with variance 1/d, the input with variance 1.");
  const auto add_size = [command](const char* flag, Index& size, const char* words) {
    return takes_whole_number(command->add_option(flag, size, words), 1, most_size);
  };
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
  command->callback([arguments, &action] {
    try {
      if (!arguments->beta.empty()) arguments->spec.beta = parse_number(arguments->beta);
    } catch (const InputError& error) {
      throw UsageError(std::string("--beta: ") + error.what());
    }
    action = [arguments] {
      Network network;
      try {
        network = generate(arguments->spec);
      } catch (const InputError& error) {  // what was wrong came from the command line
        throw UsageError(error.what());
      }
      write_stdout(write_network(network));
      return static_cast<int>(success);
    };
  });
}

}  // namespace rankfall::verify::cli
