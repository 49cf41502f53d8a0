#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace rankfall {

/// The bytes of a regular file. Throws InputError, naming the file, when it is absent, a folder, anything
/// else that is not a regular file (pipes and devices may never end), unreadable, or longer than `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace rankfall
