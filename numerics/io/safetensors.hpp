#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/matrix.hpp"

namespace rankfall {

/// The tensors of a safetensors file, seen where they lie: nothing is copied before it is asked for, and what
/// is asked for is exact (F64, F32, F16, BF16).
class Safetensors {
 public:
  /// Reads the header of `bytes`, which must outlive this; `name` stands in messages for the file. Throws
  /// InputError "file: place: what was found; what is allowed" for a header that is longer than the file or
  /// than 100 MB, that is not the JSON of the format or names a tensor twice, and for tensors that overlap,
  /// leave gaps, reach beyond the file, or do not take the bytes of their shape and dtype.
  Safetensors(std::string_view bytes, std::string name);

  bool has(std::string_view tensor) const { return tensors_.contains(tensor); }
  std::vector<std::string> names() const;
  /// Throws InputError naming the tensor when it is absent.
  const std::vector<std::uint64_t>& shape(std::string_view tensor) const;

  /// The tensor as a matrix (a tensor of one dimension: 1 x cols). Throws InputError naming the tensor when
  /// it is absent, has another shape or another dtype than the four above, or holds NaN or an infinity (named
  /// by its index).
  ExactMatrix matrix(std::string_view tensor, Index rows, Index cols) const;
  /// The same in whatever shape a tensor of one or two dimensions has.
  ExactMatrix matrix(std::string_view tensor) const;
  /// The same for one row of a tensor of two dimensions with `cols` columns; also for a row that is not
  /// there.
  ExactMatrix row(std::string_view tensor, Index row, Index cols) const;

  /// Throws InputError "file: tensor: why".
  [[noreturn]] void refuse(std::string_view tensor, const std::string& why) const;

 private:
  struct Tensor {
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0;  // in the data
  };
  const Tensor& at(std::string_view tensor) const;
  ExactMatrix entries(std::string_view tensor, std::uint64_t first, Index rows, Index cols) const;
  void read_header(std::string_view header);
  void require_layout() const;

  std::string_view data_;
  std::string name_;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace rankfall
