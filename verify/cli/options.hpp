#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
class Option;
}  // namespace CLI

namespace rankfall::verify::cli {

/// What the chosen command will do; returns the exit code.
using Action = std::function<int()>;

/// The arguments and flags of one command. A value that is not allowed is refused with a message that says
/// what was found and what is allowed; --help shows the same, and the default where it is not zero or empty.
/// References must outlive the parsing.
class Command {
 public:
  Command(CLI::App& command, Action& action) : command_(&command), action_(&action) {}

  /// Words without a flag: one that must be there, one that may, and one or more.
  void argument(const char* name, std::string& value, const std::string& words);
  void optional_argument(const char* name, std::string& value, std::string_view what,
                         const std::string& words);
  void arguments(const char* name, std::vector<std::string>& values, const std::string& words);

  void flag(const char* name, bool& value, const std::string& words);
  /// Any text but the empty one; `what` says of what kind, such as "a file".
  void text(const std::string& name, std::string& value, std::string_view what, const std::string& words);
  void text(const std::string& name, const std::function<void(const std::string&)>& take,
            std::string_view what, const std::string& words);
  /// A flag that may be given several times.
  void texts(const char* name, std::vector<std::string>& values, std::string_view what,
             const std::string& words);
  /// A number from `least` to `greatest`.
  void number(const char* name, double& value, double least, double greatest, const std::string& words);
  /// A whole number in decimal digits from `least` to `greatest`; leading zeros mean nothing ("010" is ten).
  template <class Integer>
  void whole_number(const char* name, Integer& value, std::uint64_t least, std::uint64_t greatest,
                    const std::string& words) {
    whole_number(
        name, [&value](std::uint64_t number) { value = static_cast<Integer>(number); },
        static_cast<std::uint64_t>(value), least, greatest, words);
  }
  /// One of the words, each of which stands for a value.
  template <class Value>
  void word(const char* name, Value& value, const std::vector<std::pair<std::string, Value>>& meanings,
            const std::string& words) {
    std::vector<std::string> names;
    names.reserve(meanings.size());
    for (const auto& [each, meaning] : meanings) names.push_back(each);
    word(
        name, names, [&value, meanings](std::size_t index) { value = meanings[index].second; }, words);
  }

  /// Whether the command line has this flag.
  bool given(const char* name) const;

  /// When the command was chosen and every value is known: says what to do, or throws UsageError.
  void when_chosen(std::function<Action()> decide);

 private:
  CLI::Option* add_text(const std::string& name, const std::function<void(const std::string&)>& take,
                        std::string_view what, const std::string& words);
  void whole_number(const char* name, std::function<void(std::uint64_t)> take, std::uint64_t standard,
                    std::uint64_t least, std::uint64_t greatest, const std::string& words);
  void word(const char* name, const std::vector<std::string>& names, std::function<void(std::size_t)> take,
            const std::string& words);

  CLI::App* command_;
  Action* action_;
};

/// The commands of the program.
class Commands {
 public:
  explicit Commands(CLI::App& program) : program_(&program) {}
  Command add(const char* name, const std::string& words);
  /// Of the command that was chosen; empty when none was.
  const Action& action() const { return action_; }

 private:
  CLI::App* program_;
  Action action_;
};

}  // namespace rankfall::verify::cli
