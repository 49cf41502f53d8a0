#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "theory/catalogue/catalogue.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"
#include "verify/path_figure.hpp"
#include "verify/table_text.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr char path_count_id[] = "path-count";
constexpr long most_path_rows = 1'000;
constexpr int least_digits = 2, most_digits = 50;

struct Arguments {
  std::string ids, models, figure;
  std::vector<std::string> define;
  theory::Statements known;
  std::map<Constant, std::string> axes;
  TableFormat format = TableFormat::markdown;
  int digits = 6;
};

/// The names of models, or heads and depths.
std::vector<PathRow> path_rows(const Arguments& arguments) {
  for (const auto& [constant, text] : arguments.axes)
    if (constant != Constant::heads && constant != Constant::depth)
      throw UsageError(fmt::format("--{}: path-count depends on --heads and --depth alone",
                                   constant_infos()[static_cast<std::size_t>(constant)].flag));
  std::vector<PathRow> rows;
  if (!arguments.axes.empty()) {
    if (!arguments.models.empty())
      throw UsageError("--model: a model has its own heads and depth; give either");
    if (arguments.axes.size() != 2)
      throw UsageError("path-count: give --heads and --depth together, or --model");
    const auto axis = [&](Constant constant, long most) {
      const ConstantInfo& info = constant_infos()[static_cast<std::size_t>(constant)];
      return Axis(info.flag, arguments.axes.at(constant),
                  {true, 1, most, fmt::format("integers from 1 to {}", most)});
    };
    const Axis heads = axis(Constant::heads, theory::most_path_heads),
               depths = axis(Constant::depth, theory::most_path_depth);
    if (const Integer count = heads.size() * depths.size(); count > most_path_rows)
      throw UsageError(
          fmt::format("the table would have {} rows; allowed are 1 to {}", count.str(), most_path_rows));
    for (long i = 0; i < heads.size(); ++i)
      for (long k = 0; k < depths.size(); ++k)
        rows.push_back({"", theory::path_count(numerator(heads.at(i)).convert_to<long>(),
                                               numerator(depths.at(k)).convert_to<long>())});
    return rows;
  }
  const auto add = [&](const theory::PathModel& model) {
    rows.push_back({model.title, theory::path_count(model.heads, model.depth)});
  };
  if (arguments.models.empty() || arguments.models == "all") {
    for (const theory::PathModel& model : theory::path_models()) add(model);
    return rows;
  }
  for (const std::string& name : split_list("--model", arguments.models)) add(theory::find_path_model(name));
  return rows;
}

/// False when the reader has gone away: then no more rows need be computed.
bool write_piece(std::string_view piece) {
  write_stdout(piece);
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) <= 0 || (output.revents & POLLERR) == 0;
}

/// The distributions as a picture with its data, in a folder.
void draw_paths(const std::vector<PathRow>& rows, const std::string& folder) {
  Figure figure = path_figure(rows);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError("cannot make the folder " + folder + ": " + error.message());
  draw(figure, folder);
}

int run_paths(const Arguments& arguments) {
  const std::vector<PathRow> rows = path_rows(arguments);
  if (!arguments.figure.empty()) draw_paths(rows, arguments.figure);
  write_stdout(path_table(rows, arguments.format, arguments.digits));
  return success;
}

int run_bounds(const Arguments& arguments) {
  if (!arguments.models.empty()) throw UsageError("--model belongs to path-count");
  if (!arguments.figure.empty()) throw UsageError("--figure belongs to path-count");
  TableRequest request;
  for (const std::string& id : statement_ids("ID", arguments.ids, arguments.known))
    request.statements.push_back(&arguments.known.find(id));
  request.axes = arguments.axes;
  request.digits = arguments.digits;
  write_table(Table(request), arguments.format, write_piece);
  return success;
}

int run_table(const Arguments& arguments) {
  try {
    return arguments.ids == path_count_id ? run_paths(arguments) : run_bounds(arguments);
  } catch (const InputError& error) {  // what was wrong came from the command line
    throw UsageError(error.what());
  }
}

}  // namespace

void add_table(Commands& commands) {
  auto arguments = std::make_shared<Arguments>();
  Command command = commands.add(
      "table",
      "Tabulate depth bounds for all combinations of constants, with enclosures and without a network.\n"
      "Several ids stand side by side, with their ratios to the first in decades. Each constant is a value, "
      "a\n"
      "list a,b,c or a range first:last[:step]; numbers are exact (0.1, 1/3, 1e-400). At most 10000000 "
      "rows.\n"
      "`table path-count` counts the paths of each length through attention layers with skips.");
  command.argument("ID", arguments->ids, "Statement ids separated by commas, or path-count");
  for (std::size_t i = 0; i < constants; ++i) {
    const ConstantInfo& info = constant_infos()[i];
    command.text(
        "--" + info.flag,
        [arguments, i](const std::string& text) { arguments->axes[static_cast<Constant>(i)] = text; },
        info.range.allowed,
        fmt::format("{}; {} (default: {})", info.words, info.range.allowed,
                    info.standard.empty() ? "dim/heads" : info.standard));
  }
  command.text(
      "--model", arguments->models, "a model, or models a,b,c",
      "Of path-count, instead of --heads and --depth: bert-base, gpt-3, ... separated by commas, or all "
      "(default: all)");
  command.text("--figure", arguments->figure, "a folder",
               "Of path-count: also draw the distributions, path-count.svg with its data (.dat) and gnuplot "
               "script (.gp),\nin this folder");
  command.word<TableFormat>("--format", arguments->format,
                            {{"md", TableFormat::markdown},
                             {"csv", TableFormat::csv},
                             {"latex", TableFormat::latex},
                             {"json", TableFormat::json}},
                            "Default: md");
  command.whole_number("--digits", arguments->digits, least_digits, most_digits,
                       "Significant digits shown, where the enclosure supports them");
  add_define(command, arguments->define);
  command.when_chosen([arguments]() -> Action {
    arguments->known = known_statements(arguments->define);
    return [arguments] { return run_table(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
