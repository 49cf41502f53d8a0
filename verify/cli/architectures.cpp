#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

#include "numerics/san/preset.hpp"
#include "verify/architectures_output.hpp"
#include "verify/check.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/network_argument.hpp"
#include "verify/memory.hpp"
#include "verify/output.hpp"
#include "verify/progress.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::uint64_t most_size = 1'000'000'000, most_runs = 1'000;
constexpr int most_shown_digits = 50;

enum class ArchitecturesFormat { markdown, csv, json };

struct ArchitecturesArguments {
  std::string models = "bert-base,albert-base,xlnet-base";
  Index tokens = 8, dim = 64, heads = 4, depth = 12;
  std::size_t inputs = 2, seeds = 2;
  std::uint64_t seed = 1;
  bool full_size = false;
  std::string checkpoint, out;
  std::vector<std::string> token_ids, arrays;
  ArchitecturesFormat format = ArchitecturesFormat::markdown;
  ArchitectureOptions options;
};

/// Subjects, and what the figures say of them.
struct Request {
  Subjects subjects;
  std::string runs;
};

std::string counted(std::size_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// Inputs of one network are the embeddings that other seeds draw; these come first in a model, so that one
/// layer of it is enough.
std::vector<ExactMatrix> inputs_of(const Network& network, PresetSpec spec, std::size_t count) {
  constexpr std::uint64_t apart = std::uint64_t{1} << 32U;
  std::vector<ExactMatrix> inputs{network.input};
  spec.depth = 1;
  for (std::size_t i = 1; i < count; ++i) {
    spec.seed += apart;
    inputs.push_back(generate(spec).input);
  }
  return inputs;
}

/// Exact numbers, and what runs of them take beside.
std::uint64_t most_numbers() {
  constexpr int bytes_each = 32;
  return Integer(available_bytes() / bytes_each).convert_to<std::uint64_t>();
}

Request presets_request(const ArchitecturesArguments& arguments) {
  std::vector<PresetSpec> specs;
  for (const std::string& model : split_list("--model", arguments.models)) {
    const Preset& preset = find_preset(model);
    PresetSpec spec{model, arguments.tokens, arguments.dim, arguments.heads, arguments.depth};
    if (arguments.full_size)
      std::tie(spec.dim, spec.heads, spec.depth) = std::tuple(preset.dim, preset.heads, preset.depth);
    spec.most_numbers = most_numbers();
    for (std::size_t s = 0; s < arguments.seeds; ++s) {
      spec.seed = arguments.seed + s;
      specs.push_back(spec);
    }
  }
  const PresetSpec& first = specs.front();
  const auto make = [specs, count = arguments.inputs](std::size_t i) {
    Subject subject{specs[i].model, specs[i].seed, generate(specs[i]), {}};
    subject.inputs = inputs_of(subject.network, specs[i], count);
    return subject;
  };
  return {
      {specs.size(), make},
      fmt::format("{} tokens{}, {} of {}", arguments.tokens,
                  arguments.full_size ? ""
                                      : fmt::format(", dim {}, {}", *first.dim,
                                                    counted(static_cast<std::size_t>(*first.heads), "head")),
                  counted(arguments.inputs, "input"), counted(arguments.seeds, "seed"))};
}

Request checkpoint_request(const ArchitecturesArguments& arguments) {
  if (arguments.token_ids.empty() == arguments.arrays.empty())
    throw UsageError(
        "--checkpoint needs inputs: either --token-ids or --input, each as often as there are inputs");
  const bool by_ids = !arguments.token_ids.empty();
  const std::vector<std::string>& inputs = by_ids ? arguments.token_ids : arguments.arrays;
  const auto make = [file = arguments.checkpoint, inputs, by_ids](std::size_t) {
    const std::filesystem::path path = file;
    const std::string folder = std::filesystem::absolute(path).parent_path().filename().string();
    Subject subject{folder.empty() ? path.stem().string() : folder, 0, {}, {}};
    for (const std::string& input : inputs) {
      Network network = load({file, by_ids ? "" : input, by_ids ? input : "", ""}).network;
      subject.inputs.push_back(network.input);
      if (subject.inputs.size() == 1) subject.network = std::move(network);
    }
    return subject;
  };
  return {{1, make}, fmt::format("trained weights, {}", counted(inputs.size(), "input"))};
}

std::string table(const std::vector<Profile>& all, ArchitecturesFormat format, int digits) {
  switch (format) {
    case ArchitecturesFormat::markdown:
      return architectures_markdown(all, digits);
    case ArchitecturesFormat::csv:
      return architectures_csv(all, digits);
    case ArchitecturesFormat::json:
      return architectures_json(all, digits);
  }
  return "";
}

void write_folder(const std::vector<Profile>& all, const std::string& runs, int digits,
                  const std::filesystem::path& folder) {
  make_folder(folder);
  for (const auto& [format, extension] : {std::pair{ArchitecturesFormat::markdown, "md"},
                                          {ArchitecturesFormat::csv, "csv"},
                                          {ArchitecturesFormat::json, "json"}})
    write_file(folder / fmt::format("architectures.{}", extension), table(all, format, digits));
  for (Figure& figure : architecture_figures(all, digits, runs)) draw(figure, folder);
}

int run_architectures(const ArchitecturesArguments& arguments, const Request& request) {
  if (!arguments.out.empty()) require_gnuplot();
  ArchitectureOptions options = arguments.options;
  std::vector<Profile> all;
  {
    ProgressBar bar("following");
    options.progress = [&](std::size_t done, std::size_t total) { bar.update(done, total); };
    try {
      all = profiles(request.subjects, options);
    } catch (const InputError& error) {
      if (arguments.checkpoint.empty())
        throw UsageError(error.what());  // what was wrong came from the command line
      throw;
    }
  }
  if (!arguments.out.empty()) write_folder(all, request.runs, options.digits, arguments.out);
  write_stdout(table(all, arguments.format, options.digits));
  for (const Profile& profile : all)
    if (!profile.narrow) {
      std::fprintf(stderr, "rankfall: %ld bits do not give every digit asked for; raise --max-bits\n",
                   options.max_bits);
      return lacks_precision;
    }
  return success;
}

Request request_of(const Command& command, const ArchitecturesArguments& arguments) {
  if (arguments.checkpoint.empty()) {
    for (const char* flag : {"--token-ids", "--input"})
      if (command.given(flag)) throw UsageError(std::string(flag) + " goes with --checkpoint");
    if (arguments.full_size)
      for (const char* flag : {"--dim", "--heads", "--depth"})
        if (command.given(flag)) throw UsageError(std::string(flag) + " does not go with --full-size");
    try {
      return presets_request(arguments);
    } catch (const InputError& error) {  // what was wrong came from the command line
      throw UsageError(error.what());
    }
  }
  for (const char* flag :
       {"--model", "--tokens", "--dim", "--heads", "--depth", "--full-size", "--inputs", "--seeds", "--seed"})
    if (command.given(flag)) throw UsageError(std::string(flag) + " does not go with --checkpoint");
  return checkpoint_request(arguments);
}

}  // namespace

