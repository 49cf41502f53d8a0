#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace rankfall::verify {

/// A directory that is written beside its place and then put there in one step: the place holds what it held
/// before or all of the new, never half. What is not committed is removed.
class StagedDirectory {
 public:
  /// Throws OutputError when `place` cannot be made, or is something that `check_replaceable` refuses.
  explicit StagedDirectory(const std::filesystem::path& place);
  ~StagedDirectory();
  StagedDirectory(const StagedDirectory&) = delete;
  StagedDirectory& operator=(const StagedDirectory&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  /// Throws OutputError; the place is then as it was.
  void commit();

 private:
  std::filesystem::path place_, staging_;
};

/// Throws OutputError unless `place` is absent, an empty directory, or a directory that a report was written
/// to and that holds nothing else.
void check_replaceable(const std::filesystem::path& place);

}  // namespace rankfall::verify
