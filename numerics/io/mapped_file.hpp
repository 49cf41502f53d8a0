#pragma once
#include <filesystem>
#include <string_view>

namespace rankfall {

/// A regular file seen as memory, without a copy; unchanged as long as nobody writes to the file.
class MappedFile {
 public:
  /// Throws InputError, naming the file, when it is absent, no regular file, or cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rankfall
