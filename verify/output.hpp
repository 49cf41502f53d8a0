#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/errors.hpp"

namespace rankfall::verify {

/// Something could not be written.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// Writes to standard output and flushes. A reader that has gone away is no error; any other failure throws
/// OutputError.
void write_stdout(std::string_view text);

/// Makes the folder, and those that it lies in, where there is none. Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// Writes the whole text beside `path`, then renames: the file is the old one or the new one, never half of
/// either. Throws OutputError naming the path and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view text);

/// The same for a text that comes in pieces: `produce` is given what takes the next.
using TextSink = std::function<void(std::string_view)>;
void write_file(const std::filesystem::path& path, const std::function<void(const TextSink&)>& produce);

/// Several files: all are written beside their places before the first is renamed, so that a full disk leaves
/// the old ones.
void write_files(const std::vector<std::pair<std::filesystem::path, std::string>>& files);

}  // namespace rankfall::verify
