#include "numerics/io/safetensors.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "numerics/errors.hpp"

using namespace rankfall;

namespace {

std::string little(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string floats(const std::vector<float>& values) {
  std::string bytes;
  for (const float value : values) bytes += little(std::bit_cast<std::uint32_t>(value), 4);
  return bytes;
}

std::string file(std::string_view header, std::string_view data) {
  return little(header.size(), 8).append(header).append(data);
}

std::string tensor(std::string_view name, std::string_view dtype, std::string_view shape, std::size_t begin,
                   std::size_t end) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", name, dtype, shape, begin,
                     end);
}

/// a: 2 x 3 of F32, b: 2 of BF16.
std::string good() {
  return file(fmt::format("{{\"__metadata__\":{{\"format\":\"pt\"}},{},{}}}",
                          tensor("b", "BF16", "[2]", 24, 28), tensor("a", "F32", "[2,3]", 0, 24)),
              floats({1, 2, 3, 4, 5, 6}) + little(0x3f80, 2) + little(0xc000, 2));
}

template <class Use>
std::string message_of(const std::string& bytes, const Use& use) {
  try {
    use(Safetensors(bytes, "m.safetensors"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string message_of(const std::string& bytes) {
  return message_of(bytes, [](const Safetensors&) {});
}

}  // namespace

TEST_CASE("tensors are read exactly where they lie") {
  const std::string bytes = good();
  const Safetensors tensors(bytes, "m");
  CHECK(tensors.names() == std::vector<std::string>{"a", "b"});
  CHECK(tensors.has("a"));
  CHECK_FALSE(tensors.has("__metadata__"));
  CHECK(tensors.shape("b") == std::vector<std::uint64_t>{2});
  CHECK(tensors.matrix("a", 2, 3) == ExactMatrix::from(2, 3, std::vector<double>{1, 2, 3, 4, 5, 6}));
  CHECK(tensors.matrix("b", 1, 2) == ExactMatrix::from(1, 2, std::vector<double>{1, -2}));
  CHECK(tensors.row("a", 1, 3) == ExactMatrix::from(1, 3, std::vector<double>{4, 5, 6}));
}

TEST_CASE("what is asked for must be there in that shape") {
  const auto asked = [&](const auto& use) { return message_of(good(), use); };
  CHECK(asked([](const Safetensors& t) { t.matrix("c", 1, 1); }) ==
        "m.safetensors: c: there is no such tensor");
  CHECK(asked([](const Safetensors& t) { t.matrix("a", 3, 2); }) ==
        "m.safetensors: a: found the shape [2, 3]; it must be [3, 2]");
  CHECK(asked([](const Safetensors& t) { t.matrix("b", 1, 3); }) ==
        "m.safetensors: b: found the shape [2]; it must be [3]");
  CHECK(asked([](const Safetensors& t) { t.row("a", 2, 3); }) ==
        "m.safetensors: a: row 2 was asked for; there are 2");
  CHECK(asked([](const Safetensors& t) { t.row("b", 0, 2); }) ==
        "m.safetensors: b: found the shape [2]; it must have 2 dimensions and 2 columns");
  const std::string integers = file("{" + tensor("ids", "I64", "[1]", 0, 8) + "}", little(7, 8));
  CHECK(message_of(integers) == "accepted");
  CHECK(message_of(integers, [](const Safetensors& t) {
          t.matrix("ids", 1, 1);
        }).find("found the dtype I64") != std::string::npos);
  const std::string nan = file("{" + tensor("w", "F32", "[2,2]", 0, 16) + "}", floats({1, 2, NAN, 4}));
  CHECK(message_of(nan, [](const Safetensors& t) { t.matrix("w", 2, 2); }) ==
        "m.safetensors: w: entry 2 is NaN or an infinity; only finite numbers are allowed");
}

TEST_CASE("malformed files are refused by name, before memory is taken") {
  const std::string data = floats({1, 2, 3, 4});
  const auto refused = [](const std::string& bytes, const std::string& reason) {
    const std::string message = message_of(bytes);
    CAPTURE(message);
    CHECK(message.starts_with("m.safetensors: "));
    CHECK(message.find(reason) != std::string::npos);
    CHECK(message.size() < 500);
  };
  refused("", "fewer than 8 bytes");
  refused(little(100, 8) + "{}", "the header claims 100 bytes, the file has 2");
  refused(little(~0ULL, 8) + "{}", "the header claims 18446744073709551615 bytes");
  refused(little(~0ULL - 7, 8), "the header claims 18446744073709551608 bytes");
  refused(good().substr(0, 60), "the header claims");
  refused(good().substr(0, good().size() - 1), "found 27 bytes of data; the tensors take 28");
  refused(good() + "x", "found 29 bytes of data");
  refused(file("[]", ""), "found a list");
  refused(file("{\"a\":1}", ""), "a: found the number 1");
  refused(file("{\"a\":{\"dtype\":\"F32\"}}", ""), "the key \"shape\" is missing");
  refused(file("{\"__metadata__\":{\"x\":1}}", ""), "found the number 1");
  refused(file("{" + tensor("a", "F32", "[4]", 0, 16) + "," + tensor("a", "F32", "[4]", 0, 16) + "}", data),
          "found the tensor \"a\" twice");
  refused(file("{" + tensor("a", "F32", "[3]", 0, 12) + "," + tensor("b", "F32", "[2]", 8, 16) + "}", data),
          "b: begins at byte 8 of the data, where 12 is expected");
  refused(file("{" + tensor("a", "F32", "[1]", 0, 4) + "," + tensor("b", "F32", "[2]", 8, 16) + "}", data),
          "b: begins at byte 8 of the data, where 4 is expected");
  refused(file("{" + tensor("a", "F32", "[5]", 0, 16) + "}", data),
          "a: found 16 bytes; the shape [5] of dtype F32 takes 20");
  refused(file("{" + tensor("a", "F32", "[4294967296,4294967296]", 0, 16) + "}", data),
          "takes more than 2^64");
  refused(file("{" + tensor("a", "F32", "[4]", 16, 0) + "}", data), "no pair [begin, end]");
  refused(file("{" + tensor("a", "F32", "[-4]", 0, 16) + "}", data),
          "found another number; expected a whole number");
  refused(file("{" + tensor("a", "F32", "[1.5]", 0, 16) + "}", data), "expected a whole number");
  refused(file("{" + tensor("a", "Q4", "[4]", 0, 16) + "}", data), "a: found the unknown dtype \"Q4\"");
}
