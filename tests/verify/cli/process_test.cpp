#include "verify/cli/process.hpp"

#include <doctest/doctest.h>
#include <gmp.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "numerics/io/mapped_file.hpp"
#include "tests/verify/cli/program.hpp"

using namespace rankfall::test;
namespace fs = std::filesystem;

namespace {

constexpr char small_grid[] = "depth = 1\ntokens = 2\ndim = 1\n";

void close_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
}

}  // namespace

TEST_CASE("a report without any standard stream is the same as one with all") {
  const Scratch scratch("rankfall-no-streams");
  std::ofstream(scratch / "grid.toml") << small_grid;
  const auto report = [&](const std::string& name, const std::function<void()>& prepare) {
    const std::string out = (scratch / name).string();
    CHECK(program({"report", "--config", (scratch / "grid.toml").string(), "--out", out}, "", prepare).code ==
          0);
    return files_below(out);
  };
  const auto all = report("all", {});
  CHECK(all.size() > 4);
  CHECK(report("none", close_standard_streams) == all);
}

TEST_CASE("results without a standard output are an error of writing, input without one of reading") {
  CHECK(program({"explain"}, "", close_standard_streams).code == 74);
  CHECK(program({"check", "-"}, "", close_standard_streams).code == 65);
}

TEST_CASE("a working directory that was removed is an error of writing") {
  const Scratch scratch("rankfall-gone");
  std::ofstream(scratch / "grid.toml") << small_grid;
  const fs::path gone = scratch / "gone";
  const Outcome outcome = program({"report", "--config", (scratch / "grid.toml").string()}, "", [&] {
    fs::create_directory(gone);
    fs::current_path(gone);
    fs::remove(gone);
  });
  CHECK(outcome.code == 74);
  CHECK(mentions(outcome.err, "cannot write the report"));
}

TEST_CASE("a limit on the size of files is an error of writing, not the end by a signal") {
  const Scratch scratch("rankfall-limit");
  std::ofstream(scratch / "grid.toml") << small_grid;
  const Outcome outcome = program(
      {"report", "--config", (scratch / "grid.toml").string(), "--out", (scratch / "report").string()}, "",
      [] {
        const rlimit small = {4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &small);
      });
  CHECK(outcome.code == 74);
  CHECK(!fs::exists(scratch / "report"));
}

TEST_CASE("a mapped file that becomes shorter while it is read ends the program with exit code 65") {
  const Scratch scratch("rankfall-shorter");
  const fs::path file = scratch / "weights";
  std::ofstream(file) << std::string(1U << 16U, 'x');
  const Outcome outcome = program({}, "", [&] {
    rankfall::verify::cli::report_vanished_file();
    const rankfall::MappedFile mapped(file);
    fs::resize_file(file, 0);
    ::_exit(mapped.bytes().back() == 'x' ? 0 : 1);
  });
  CHECK(outcome.code == 65);
  CHECK(mentions(outcome.err, "became shorter"));
}

// Sanitizers have allocators of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("memory that runs out in a library ends the program with exit code 70") {
  const Outcome outcome = program({}, "", [] {
    rankfall::verify::cli::report_exhausted_memory();
    const rlimit gibibyte = {rlim_t{1} << 30U, rlim_t{1} << 30U};
    ::setrlimit(RLIMIT_AS, &gibibyte);
    mpz_t huge;
    mpz_init2(huge, mp_bitcnt_t{1} << 36U);
    ::_exit(0);
  });
  CHECK(outcome.code == 70);
  CHECK(mentions(outcome.err, "out of memory"));
}
#endif
