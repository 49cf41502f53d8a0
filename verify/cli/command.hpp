#pragma once
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/cli/options.hpp"
#include "verify/ledger/ranks.hpp"

namespace rankfall::verify::cli {

/// The command line is wrong; exit code 64.
class UsageError : public Error {
 public:
  using Error::Error;
};

enum ExitCode {
  success = 0,
  true_statement_refuted = 1,
  lacks_precision = 2,
  usage = 64,
  bad_input = 65,
  internal = 70,
  cannot_write = 74,
};

/// More threads than any machine has.
inline constexpr unsigned most_threads = 1024;

// Each adds its command to the program.
void add_check(Commands& commands);
void add_recheck(Commands& commands);
void add_audit(Commands& commands);
void add_explain(Commands& commands);
void add_generate(Commands& commands);
void add_report(Commands& commands);
void add_table(Commands& commands);
void add_paths(Commands& commands);
void add_sweep(Commands& commands, const MessagePassing& messages);
/// status, export, merge and diff.
void add_ledger_commands(Commands& commands);
void add_averages(Commands& commands);
void add_architectures(Commands& commands);
void add_falsify(Commands& commands);
void add_precision(Commands& commands);

enum class Repeats { refused, allowed };
/// Splits "a,b,c"; an empty part, or one that stands twice where that is refused, is a UsageError naming the
/// flag.
std::vector<std::string> split_list(const std::string& flag, const std::string& text,
                                    Repeats repeats = Repeats::refused);
/// Adds --define, which may be given several times.
void add_define(Command& command, std::vector<std::string>& files);
/// The catalogue with the bounds that the files define. Throws InputError.
theory::Statements known_statements(const std::vector<std::string>& files);
/// Checks the id against what is known; UsageError names it and the nearest.
void statement_id(const std::string& flag, const std::string& id, const theory::Statements& known = {});
/// The same for each of "a,b,c".
std::vector<std::string> statement_ids(const std::string& flag, const std::string& text,
                                       const theory::Statements& known = {});
std::vector<theory::Gamma> gammas(const std::string& flag, const std::string& text);

/// The text of a network named on the command line, a file or - for standard input, and how messages call it.
std::string network_text(const std::string& argument);
std::string network_name(const std::string& argument);

/// The text of a grid file; InputError when it cannot be read or is longer than a grid can be.
std::string grid_text(const std::string& path);

std::string version_text(const MessagePassing& messages);

}  // namespace rankfall::verify::cli
