#include "numerics/io/npy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/io/file.hpp"
#include "numerics/io/float_bytes.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/io/npy_header.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

std::string tuple_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

struct Dtype {
  FloatFormat format;
  bool big_endian;
};

Dtype dtype(std::string_view descr) {
  const std::string_view kind = descr.empty() ? descr : descr.substr(1);
  const bool ordered = descr.starts_with('<') || descr.starts_with('>');
  for (const auto& [name, format] : {std::pair{std::string_view("f8"), FloatFormat::f64},
                                     {std::string_view("f4"), FloatFormat::f32},
                                     {std::string_view("f2"), FloatFormat::f16}})
    if (ordered && kind == name) return {format, descr.front() == '>'};
  throw InputError(
      fmt::format("found the dtype {}; allowed are float64, float32 and float16 (\"<f8\", \">f8\", \"<f4\", "
                  "\">f4\", \"<f2\", \">f2\")",
                  in_quotes(descr)));
}

struct Array {
  NpyHeader header;
  Dtype type;

  std::uint64_t rows() const { return header.shape[0]; }
  std::uint64_t cols() const { return header.shape[1]; }
  std::size_t data_bytes() const { return rows() * cols() * bytes_of(type.format); }
};

/// What the header claims, if it is allowed.
Array array(std::string_view bytes) {
  NpyHeader header = parse_npy_header(bytes);
  const Dtype type = dtype(header.descr);
  if (header.shape.size() != 2 || header.shape[0] == 0 || header.shape[1] == 0)
    throw InputError(
        fmt::format("found the shape {}; it must have two dimensions, tokens x d, neither of them 0",
                    tuple_text(header.shape)));
  constexpr std::uint64_t most = max_network_numbers;
  if (header.shape[0] > most / header.shape[1])
    throw InputError(
        fmt::format("found the shape {}; at most {} entries are allowed", tuple_text(header.shape), most));
  return {std::move(header), type};
}

ExactMatrix matrix(std::string_view bytes) {
  const Array found = array(bytes);
  const NpyHeader& header = found.header;
  const std::size_t there = bytes.size() - header.data_begin;
  if (found.data_bytes() != there)
    throw InputError(fmt::format("found {} bytes of data; the shape {} of dtype {} takes {}", there,
                                 tuple_text(header.shape), in_quotes(header.descr), found.data_bytes()));
  const std::uint64_t rows = found.rows(), cols = found.cols();
  std::vector<double> entries(rows * cols);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < cols; ++j) {
      const std::uint64_t position = header.fortran_order ? j * rows + i : i * cols + j;
      const char* at = bytes.data() + header.data_begin + position * bytes_of(found.type.format);
      const double value = float_value(at, found.type.format, found.type.big_endian);
      if (!std::isfinite(value))
        throw InputError(
            fmt::format("[{}][{}]: found NaN or an infinity; only finite numbers are allowed", i, j));
      entries[i * cols + j] = value;
    }
  return ExactMatrix::from(static_cast<Index>(rows), static_cast<Index>(cols), std::move(entries));
}

}  // namespace

std::size_t npy_size(std::string_view beginning) {
  const Array claimed = array(beginning);
  return claimed.header.data_begin + claimed.data_bytes();
}

ExactMatrix parse_npy(std::string_view bytes, std::string_view name) {
  try {
    return matrix(bytes);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

ExactMatrix read_npy(const std::filesystem::path& path) {
  return parse_npy(read_file(path, max_network_bytes), path.string());
}

}  // namespace rankfall
