#include "verify/cli/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "numerics/message.hpp"
#include "numerics/nearest.hpp"
#include "verify/cli/command.hpp"
#include "verify/cli/process.hpp"
#include "verify/interrupt.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr std::size_t longest_message = 2000;

/// On one line and of bounded length, whatever names and words came in from outside.
void complain(const std::string& message) {
  std::fprintf(stderr, "rankfall: %s\n", abbreviated(message, longest_message).c_str());
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

const CLI::App* chosen_command(const CLI::App& program) {
  const auto commands = program.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string unknown_flag(const CLI::App& program, const CLI::App* command, const std::string& flag) {
  const std::vector<std::string> flags = flag_names(command ? *command : program);
  if (command && std::find(flags.begin(), flags.end(), flag) != flags.end())
    return fmt::format("the flag '{}' stands before the command; write 'rankfall {} {}'", flag,
                       command->get_name(), flag);
  return fmt::format("unknown flag '{}'{}{}", abbreviated(flag),
                     command ? " of command " + command->get_name() : std::string(), suggestion(flag, flags));
}

/// The first word that no command or flag takes, and what was likely meant.
std::string unexpected(const CLI::App& program, const std::vector<std::string>& words) {
  const std::string& word = words.front();
  const CLI::App* command = chosen_command(program);
  if (word.starts_with("-")) return unknown_flag(program, command, word.substr(0, word.find('=')));
  if (command)
    return fmt::format("unexpected word '{}' after command {}", abbreviated(word), command->get_name());
  const std::string near = suggestion(word, command_names(program));
  return fmt::format("unknown command '{}'{}", abbreviated(word),
                     near.empty() ? "; 'rankfall --help' lists the commands" : near);
}

/// What the parser left over, but for the "--" behind which every word is a name.
std::vector<std::string> left_over(const CLI::App& program) {
  std::vector<std::string> rest = program.remaining(true);
  if (chosen_command(program)) std::erase(rest, "--");
  return rest;
}

int dispatch(CLI::App& program, const Commands& commands, const MessagePassing& messages, int argc,
             char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    write_stdout(version_text(messages));
    return success;
  } catch (const CLI::CallForHelp&) {
    const CLI::App* command = chosen_command(program);
    write_stdout((command ? *command : program).help());
    return success;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string words = error.what(), flag = words.substr(0, words.find(':'));
    if (words.find("At Most 1 required") == std::string::npos) throw UsageError(words);
    throw UsageError(fmt::format("{} is given more than once; once is enough", flag));
  } catch (const CLI::ParseError& error) {
    const auto rest = left_over(program);
    throw UsageError(rest.empty() ? error.what() : unexpected(program, rest));
  }
  if (const auto rest = left_over(program); !rest.empty()) throw UsageError(unexpected(program, rest));
  if (!commands.action()) throw UsageError("no command; try 'rankfall --help'");
  return commands.action()();
}

}  // namespace

int run(int argc, char** argv, const MessagePassing& messages) {
  hold_standard_streams();
  report_exhausted_memory();
  report_vanished_file();
  install_interrupt_handlers();
  try {
    CLI::App program(
        "rankfall: certified verification of rank-collapse bounds for self-attention networks\n"
        "Exit codes: 0 done; 1 a statement held true was refuted, or a certificate rejected; 2 undecided for "
        "lack of\n"
        "precision; 64 wrong call; 65 bad input; 70 internal error; 74 cannot write; 130 interrupted.",
        "rankfall");
    program.set_version_flag("--version", "", "Version, libraries and kernels in use");
    program.allow_extras();
    program.require_subcommand(0, 1);
    Commands commands(program);
    add_report(commands);
    add_check(commands);
    add_recheck(commands);
    add_audit(commands);
    add_explain(commands);
    add_table(commands);
    add_paths(commands);
    add_averages(commands);
    add_precision(commands);
    add_architectures(commands);
    add_falsify(commands);
    add_generate(commands);
    add_sweep(commands, messages);
    add_ledger_commands(commands);
    for (CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
      command->allow_extras();
    return dispatch(program, commands, messages, argc, argv);
  } catch (const UsageError& error) {
    complain(error.what());
    return usage;
  } catch (const InputError& error) {
    complain(error.what());
    return bad_input;
  } catch (const OutputError& error) {
    complain(error.what());
    return cannot_write;
  } catch (const std::filesystem::filesystem_error& error) {
    complain(error.what());
    return cannot_write;
  } catch (const PrecisionLimit& error) {
    complain(error.what());
    return lacks_precision;
  } catch (const Interrupted&) {
    complain("interrupted");
    return interrupted_exit;
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return internal;
  } catch (const DomainError& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return internal;
  } catch (const Error& error) {
    complain(error.what());
    return internal;
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return internal;
  }
}

}  // namespace rankfall::verify::cli
