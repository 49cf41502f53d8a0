#include "numerics/io/safetensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/io/float_bytes.hpp"
#include "numerics/io/json_reader.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

constexpr std::uint64_t max_header_bytes = 100'000'000;
constexpr std::int64_t max_extent = std::int64_t{1} << 62;

class AnyTextReader final : public json::ValueReader {
 public:
  std::string expected() const override { return "a string"; }
  void text(std::string_view characters) override { value = characters; }
  std::string value;
};

class WholeListReader final : public json::ValueReader {
 public:
  explicit WholeListReader(json::SizeBudget& budget) : item_(budget) {}
  std::string expected() const override { return "a list of whole numbers"; }
  void begin_list() override { item_.values.clear(); }
  json::ValueReader& element(std::size_t) override { return item_; }
  std::vector<std::uint64_t> take() { return std::exchange(item_.values, {}); }

 private:
  struct Item final : json::NumberReader {
    using NumberReader::NumberReader;
    std::string expected() const override { return "a whole number of at least 0"; }
    void accept(Rational number) override {
      if (denominator(number) != 1 || number < 0 || number > max_extent) refuse("another number");
      values.push_back(static_cast<std::uint64_t>(numerator(number)));
    }
    std::vector<std::uint64_t> values;
  };
  Item item_;
};

/// "__metadata__": an object of strings, which say nothing of the tensors.
class MetadataReader final : public json::ValueReader {
 public:
  std::string expected() const override { return "an object of strings"; }
  void begin_object() override {}
  ValueReader& member(std::string_view) override { return text_; }

 private:
  AnyTextReader text_;
};

class TensorReader final : public json::ObjectReader {
 public:
  explicit TensorReader(json::SizeBudget& budget)
      : ObjectReader({"dtype", "shape", "data_offsets"}), shape_(budget), offsets_(budget) {}
  AnyTextReader dtype;
  std::vector<std::uint64_t> shape, offsets;
  bool read = false;

 private:
  ValueReader& value_of(std::string_view key) override {
    if (key == "dtype") return dtype;
    return key == "shape" ? shape_ : offsets_;
  }
  void finish() override {
    for (const char* key : {"dtype", "shape", "data_offsets"})
      require(key, "a tensor has dtype, shape and data_offsets");
    shape = shape_.take();
    offsets = offsets_.take();
    if (offsets.size() != 2 || offsets[0] > offsets[1])
      throw InputError("data_offsets: found no pair [begin, end] with begin <= end");
    read = true;
  }
  WholeListReader shape_, offsets_;
};

struct Header {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape, offsets;
};

/// The whole header; every key is a tensor but one.
class HeaderReader final : public json::ValueReader {
 public:
  HeaderReader() : budget_(std::numeric_limits<std::size_t>::max()), tensor_(budget_) {}
  std::string expected() const override { return "an object of tensors"; }
  void begin_object() override {}
  ValueReader& member(std::string_view key) override {
    keep();
    if (!names_.emplace(key).second)
      throw InputError(fmt::format("found the tensor {} twice; every name may stand once", in_quotes(key)));
    if (key == "__metadata__") return metadata_;
    current_ = key;
    return tensor_;
  }
  void end_object() override { keep(); }
  std::vector<Header> tensors;

 private:
  void keep() {
    if (!std::exchange(tensor_.read, false)) return;
    tensors.push_back({current_, tensor_.dtype.value, std::move(tensor_.shape), std::move(tensor_.offsets)});
  }
  json::SizeBudget budget_;
  TensorReader tensor_;
  MetadataReader metadata_;
  std::set<std::string> names_;
  std::string current_;
};

std::optional<FloatFormat> float_format(std::string_view dtype) {
  for (const auto& [name, format] : {std::pair{std::string_view("F64"), FloatFormat::f64},
                                     {std::string_view("F32"), FloatFormat::f32},
                                     {std::string_view("F16"), FloatFormat::f16},
                                     {std::string_view("BF16"), FloatFormat::bf16}})
    if (name == dtype) return format;
  return std::nullopt;
}

/// Of every dtype that the format has, also of those that are not read.
std::optional<std::uint64_t> dtype_bytes(std::string_view dtype) {
  if (const auto format = float_format(dtype)) return bytes_of(*format);
  if (dtype == "I64" || dtype == "U64") return 8;
  if (dtype == "I32" || dtype == "U32") return 4;
  if (dtype == "I16" || dtype == "U16") return 2;
  if (dtype == "I8" || dtype == "U8" || dtype == "BOOL" || dtype == "F8_E4M3" || dtype == "F8_E5M2") return 1;
  return std::nullopt;
}

/// The product, unless it does not fit.
std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& shape, std::uint64_t start) {
  std::uint64_t result = start;
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && result > std::numeric_limits<std::uint64_t>::max() / extent) return std::nullopt;
    result *= extent;
  }
  return result;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

Safetensors::Safetensors(std::string_view bytes, std::string name) : name_(std::move(name)) {
  const auto fail = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", name_, why)); };
  if (bytes.size() < 8) fail("found no safetensors file: it has fewer than 8 bytes");
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8U | static_cast<unsigned char>(bytes[i]);
  const std::uint64_t there = bytes.size() - 8;
  if (length > there || length > max_header_bytes)
    fail(fmt::format(
        "the header claims {} bytes, the file has {} behind its length and at most {} are allowed", length,
        there, max_header_bytes));
  data_ = bytes.substr(8 + length);
  read_header(bytes.substr(8, length));
  require_layout();
}