void add_architectures(Commands& commands) {
  auto arguments = std::make_shared<ArchitecturesArguments>();
  Command command = commands.add(
      "architectures",
      "The paper's figure on real architectures: the relative residual (of the tokens about their mean, "
      "over\n"
      "the tokens, in the composite norm) behind every layer, as attention alone, with MLP blocks, with "
      "skips,\n"
      "and whole; its mean logarithm with the least and the greatest over inputs and seeds, all certified.\n"
      "Without arguments: BERT, ALBERT and XLNet at initialisation, in a reduced size, in a minute.");
  command.text("--model", arguments->models, "a model, or models a,b,c",
               "Models of `generate --model`, separated by commas");
  command.whole_number("--tokens", arguments->tokens, 1, most_size, "Tokens of an input");
  command.whole_number("--dim", arguments->dim, 1, most_size, "Width d of every model");
  command.whole_number("--heads", arguments->heads, 1, most_size, "Heads of a layer");
  command.whole_number("--depth", arguments->depth, 1, most_size, "Layers");
  command.flag("--full-size", arguments->full_size,
               "Each model in its own width, heads and depth (docs/performance.md)");
  command.whole_number("--inputs", arguments->inputs, 1, most_runs, "Inputs for each seed");
  command.whole_number("--seeds", arguments->seeds, 1, most_runs, "Seeds of the weights");
  command.whole_number("--seed", arguments->seed, 0, std::numeric_limits<std::uint32_t>::max(),
                       "First of the seeds");
  command.text(
      "--checkpoint", arguments->checkpoint, "a file",
      "Trained weights instead (.safetensors, docs/formats.md), with inputs from --token-ids or --input");
  command.texts("--token-ids", arguments->token_ids, "ids a,b,c",
                "Tokens for the checkpoint's own embeddings: an input each time it is given");
  command.texts("--input", arguments->arrays, "an npy or npz file",
                "What the checkpoint's first layer reads: an input each time it is given");
  command.word<ArchitecturesFormat>("--format", arguments->format,
                                    {{"md", ArchitecturesFormat::markdown},
                                     {"csv", ArchitecturesFormat::csv},
                                     {"json", ArchitecturesFormat::json}},
                                    "Default: md");
  command.text("--out", arguments->out, "a folder",
               "Also write the table in each format, and a figure a model with its data (.dat) and gnuplot\n"
               "script (.gp), into this folder");
  command.whole_number("--digits", arguments->options.digits, 2, most_shown_digits,
                       "Significant digits shown, where the enclosure supports them");
  command.whole_number("--max-bits", arguments->options.max_bits, least_bits, most_bits, "Precision limit");
  command.when_chosen([arguments, command]() -> Action {
    return [arguments, request = request_of(command, *arguments)] {
      return run_architectures(*arguments, request);
    };
  });
}

}  // namespace rankfall::verify::cli
