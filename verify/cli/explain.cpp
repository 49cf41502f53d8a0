#include "verify/explain.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "theory/catalogue/catalogue.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

struct Arguments {
  std::string id;
  ExplainFormat format = ExplainFormat::text;
};

}  // namespace

void add_explain(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "explain",
      "Say what a statement claims: words, source, scope, hypotheses, formulas, status, where the proof is.\n"
      "Without an id: the list of statements.");
  command->add_option("ID", arguments->id, "Statement id");
  command->add_option("--format", arguments->format, "text, latex or json (default: text)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, ExplainFormat>{
          {"text", ExplainFormat::text}, {"latex", ExplainFormat::latex}, {"json", ExplainFormat::json}}));
  command->callback([arguments, &action] {
    if (!arguments->id.empty()) statement_ids("ID", arguments->id);
    action = [arguments] {
      write_stdout(arguments->id.empty() ? explain_all(arguments->format)
                                         : explain(theory::find_statement(arguments->id), arguments->format));
      return static_cast<int>(success);
    };
  });
}

}  // namespace rankfall::verify::cli
