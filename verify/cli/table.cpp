#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>

#include "theory/catalogue/catalogue.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"
#include "verify/path_figure.hpp"
#include "verify/progress.hpp"
#include "verify/search/search_certificates.hpp"
#include "verify/sweep.hpp"
#include "verify/table_text.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr char path_count_id[] = "path-count";
constexpr char extremal_id[] = "extremal";
constexpr long most_path_rows = 1'000, most_searches = 10'000;
constexpr std::uint64_t most_evaluations = 1'000'000'000;
constexpr int least_digits = 2, most_digits = 50;

struct TableArguments {
  std::string ids, of, models, figure, certificates;
  std::uint64_t evaluations = 20'000, seed = 1;
  std::vector<std::string> define;
  theory::Statements known;
  std::map<Constant, std::string> axes;
  TableFormat format = TableFormat::markdown;
  int digits = 6;
};

/// The names of models, or heads and depths.
std::vector<PathRow> path_rows(const TableArguments& arguments) {
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
  make_folder(folder);
  draw(figure, folder);
}

int run_paths(const TableArguments& arguments) {
  const std::vector<PathRow> rows = path_rows(arguments);
  if (!arguments.figure.empty()) draw_paths(rows, arguments.figure);
  write_stdout(path_table(rows, arguments.format, arguments.digits));
  return success;
}

int run_bounds(const TableArguments& arguments) {
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

/// The sizes of the networks to search: every combination of --tokens, --dim and --heads.
std::vector<Shape> shapes(const TableArguments& arguments, const theory::Scope& scope) {
  const auto axis = [&](Constant constant, const char* standard) {
    const ConstantInfo& info = constant_infos()[static_cast<std::size_t>(constant)];
    const auto given = arguments.axes.find(constant);
    return Axis(info.flag, given == arguments.axes.end() ? standard : given->second,
                {true, 1, most_search_numbers, fmt::format("integers from 1 to {}", most_search_numbers)});
  };
  for (const auto& [constant, text] : arguments.axes)
    if (constant != Constant::tokens && constant != Constant::dim && constant != Constant::heads)
      throw UsageError(fmt::format("--{}: a search has --tokens, --dim and --heads alone",
                                   constant_infos()[static_cast<std::size_t>(constant)].flag));
  const Axis tokens = axis(Constant::tokens, "2:4"), dims = axis(Constant::dim, "1:3"),
             heads = axis(Constant::heads, "1");
  if (const Integer count = tokens.size() * dims.size() * heads.size(); count > most_searches)
    throw UsageError(
        fmt::format("the table would have {} rows; allowed are 1 to {}", count.str(), most_searches));
  std::vector<Shape> result;
  const auto at = [](const Axis& values, long i) { return numerator(values.at(i)).convert_to<Index>(); };
  for (long n = 0; n < tokens.size(); ++n)
    for (long d = 0; d < dims.size(); ++d)
      for (long h = 0; h < heads.size(); ++h) {
        const Index dim = at(dims, d);
        result.push_back({at(tokens, n), dim, at(heads, h), dim, scope.skip ? 1 : 0, scope.mlp});
        validate(result.back());
      }
  return result;
}

int run_extremal(const TableArguments& arguments) {
  if (!arguments.models.empty()) throw UsageError("--model belongs to path-count");
  if (!arguments.figure.empty()) throw UsageError("--figure belongs to path-count");
  if (arguments.of.empty()) throw UsageError("extremal: of which statement? write 'table extremal ID'");
  statement_id("ID", arguments.of, arguments.known);
  FalsifyRequest request;
  request.statement = &arguments.known.find(arguments.of);
  request.evaluations = arguments.evaluations;
  request.seed = arguments.seed;
  request.threads = thread_count(0, most_threads);
  const std::vector<Shape> all = shapes(arguments, request.statement->scope);
  std::vector<ExtremalRow> rows;
  {
    ProgressBar bar("extremal", ProgressBar::Elsewhere::line_a_minute);
    rows = extremal_rows(request, all, [&](std::size_t done) { bar.update(done, all.size()); });
  }
  write_stdout(extremal_table(request, rows, arguments.format, arguments.digits));
  if (!arguments.certificates.empty())
    std::fprintf(stderr, "rankfall: %s\n",
                 write_certificates(rows, arguments.certificates).words(arguments.certificates).c_str());
  const bool violated =
      std::any_of(rows.begin(), rows.end(), [](const ExtremalRow& row) { return row.finding.violated(); });
  return violated && request.statement->status == theory::Status::proved ? true_statement_refuted : success;
}

int run_table(const TableArguments& arguments) {
  try {
    if (arguments.ids == extremal_id) return run_extremal(arguments);
    if (!arguments.of.empty())
      throw UsageError(fmt::format("unexpected word '{}' after {}; several ids are written a,b,c",
                                   arguments.of, arguments.ids));
    return arguments.ids == path_count_id ? run_paths(arguments) : run_bounds(arguments);
  } catch (const InputError& error) {  // what was wrong came from the command line
    throw UsageError(error.what());
  }
}

}  // namespace

void add_table(Commands& commands) {
  auto arguments = std::make_shared<TableArguments>();
  Command command = commands.add(
      "table",
      "Tabulate depth bounds for all combinations of constants, with enclosures and without a network.\n"
      "Several ids stand side by side, with their ratios to the first in decades. Each constant is a value, "
      "a\n"
      "list a,b,c or a range first:last[:step]; numbers are exact (0.1, 1/3, 1e-400). At most 10000000 "
      "rows.\n"
      "`table path-count` counts the paths of each length through attention layers with skips.\n"
      "`table extremal ID` searches networks of each size for the largest left/right of one statement "
      "(docs/falsify.md).");
  command.argument("ID", arguments->ids, "Statement ids separated by commas, path-count, or extremal");
  command.optional_argument("OF", arguments->of, "the id of a statement", "With extremal: the statement");
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
  command.whole_number("--evaluations", arguments->evaluations, 1, most_evaluations,
                       "With extremal: evaluations of each search");
  command.whole_number("--seed", arguments->seed, 0, std::numeric_limits<std::uint64_t>::max(),
                       "With extremal: seed of the searches");
  command.text("--certificate", arguments->certificates, "a folder",
               "With extremal: write a certificate of the best instance of each size into this folder, for "
               "rankfall\nrecheck and scripts/recheck.py (docs/certificates.md)");
  add_define(command, arguments->define);
  command.when_chosen([arguments, command]() -> Action {
    for (const char* flag : {"--evaluations", "--seed", "--certificate"})
      if (command.given(flag) && arguments->ids != extremal_id)
        throw UsageError(std::string(flag) + " belongs to extremal");
    arguments->known = known_statements(arguments->define);
    return [arguments] { return run_table(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
