#include "verify/explain.hpp"

#include <memory>

#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

struct ExplainArguments {
  std::string id;
  std::vector<std::string> define;
  theory::Statements known;
  ExplainFormat format = ExplainFormat::text;
  bool symbols = false;
};

std::string text(const ExplainArguments& arguments) {
  if (arguments.symbols) return explain_symbols(arguments.format);
  if (arguments.id.empty()) return explain_all(arguments.known, arguments.format);
  if (const OtherClaim* claim = find_other_claim(arguments.id)) return explain(*claim, arguments.format);
  return explain(arguments.known.find(arguments.id), arguments.format);
}

}  // namespace

void add_explain(Commands& commands) {
  auto arguments = std::make_shared<ExplainArguments>();
  Command command = commands.add(
      "explain",
      "Say what a statement claims: words, source, scope, hypotheses, formulas, status, where the proof is.\n"
      "Without an id: the list of statements.");
  command.optional_argument("ID", arguments->id, "the id of a statement", "Statement id");
  command.word<ExplainFormat>(
      "--format", arguments->format,
      {{"text", ExplainFormat::text}, {"latex", ExplainFormat::latex}, {"json", ExplainFormat::json}},
      "Default: text");
  command.flag("--symbols", arguments->symbols, "List the symbols that formulas may name");
  add_define(command, arguments->define);
  command.when_chosen([arguments]() -> Action {
    arguments->known = known_statements(arguments->define);
    if (arguments->symbols && !arguments->id.empty()) throw UsageError("--symbols takes no ID");
    if (!arguments->id.empty() && !find_other_claim(arguments->id))
      statement_id("ID", arguments->id, arguments->known);
    return [arguments] {
      write_stdout(text(*arguments));
      return static_cast<int>(success);
    };
  });
}

}  // namespace rankfall::verify::cli
