#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "verify/report/report.hpp"

namespace rankfall::test {

/// A directory of its own for one test, removed with it.
class Scratch {
 public:
  explicit Scratch(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Every file below a directory by its relative name.
inline std::map<std::string, std::string> files_below(const std::filesystem::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      files[std::filesystem::relative(entry.path(), directory).string()] = slurp(entry.path());
  return files;
}

/// One head and two, contracting and not, inside 1.256 and outside, depths 1 to 3: a second of work.
inline constexpr char tiny_grid[] = R"(depth = "1:3"
tokens = 3
dim = 4
heads = [1, 2]
beta = ["0.001", "0.05", "20"]
seeds = 2
digits = 6
)";

inline verify::ReportRequest tiny_request(const std::filesystem::path& directory, unsigned threads) {
  verify::ReportRequest request;
  request.grid_text = tiny_grid;
  request.grid = verify::parse_grid(tiny_grid, "tiny");
  request.command = "rankfall report --config tiny.toml";
  request.directory = directory;
  request.threads = threads;
  return request;
}

}  // namespace rankfall::test
