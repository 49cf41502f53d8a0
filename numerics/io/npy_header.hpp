#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankfall {

/// What an npy header says, and where the data begin.
struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_begin = 0;
};

/// Throws InputError (without a place) for bytes that do not begin with the header of an npy file.
NpyHeader parse_npy_header(std::string_view bytes);

}  // namespace rankfall
