#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "numerics/io/file.hpp"
#include "numerics/io/json_network.hpp"
#include "verify/cli/command.hpp"

namespace rankfall::verify::cli {
namespace {

constexpr char standard_input[] = "-";

std::string read_stdin() {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError("standard input cannot be read");
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > max_network_bytes)
      throw InputError(fmt::format("standard input has more than {} bytes, the most a network file may have",
                                   max_network_bytes));
  }
}

}  // namespace

std::string network_text(const std::string& argument) {
  return argument == standard_input ? read_stdin() : read_file(argument, max_network_bytes);
}

std::string network_name(const std::string& argument) {
  return argument == standard_input ? "standard input" : argument;
}

}  // namespace rankfall::verify::cli
