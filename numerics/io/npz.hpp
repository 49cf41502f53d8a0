#pragma once
#include <filesystem>
#include <string_view>

#include "numerics/matrix.hpp"

namespace rankfall {

/// Reads one array of an archive that numpy.savez or numpy.savez_compressed wrote, exactly, as read_npy does:
/// the array `array` ("x" for the member "x.npy"), or the only one when the name is empty. No more memory is
/// taken than the array needs, whatever the archive says of its members. Throws InputError "file:array: what
/// was found; what is allowed" for what is no zip archive, an array that is absent or stands twice, a choice
/// among several without a name, a member that cannot be unpacked, whose sum is wrong, or that has not the
/// size that its npy header says, and for all that read_npy refuses.
ExactMatrix read_npz(const std::filesystem::path& path, std::string_view array);

/// The same for bytes at hand; `name` stands in messages for the file.
ExactMatrix parse_npz(std::string_view bytes, std::string_view name, std::string_view array);

}  // namespace rankfall
