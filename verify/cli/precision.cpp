#include "verify/precision.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr long least_studied_bits = 8, most_studied_bits = 65536;

struct PrecisionArguments {
  std::string network, bits, out;
  PrecisionOptions options;
  PrecisionFormat format = PrecisionFormat::text;
  bool no_times = false;
};

std::vector<long> bit_list(const std::string& text) {
  std::vector<long> result;
  for (const std::string& part : split_list("--bits", text)) {
    const bool number = part.size() <= 6 && part.find_first_not_of("0123456789") == std::string::npos;
    const long bits = number ? std::stol(part) : 0;
    if (bits < least_studied_bits || bits > most_studied_bits)
      throw UsageError(fmt::format("--bits: found '{}'; allowed are whole numbers from {} to {}", part,
                                   least_studied_bits, most_studied_bits));
    result.push_back(bits);
  }
  return result;
}

int run_precision(const PrecisionArguments& arguments) {
  if (!arguments.out.empty()) require_gnuplot();
  Network network;
  if (arguments.network.empty())
    network = generate(GenerateSpec{});
  else
    network = parse_network(network_text(arguments.network), network_name(arguments.network));
  const std::filesystem::path folder = arguments.out;
  if (!folder.empty()) make_folder(folder);
  const PrecisionStudy study = study_precision(network, arguments.options);
  if (!folder.empty()) {
    for (const auto& [format, extension] : {std::pair{PrecisionFormat::text, "txt"},
                                            {PrecisionFormat::csv, "csv"},
                                            {PrecisionFormat::json, "json"}})
      write_file(folder / fmt::format("precision.{}", extension), precision_text(study, format));
    for (Figure& figure : precision_figures(study)) draw(figure, folder);
  }
  write_stdout(precision_text(study, arguments.format));
  return success;
}

}  // namespace

void add_precision(Commands& commands) {
  auto arguments = std::make_shared<PrecisionArguments>();
  Command command = commands.add(
      "precision",
      "Study what precision costs: one network in bf16, float32, double, long double, double-double, "
      "cpp_bin_float,\n"
      "mpfr, mpfi and balls, on the tokens themselves (naive) and on their residual: time, digits that are\n"
      "right, the first layer without one, the first wrong verdict on a proved bound, and the least bits "
      "for\n"
      "each depth.");
  command.optional_argument(
      "NETWORK", arguments->network, "a file",
      "Network of plain attention blocks, - for standard input (default: `generate` as it is)");
  command.text("--bits", arguments->bits, "bits a,b,c",
               "Precisions of mpfr, mpfi and balls (default: 64,128,256)");
  command.word(
      "--format", arguments->format,
      {{"text", PrecisionFormat::text}, {"csv", PrecisionFormat::csv}, {"json", PrecisionFormat::json}}, "");
  command.text("--out", arguments->out, "a folder",
               "Also write the study in each format, and three figures with their data (.dat) and gnuplot\n"
               "scripts (.gp), into this folder");
  command.flag("--no-times", arguments->no_times, "Do not measure time: the same output on every run");
  command.when_chosen([arguments]() -> Action {
    if (!arguments->bits.empty()) arguments->options.bits = bit_list(arguments->bits);
    arguments->options.times = !arguments->no_times;
    return [arguments] { return run_precision(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
