#include "verify/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "verify/certificate_refutation.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

enum class AuditFormat { text, markdown, json, html };

const std::map<std::string, AuditFormat> formats = {{"text", AuditFormat::text},
                                                    {"md", AuditFormat::markdown},
                                                    {"json", AuditFormat::json},
                                                    {"html", AuditFormat::html}};

struct AuditArguments {
  std::string out, certificates;
  std::optional<AuditFormat> format;
  bool json = false;
};

std::string written(const std::vector<AuditedClaim>& claims, AuditFormat format) {
  switch (format) {
    case AuditFormat::text:
      return audit_text(claims);
    case AuditFormat::markdown:
      return audit_markdown(claims);
    case AuditFormat::json:
      return audit_json(claims);
    case AuditFormat::html:
      return audit_html(claims);
  }
  return {};
}

/// The format that a file's ending asks for; none for a name without one, which is a folder.
std::optional<AuditFormat> format_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  if (ending.empty()) return std::nullopt;
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".txt") return AuditFormat::text;
  const auto found = formats.find(ending.substr(1));
  if (found == formats.end() || found->second == AuditFormat::text)
    throw UsageError(
        fmt::format("--out: '{}' ends in {}; allowed are .html, .md, .json and .txt, and for a folder a "
                    "name without ending",
                    file.string(), ending));
  return found->second;
}

void write_folder(const std::vector<AuditedClaim>& claims, const std::filesystem::path& folder) {
  make_folder(folder);
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  for (const auto& [ending, format] : formats)
    if (format != AuditFormat::text)
      files.emplace_back(folder / ("audit." + ending), written(claims, format));
  write_files(files);
}

int run_audit(const AuditArguments& arguments) {
  const std::filesystem::path out(arguments.out);
  const std::optional<AuditFormat> ending =
      std::filesystem::is_directory(out) ? std::nullopt : format_of(out);
  const Evidence evidence = gather_evidence(Precision(128));
  const std::vector<AuditedClaim> claims = audit(evidence);
  if (!arguments.certificates.empty())
    std::fprintf(stderr, "rankfall: %s\n",
                 write_certificates(evidence.refutations, arguments.certificates)
                     .words(arguments.certificates)
                     .c_str());
  const AuditFormat format =
      arguments.json ? AuditFormat::json : arguments.format.value_or(ending.value_or(AuditFormat::text));
  if (ending) {
    write_file(out, written(claims, format));
    return success;
  }
  if (!arguments.out.empty()) write_folder(claims, out);
  write_stdout(written(claims, format));
  return success;
}

}  // namespace

void add_audit(Commands& commands) {
  auto arguments = std::make_shared<AuditArguments>();
  Command command = commands.add("audit",
                                 "Every claim, those of the paper first and in its order: proved, "
                                 "refuted with the certified instance and the true\n"
                                 "statement that replaces it, or open. Refutations, symbolic and "
                                 "interval proofs are recomputed on the spot.");
  command.word<std::optional<AuditFormat>>("--format", arguments->format, {formats.begin(), formats.end()},
                                           "Default: by the ending of --out, else text");
  command.text("--out", arguments->out, "a file or a folder",
               "FILE.html, .md, .json or .txt: write that instead of printing. Any other name is a folder: "
               "audit.html, audit.md\nand audit.json are written into it as well");
  command.text("--certificate", arguments->certificates, "a folder",
               "Write a certificate of every refutation into this folder, for rankfall recheck and "
               "scripts/recheck.py\n"
               "(docs/certificates.md)");
  command.flag("--json", arguments->json, "The same as --format json");
  command.when_chosen([arguments]() -> Action {
    if (arguments->json && arguments->format && arguments->format != AuditFormat::json)
      throw UsageError("--json and another --format: give one of them");
    return [arguments] { return run_audit(*arguments); };
  });
}

}  // namespace rankfall::verify::cli
