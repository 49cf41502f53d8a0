#include "verify/audit.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "verify/cli/command.hpp"
#include "verify/cli/values.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

struct Arguments {
  std::string out;
  bool json = false;
};

int run_audit(const Arguments& arguments) {
  const std::vector<AuditedClaim> claims = audit(gather_evidence(Precision(128)));
  if (!arguments.out.empty()) {
    const std::filesystem::path folder(arguments.out);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw OutputError("cannot make the folder " + arguments.out + ": " + error.message());
    write_file(folder / "audit.json", audit_json(claims));
    write_file(folder / "audit.md", audit_markdown(claims));
  }
  write_stdout(arguments.json ? audit_json(claims) : audit_text(claims));
  return success;
}

}  // namespace

void add_audit(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("audit",
                                             "Every claim, by id: proved, refuted with the certified "
                                             "instance and the true statement that replaces it,\n"
                                             "or open. Refutations are recomputed on the spot.");
  takes_text(
      command->add_option("--out", arguments->out, "Also write audit.json and audit.md into this folder"),
      "a folder");
  command->add_flag("--json", arguments->json, "Print rankfall-audit/1 instead of text");
  command->callback([arguments, &action] { action = [arguments] { return run_audit(*arguments); }; });
}

}  // namespace rankfall::verify::cli