void Safetensors::read_header(std::string_view header) {
  HeaderReader reader;
  json::read_json(header, name_, reader);
  for (Header& tensor : reader.tensors)
    tensors_.emplace(std::move(tensor.name), Tensor{std::move(tensor.dtype), std::move(tensor.shape),
                                                    tensor.offsets[0], tensor.offsets[1]});
}

void Safetensors::require_layout() const {
  std::vector<std::pair<const Tensor*, const std::string*>> order;
  for (const auto& [name, tensor] : tensors_) {
    const auto size = dtype_bytes(tensor.dtype);
    if (!size) refuse(name, fmt::format("found the unknown dtype {}", in_quotes(tensor.dtype)));
    const auto needed = product(tensor.shape, *size);
    if (needed != tensor.end - tensor.begin)
      refuse(name, fmt::format("found {} bytes; the shape {} of dtype {} takes {}", tensor.end - tensor.begin,
                               shape_text(tensor.shape), tensor.dtype,
                               needed ? std::to_string(*needed) : "more than 2^64"));
    order.emplace_back(&tensor, &name);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first->begin, a.first->end) < std::pair(b.first->begin, b.first->end);
  });
  std::uint64_t next = 0;
  for (const auto& [tensor, name] : order) {
    if (tensor->begin != next)
      refuse(*name,
             fmt::format(
                 "begins at byte {} of the data, where {} is expected: tensors neither overlap nor leave "
                 "gaps",
                 tensor->begin, next));
    next = tensor->end;
  }
  if (next != data_.size())
    throw InputError(
        fmt::format("{}: found {} bytes of data; the tensors take {}", name_, data_.size(), next));
}

void Safetensors::refuse(std::string_view tensor, const std::string& why) const {
  throw InputError(fmt::format("{}: {}: {}", name_, abbreviated(tensor), why));
}

std::vector<std::string> Safetensors::names() const {
  std::vector<std::string> result;
  for (const auto& [name, tensor] : tensors_) result.push_back(name);
  return result;
}

const Safetensors::Tensor& Safetensors::at(std::string_view tensor) const {
  const auto found = tensors_.find(tensor);
  if (found == tensors_.end()) refuse(tensor, "there is no such tensor");
  return found->second;
}

const std::vector<std::uint64_t>& Safetensors::shape(std::string_view tensor) const {
  return at(tensor).shape;
}

ExactMatrix Safetensors::matrix(std::string_view tensor, Index rows, Index cols) const {
  const std::vector<std::uint64_t>& found = at(tensor).shape;
  const auto r = static_cast<std::uint64_t>(rows), c = static_cast<std::uint64_t>(cols);
  const bool vector = rows == 1 && found == std::vector{c};
  if (!vector && found != std::vector{r, c})
    refuse(tensor, fmt::format("found the shape {}; it must be {}", shape_text(found),
                               rows == 1 ? fmt::format("[{}]", c) : fmt::format("[{}, {}]", r, c)));
  return entries(tensor, 0, rows, cols);
}

ExactMatrix Safetensors::matrix(std::string_view tensor) const {
  const std::vector<std::uint64_t>& found = at(tensor).shape;
  if (found.empty() || found.size() > 2 || product(found, 1) == 0)
    refuse(tensor, fmt::format("found the shape {}; it must have one or two dimensions, none of them 0",
                               shape_text(found)));
  return entries(tensor, 0, found.size() == 2 ? static_cast<Index>(found[0]) : 1,
                 static_cast<Index>(found.back()));
}

ExactMatrix Safetensors::row(std::string_view tensor, Index row, Index cols) const {
  const std::vector<std::uint64_t>& found = at(tensor).shape;
  const auto c = static_cast<std::uint64_t>(cols);
  if (found.size() != 2 || found[1] != c)
    refuse(tensor,
           fmt::format("found the shape {}; it must have 2 dimensions and {} columns", shape_text(found), c));
  if (row < 0 || static_cast<std::uint64_t>(row) >= found[0])
    refuse(tensor, fmt::format("row {} was asked for; there are {}", row, found[0]));
  return entries(tensor, static_cast<std::uint64_t>(row) * c, 1, cols);
}

ExactMatrix Safetensors::entries(std::string_view tensor, std::uint64_t first, Index rows, Index cols) const {
  const Tensor& found = at(tensor);
  const auto format = float_format(found.dtype);
  if (!format)
    refuse(tensor,
           fmt::format("found the dtype {}; numbers are read from F64, F32, F16 and BF16", found.dtype));
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  const char* bytes = data_.data() + found.begin + first * bytes_of(*format);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = float_value(bytes + i * bytes_of(*format), *format, false);
    if (!std::isfinite(values[i]))
      refuse(tensor,
             fmt::format("entry {} is NaN or an infinity; only finite numbers are allowed", first + i));
  }
  return ExactMatrix::from(rows, cols, std::move(values));
}

}  // namespace rankfall
