#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/verify/report/tiny_report.hpp"
#include "verify/cli/run.hpp"

namespace rankfall::test {

/// What the program did when it was called.
struct Outcome {
  int code = -1;  ///< -1: it did not exit by itself
  std::string out, err;
};

/// Calls the program in a process of its own; `prepare` runs there first, behind the redirections.
inline Outcome program(std::vector<std::string> words, const std::string& input = "",
                       const std::function<void()>& prepare = {}) {
  static int calls = 0;
  const Scratch scratch("rankfall-program-" + std::to_string(++calls));
  std::ofstream(scratch / "in") << input;
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr int truncate = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open((scratch / "in").c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(::open((scratch / "out").c_str(), truncate, 0600), STDOUT_FILENO);
    ::dup2(::open((scratch / "err").c_str(), truncate, 0600), STDERR_FILENO);
    for (int other = STDERR_FILENO + 1; other < 64; ++other) ::close(other);
    if (prepare) prepare();
    words.insert(words.begin(), "rankfall");
    std::vector<char*> arguments;
    arguments.reserve(words.size());
    for (std::string& word : words) arguments.push_back(word.data());
    ::_exit(verify::cli::run(static_cast<int>(arguments.size()), arguments.data()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(scratch / "out"), slurp(scratch / "err")};
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace rankfall::test
