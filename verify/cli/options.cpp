#include "verify/cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "numerics/message.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::verify::cli {
namespace {

/// A validator that throws nothing and says what is wrong, or "".
CLI::Validator reader(std::function<std::string(std::string&)> read) {
  return CLI::Validator(std::move(read), "");
}

CLI::Validator not_empty(std::string_view what) {
  return reader([needed = std::string(what)](const std::string& text) {
    return text.empty() ? fmt::format("found \"\"; it takes {}", needed) : std::string();
  });
}

template <class Number>
bool read_whole(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

}  // namespace

void Command::argument(const char* name, std::string& value, const std::string& words) {
  command_->add_option(name, value, words)->required();
}

void Command::optional_argument(const char* name, std::string& value, std::string_view what,
                                const std::string& words) {
  command_->add_option(name, value, words)->check(not_empty(what));
}

void Command::arguments(const char* name, std::vector<std::string>& values, const std::string& words) {
  command_->add_option(name, values, words)->required();
}

void Command::flag(const char* name, bool& value, const std::string& words) {
  command_->add_flag(name, value, words);
}

CLI::Option* Command::add_text(const std::string& name, const std::function<void(const std::string&)>& take,
                               std::string_view what, const std::string& words) {
  return command_->add_option_function<std::string>(name, take, words)->check(not_empty(what));
}

void Command::text(const std::string& name, std::string& value, std::string_view what,
                   const std::string& words) {
  CLI::Option* option = add_text(
      name, [&value](const std::string& found) { value = found; }, what, words);
  if (!value.empty()) option->default_str(value);
}

void Command::text(const std::string& name, const std::function<void(const std::string&)>& take,
                   std::string_view what, const std::string& words) {
  add_text(name, take, what, words);
}

void Command::texts(const char* name, std::vector<std::string>& values, std::string_view what,
                    const std::string& words) {
  command_->add_option(name, values, words)->check(not_empty(what))->allow_extra_args(false);
}

void Command::number(const char* name, double& value, double least, double greatest,
                     const std::string& words) {
  const auto read = [least, greatest](const std::string& text) -> std::string {
    double found = 0;
    if (read_whole(text, found) && found >= least && found <= greatest) return {};
    return fmt::format("found {}; a number from {} to {} is needed", in_quotes(text), least, greatest);
  };
  command_
      ->add_option_function<std::string>(
          name, [&value](const std::string& text) { read_whole(text, value); }, words)
      ->check(reader(read))
      ->type_name(fmt::format("{}..{}", least, greatest))
      ->default_str(fmt::format("{}", value));
}

void Command::whole_number(const char* name, std::function<void(std::uint64_t)> take, std::uint64_t standard,
                           std::uint64_t least, std::uint64_t greatest, const std::string& words) {
  const auto read = [least, greatest](const std::string& text) -> std::string {
    std::uint64_t found = 0;
    if (read_whole(text, found) && found >= least && found <= greatest) return {};
    return fmt::format("found {}; a whole number from {} to {} is needed", in_quotes(text), least, greatest);
  };
  CLI::Option* option = command_
                            ->add_option_function<std::string>(
                                name,
                                [take = std::move(take)](const std::string& text) {
                                  std::uint64_t found = 0;
                                  read_whole(text, found);
                                  take(found);
                                },
                                words)
                            ->check(reader(read))
                            ->type_name(fmt::format("{}..{}", least, greatest));
  if (standard != 0) option->default_str(std::to_string(standard));
}

void Command::word(const char* name, const std::vector<std::string>& names,
                   std::function<void(std::size_t)> take, const std::string& words) {
  const auto read = [names](const std::string& text) -> std::string {
    if (std::find(names.begin(), names.end(), text) != names.end()) return {};
    const std::string near = nearest(text, names);
    return fmt::format("found {}{}; allowed are {}", in_quotes(text),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(names, ", "));
  };
  command_
      ->add_option_function<std::string>(
          name,
          [names, take = std::move(take)](const std::string& text) {
            take(static_cast<std::size_t>(std::find(names.begin(), names.end(), text) - names.begin()));
          },
          words)
      ->check(reader(read))
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
}

bool Command::given(const char* name) const {
  return command_->count(name) > 0;
}

void Command::when_chosen(std::function<Action()> decide) {
  command_->callback([decide = std::move(decide), action = action_] { *action = decide(); });
}

Command Commands::add(const char* name, const std::string& words) {
  return {*program_->add_subcommand(name, words), action_};
}

}  // namespace rankfall::verify::cli
