#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "numerics/san/network.hpp"

namespace rankfall {

/// Bytes of a network file that are read at most. Whatever fits max_network_bits also fits here once written.
inline constexpr std::size_t max_network_bytes = std::size_t{1} << 30U;
/// Bits that the exact numbers of a network take together at most (128 MiB), each counted as 64 at least.
inline constexpr std::size_t max_network_bits = std::size_t{1} << 30U;
inline constexpr std::size_t max_network_numbers = max_network_bits / 64;
/// Largest d_qk of a head in the form W_QK, d_qk, W.
inline constexpr long max_d_qk = 1'000'000'000;

/// Reads a file in the format rankfall-network/1 (docs/formats.md), every number exactly, and validates the
/// network. Throws InputError "file: place: what was found; what is allowed" for anything else: not a
/// readable regular file, not JSON, not this format, a shape that breaks, a size beyond the limits above.
Network read_network(const std::filesystem::path& path);

/// The same for a text at hand; `name` stands in messages for the file.
Network parse_network(std::string_view text, std::string_view name);

/// Canonical text of a network, with a final newline: one row a line, keys in a fixed order, absent parts
/// left out. parse_network gives the same network back, and writing that gives the same text. A number is a
/// JSON number when at most 15 significant digits and a decimal exponent within +-300 hold it exactly (so
/// that other programs read the same double), else a string: a dyadic number that fits a double as
/// hexadecimal float, the rest as to_text.
std::string write_network(const Network& network);

}  // namespace rankfall
