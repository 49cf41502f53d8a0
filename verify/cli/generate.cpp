#include <CLI/CLI.hpp>
#include <memory>

#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

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
  const CLI::Range positive(1L, 1L << 40);
  command->add_option("--tokens", spec.tokens, "Tokens n")->capture_default_str()->check(positive);
  command->add_option("--dim", spec.dim, "Width d")->capture_default_str()->check(positive);
  command->add_option("--heads", spec.heads, "Heads of a layer")->capture_default_str()->check(positive);
  command->add_option("--depth", spec.depth, "Layers L")->capture_default_str()->check(positive);
  command->add_option("--d-qk", spec.d_qk, "Width of a query (default: dim/heads)")->check(positive);
  command->add_option("--beta", arguments->beta,
                      "Scale every head so that |W_QK|_1 |W|_{1,inf} lies in [B(1-2^-40), B], certified");
  command->add_option("--law", spec.law, "Law of the weights")->capture_default_str();
  command->add_option("--input-law", spec.input_law, "Law of the input")->capture_default_str();
  command->add_option("--seed", spec.seed, "Seed, 0 to 2^64-1")->capture_default_str();
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
