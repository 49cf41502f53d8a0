#include "verify/audit.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "verify/cli/command.hpp"
#include "verify/cli/values.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

enum class Format { text, markdown, json, html };

const std::map<std::string, Format> formats = {
    {"text", Format::text}, {"md", Format::markdown}, {"json", Format::json}, {"html", Format::html}};

struct Arguments {
  std::string out, format;
  bool json = false;
};

std::string written(const std::vector<AuditedClaim>& claims, Format format) {
  switch (format) {
    case Format::text:
      return audit_text(claims);
    case Format::markdown:
      return audit_markdown(claims);
    case Format::json:
      return audit_json(claims);
    case Format::html:
      return audit_html(claims);
  }
  return {};
}

/// The format that a file's ending asks for.
std::optional<Format> format_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".txt") return Format::text;
  const auto found = formats.find(ending.empty() ? "" : ending.substr(1));
  return found == formats.end() ? std::nullopt : std::optional(found->second);
}

void write_folder(const std::vector<AuditedClaim>& claims, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError("cannot make the folder " + folder.string() + ": " + error.message());
  for (const auto& [ending, format] : formats)
    if (format != Format::text) write_file(folder / ("audit." + ending), written(claims, format));
}

int run_audit(const Arguments& arguments) {
  const std::filesystem::path out(arguments.out);
  const std::optional<Format> ending = std::filesystem::is_directory(out) ? std::nullopt : format_of(out);
  const std::vector<AuditedClaim> claims = audit(gather_evidence(Precision(128)));
  const Format format = arguments.json              ? Format::json
                        : arguments.format.empty() ? ending.value_or(Format::text)
                                                   : formats.at(arguments.format);
  if (ending) {
    write_file(out, written(claims, format));
    return success;
  }
  if (!arguments.out.empty()) write_folder(claims, out);
  write_stdout(written(claims, format));
  return success;
}

}  // namespace

void add_audit(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("audit",
                             "Every claim, those of the paper first and in its order: proved, "
                             "refuted with the certified instance and the true\n"
                             "statement that replaces it, or open. Refutations, symbolic and "
                             "interval proofs are recomputed on the spot.");
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [name, format] : formats) words.emplace_back(name, name);
  takes_word(command->add_option("--format", arguments->format,
                                 "Default: by the ending of --out, else text"),
             words);
  takes_text(
      command->add_option(
          "--out", arguments->out,
          "FILE.html, .md, .json or .txt: write that instead of printing. Any other name is a folder: "
          "audit.html, audit.md\nand audit.json are written into it as well"),
      "a file or a folder");
  command->add_flag("--json", arguments->json, "The same as --format json");
  command->callback([arguments, &action] {
    if (arguments->json && !arguments->format.empty() && arguments->format != "json")
      throw UsageError("--json and another --format: give one of them");
    action = [arguments] { return run_audit(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
