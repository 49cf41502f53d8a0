#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "numerics/matrix.hpp"

namespace rankfall {

/// Reads a two-dimensional array of floating-point numbers (numpy's format, versions 1 to 3; float16, float32
/// or float64 in either byte order; C or Fortran order), every number exactly. Throws InputError "file: what
/// was found; what is allowed" for anything else, before taking the memory that the header claims: another
/// dtype, another number of dimensions, an empty array, more entries than a network may have, bytes missing
/// or left over, NaN or an infinity (named by its position).
ExactMatrix read_npy(const std::filesystem::path& path);

/// The same for bytes at hand; `name` stands in messages for the file.
ExactMatrix parse_npy(std::string_view bytes, std::string_view name);

/// The most that the header of such an array takes; numpy writes 128 bytes.
inline constexpr std::size_t max_npy_header_bytes = 10'000;
/// The size of the whole file, from its first max_npy_header_bytes bytes (or all of them when there are
/// fewer). Throws InputError without a place for a header that read_npy refuses.
std::size_t npy_size(std::string_view beginning);

}  // namespace rankfall
