#include "verify/report/directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "verify/output.hpp"
#include "verify/report/tables.hpp"

namespace rankfall::verify {
namespace {

namespace fs = std::filesystem;

constexpr std::array report_entries{"index.html",    "margins.csv", "tightness.csv", "tightness.md",
                                    "verdicts.json", "figures",     "tables"};

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw OutputError(fmt::format("cannot write the report to {}: {}", path.string(), reason));
}

bool holds_verdicts(const fs::path& directory) {
  std::ifstream file(directory / "verdicts.json", std::ios::binary);
  std::string start(200, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find(fmt::format("\"format\": \"{}\"", verdicts_format)) != std::string::npos;
}

/// The first entry that no report writes.
fs::path stranger(const fs::path& directory) {
  for (const auto& entry : fs::directory_iterator(directory))
    if (std::find(report_entries.begin(), report_entries.end(), entry.path().filename()) ==
        report_entries.end())
      return entry.path().filename();
  return {};
}

/// Swaps two directories in one step where the system can.
bool exchange(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

/// So that after a power cut the name and what it stands for agree.
void flush_directory(const fs::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Links followed, no trailing slash: the directory itself is what is replaced.
fs::path resolved(const fs::path& place) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(place, error)) && !fs::exists(place, error))
    fail(place, "it is a link to something that does not exist");
  const fs::path absolute = fs::absolute(place, error);
  if (error) fail(place, error.message());
  fs::path result = fs::weakly_canonical(absolute, error);
  if (error) fail(place, error.message());
  return result.filename().empty() ? result.parent_path() : result;
}

}  // namespace

void check_replaceable(const fs::path& place) {
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (status.type() == fs::file_type::not_found) return;
  if (error) fail(place, error.message());
  if (!fs::is_directory(status)) fail(place, "it exists and is not a directory; name another with --out");
  if (fs::is_empty(place, error) && !error) return;
  if (error) fail(place, error.message());
  const fs::path strange = stranger(place);
  if (!strange.empty())
    fail(place, fmt::format(
                    "it holds '{}', which no report writes and replacing would lose; move it or name another "
                    "directory with --out",
                    strange.string()));
  if (!holds_verdicts(place))
    fail(place,
         "it is not empty and not a report (no verdicts.json of this format); name another with --out");
}

StagedDirectory::StagedDirectory(const fs::path& place) : place_(resolved(place)) {
  check_replaceable(place_);
  staging_ = place_.string() + fmt::format(".partial-{}", ::getpid());
  std::error_code error;
  fs::create_directories(place_.parent_path(), error);
  if (!error) fs::create_directory(staging_, error);
  if (error) fail(place_, error.message());
}

StagedDirectory::~StagedDirectory() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

void StagedDirectory::commit() {
  check_replaceable(place_);  // again: the sweep took a while
  std::error_code error;
  if (!fs::exists(place_, error)) {
    fs::rename(staging_, place_, error);
    if (error) fail(place_, error.message());
    staging_.clear();
  } else if (!exchange(staging_, place_)) {
    const fs::path old = staging_.string() + "-old";
    fs::rename(place_, old, error);
    if (error) fail(place_, error.message());
    fs::rename(staging_, place_, error);
    if (error) {
      std::error_code ignored;
      fs::rename(old, place_, ignored);
      fail(place_, error.message());
    }
    staging_ = old;
  }
  flush_directory(place_.parent_path());
}

}  // namespace rankfall::verify
