#include "verify/report/directory.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "tiny_report.hpp"
#include "verify/interrupt.hpp"
#include "verify/output.hpp"
#include "verify/report/tables.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using namespace rankfall::test;
namespace fs = std::filesystem;

namespace {

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// A directory that passes for an earlier report.
void earlier_report(const fs::path& directory) {
  fs::create_directories(directory / "figures");
  write_text(directory / "verdicts.json", "{\n  \"format\": \"" + std::string(verdicts_format) + "\"}\n");
  write_text(directory / "index.html", "old");
}

/// Files may grow to this many bytes: as good as a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before_;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_ = {};
  void (*signal_)(int) = nullptr;
};

}  // namespace

TEST_CASE("staged directory: appears whole when committed, leaves nothing when not") {
  const Scratch scratch("rankfall-staged");
  const fs::path place = scratch / "deep" / "report";
  {
    StagedDirectory staged(place);
    write_text(staged.path() / "index.html", "new");
    CHECK(!fs::exists(place));
  }
  CHECK(entries(place.parent_path()) == 0);
  {
    StagedDirectory staged(place);
    write_text(staged.path() / "index.html", "new");
    staged.commit();
    CHECK(slurp(place / "index.html") == "new");
  }
  CHECK(entries(place.parent_path()) == 1);
}

TEST_CASE("staged directory: replaces an earlier report and an empty directory, also through a link") {
  const Scratch scratch("rankfall-replace");
  earlier_report(scratch / "report");
  fs::create_directory(scratch / "empty");
  fs::create_directory_symlink(scratch / "report", scratch / "link");
  for (const char* name : {"report", "empty", "link"}) {
    StagedDirectory staged(scratch / name);
    write_text(staged.path() / "tightness.md", name);
    write_text(staged.path() / "verdicts.json", "{\"format\": \"rankfall-verdicts/1\"}");
    staged.commit();
  }
  CHECK(slurp(scratch / "report" / "tightness.md") == "link");
  CHECK(!fs::exists(scratch / "report" / "figures"));
  CHECK(slurp(scratch / "empty" / "tightness.md") == "empty");
  CHECK(fs::is_symlink(scratch / "link"));
  CHECK(entries(scratch.path()) == 3);
}

TEST_CASE("staged directory: refuses what is not its own, naming it") {
  const Scratch scratch("rankfall-refuse");
  write_text(scratch / "file", "text");
  fs::create_directory(scratch / "other");
  write_text(scratch / "other" / "index.html", "a page of something else");
  earlier_report(scratch / "mixed");
  write_text(scratch / "mixed" / "notes.txt", "precious");
  CHECK_THROWS_WITH_AS(StagedDirectory(scratch / "file"), doctest::Contains("not a directory"), OutputError);
  CHECK_THROWS_WITH_AS(StagedDirectory(scratch / "other"), doctest::Contains("not a report"), OutputError);
  CHECK_THROWS_WITH_AS(StagedDirectory(scratch / "mixed"), doctest::Contains("notes.txt"), OutputError);
  CHECK(slurp(scratch / "mixed" / "notes.txt") == "precious");
  CHECK(entries(scratch.path()) == 3);
}

TEST_CASE("staged directory: a place that cannot be made is an output error") {
  const Scratch scratch("rankfall-unmakeable");
  write_text(scratch / "file", "text");
  CHECK_THROWS_AS(StagedDirectory(scratch / "file" / "report"), OutputError);
  CHECK_THROWS_AS(StagedDirectory("/proc/rankfall/report"), OutputError);
  fs::create_symlink(scratch / "nowhere", scratch / "dangling");
  CHECK_THROWS_WITH_AS(StagedDirectory(scratch / "dangling"), doctest::Contains("does not exist"),
                       OutputError);
}

TEST_CASE("staged directory: what appears at the place while it is written is not lost") {
  const Scratch scratch("rankfall-race");
  StagedDirectory staged(scratch / "report");
  fs::create_directory(scratch / "report");
  write_text(scratch / "report" / "notes.txt", "precious");
  CHECK_THROWS_AS(staged.commit(), OutputError);
  CHECK(slurp(scratch / "report" / "notes.txt") == "precious");
}

TEST_CASE("report: a full disk leaves the earlier report whole and nothing beside it") {
  const Scratch scratch("rankfall-full");
  earlier_report(scratch / "report");
  {
    const SmallDisk disk(8192);
    CHECK_THROWS_AS(write_report(tiny_request(scratch / "report", 1)), OutputError);
  }
  CHECK(slurp(scratch / "report" / "index.html") == "old");
  CHECK(entries(scratch.path()) == 1);
}

TEST_CASE("report: an interrupt leaves the earlier report whole and nothing beside it") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Scratch scratch("rankfall-interrupt");
    earlier_report(scratch / "report");
    const pid_t child = ::fork();  // the flag of an interrupt stays up for the life of a program
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(signal, SIG_DFL);
      install_interrupt_handlers();
      const DeferredInterrupt deferred;
      std::raise(signal);
      try {
        write_report(tiny_request(scratch / "report", 1));
        ::_exit(0);
      } catch (const Interrupted&) {
        ::_exit(interrupted_exit);
      } catch (...) {
        ::_exit(1);
      }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == interrupted_exit);
    CHECK(slurp(scratch / "report" / "index.html") == "old");
    CHECK(entries(scratch.path()) == 1);
  }
}
