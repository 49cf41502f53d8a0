#include "verify/cli/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "numerics/nearest.hpp"
#include "verify/cli/command.hpp"
#include "verify/interrupt.hpp"
#include "verify/output.hpp"

namespace rankfall::verify::cli {
namespace {

void complain(const std::string& message) {
  std::fprintf(stderr, "rankfall: %s\n", message.c_str());
}

std::string shown(const std::string& word) {
  return word.size() <= 80 ? word : word.substr(0, 80) + "...";
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

/// The first word that no command or flag takes, and what was likely meant.
std::string unexpected(const CLI::App& program, const std::vector<std::string>& words) {
  const std::string& word = words.front();
  const CLI::App* command = chosen_command(program);
  if (word.starts_with("-")) {
    const std::string flag = word.substr(0, word.find('='));
    return fmt::format("unknown flag '{}'{}{}", shown(flag),
                       command ? " of command " + command->get_name() : std::string(),
                       suggestion(flag, flag_names(command ? *command : program)));
  }
  if (!command)
    return fmt::format("unknown command '{}'{}", shown(word), suggestion(word, command_names(program)));
  return fmt::format("unexpected word '{}' after command {}", shown(word), command->get_name());
}

int dispatch(CLI::App& program, const Action& action, int argc, char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    write_stdout(version_text());
    return success;
  } catch (const CLI::CallForHelp&) {
    const CLI::App* command = chosen_command(program);
    write_stdout((command ? *command : program).help());
    return success;
  } catch (const CLI::ParseError& error) {
    const auto rest = program.remaining(true);
    throw UsageError(rest.empty() ? error.what() : unexpected(program, rest));
  }
  if (const auto rest = program.remaining(true); !rest.empty()) throw UsageError(unexpected(program, rest));
  if (!action) throw UsageError("no command; try 'rankfall --help'");
  return action();
}

}  // namespace

int run(int argc, char** argv) {
  install_interrupt_handlers();
  try {
    CLI::App program(
        "rankfall: certified verification of rank-collapse bounds for self-attention networks\n"
        "Exit codes: 0 done; 1 a statement held true was refuted; 2 undecided for lack of precision;\n"
        "64 wrong call; 65 bad input; 70 internal error; 74 cannot write; 130 interrupted.",
        "rankfall");
    program.set_version_flag("--version", "", "Version, libraries and kernels in use");
    program.allow_extras();
    program.require_subcommand(0, 1);
    Action action;
    add_report(program, action);
    add_check(program, action);
    add_audit(program, action);
    add_explain(program, action);
    add_table(program, action);
    add_paths(program, action);
    add_generate(program, action);
    add_sweep(program, action);
    add_ledger_commands(program, action);
    for (CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
      command->allow_extras();
    return dispatch(program, action, argc, argv);
  } catch (const UsageError& error) {
    complain(error.what());
    return usage;
  } catch (const InputError& error) {
    complain(error.what());
    return bad_input;
  } catch (const OutputError& error) {
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
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return internal;
  }
}

}  // namespace rankfall::verify::cli
