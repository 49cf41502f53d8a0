#include <fmt/format.h>

#include <memory>

#include "numerics/io/file.hpp"
#include "verify/certificate_statement.hpp"
#include "verify/cli/command.hpp"
#include "verify/output.hpp"
#include "verify/recheck/recheck.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr int rejected = 1;

recheck::Outcome rechecked(const std::string& file) {
  const std::string text = read_file(file, recheck::longest_certificate);
  try {
    return recheck::recheck(text, catalogue_texts);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

std::string precision_words(const recheck::Outcome& outcome) {
  std::string words = outcome.bits > 0 ? fmt::format(", at {} bits", outcome.bits) : "";
  if (outcome.direct_bits > 0)
    words += fmt::format("; states to {} by direct evaluation too, at {} bits", outcome.direct_states,
                         outcome.direct_bits);
  return words;
}

int run_recheck(const std::vector<std::string>& files) {
  int code = success;
  for (const std::string& file : files) {
    const recheck::Outcome outcome = rechecked(file);
    std::string text = fmt::format("{}: {}: {}{}\n", file, outcome.accepted() ? "accepted" : "rejected",
                                   outcome.summary, precision_words(outcome));
    for (const std::string& fault : outcome.faults) text += "  " + fault + "\n";
    write_stdout(text);
    if (!outcome.accepted()) code = rejected;
  }
  return code;
}

}  // namespace

void add_recheck(Commands& commands) {
  auto files = std::make_shared<std::vector<std::string>>();
  Command command = commands.add("recheck",
                                 "Derive everything that a certificate says anew, from its network and the "
                                 "text of its statement, by another\n"
                                 "road and in other arithmetic than it was decided in (directed rounding); "
                                 "and by direct evaluation where\n"
                                 "the depth leaves that affordable. Exit code 0 when every certificate\n"
                                 "is accepted, 1 when one is rejected, 65 when one cannot be read.");
  command.arguments("CERTIFICATE", *files,
                    "Certificate files (rankfall-certificate/1, docs/certificates.md)");
  command.when_chosen([files]() -> Action { return [files] { return run_recheck(*files); }; });
}

}  // namespace rankfall::verify::cli
