#include "numerics/io/npy.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/io/float_bytes.hpp"

using namespace rankfall;

namespace {

std::string little(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string reversed(std::string bytes) {
  return {bytes.rbegin(), bytes.rend()};
}

std::string doubles(const std::vector<double>& values, bool big_endian = false) {
  std::string bytes;
  for (const double value : values) {
    const std::string entry = little(std::bit_cast<std::uint64_t>(value), 8);
    bytes += big_endian ? reversed(entry) : entry;
  }
  return bytes;
}

std::string npy(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  bytes += little(dictionary.size(), version == 1 ? 2 : 4);
  return bytes.append(dictionary).append(data);
}

std::string header(std::string_view descr, std::string_view order, std::string_view shape) {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}      \n", descr, order, shape);
}

const std::vector<double> six = {1, 2, 3, 4, 5, 6};
const ExactMatrix expected = ExactMatrix::from(2, 3, six);

std::string message_of(std::string_view bytes) {
  try {
    parse_npy(bytes, "x.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("both orders, both byte orders, versions 1 to 3") {
  for (const int version : {1, 2, 3}) {
    CAPTURE(version);
    CHECK(parse_npy(npy(header("<f8", "False", "(2, 3)"), doubles(six), version), "x") == expected);
    CHECK(parse_npy(npy(header(">f8", "False", "(2, 3)"), doubles(six, true), version), "x") == expected);
    CHECK(parse_npy(npy(header("<f8", "True", "(2, 3)"), doubles({1, 4, 2, 5, 3, 6}), version), "x") ==
          expected);
  }
  CHECK(parse_npy(npy("{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f8\"}", doubles(six)), "x") ==
        expected);
}

TEST_CASE("a file as numpy writes it, byte for byte") {
  // numpy.save("x.npy", numpy.array([[0.5, -2.0]], dtype=numpy.float32))
  std::string bytes("\x93NUMPY\x01\x00v\x00", 10);
  bytes += "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  bytes += std::string(128 - bytes.size() - 1, ' ') + '\n';
  bytes += std::string("\x00\x00\x00\x3f\x00\x00\x00\xc0", 8);
  CHECK(parse_npy(bytes, "x") == ExactMatrix::from(1, 2, std::vector<double>{0.5, -2}));
}

TEST_CASE("the exact value of floats of every width") {
  const auto of = [](std::uint64_t bits, FloatFormat format) {
    const std::string bytes = little(bits, bytes_of(format));
    const double value = float_value(bytes.data(), format, false);
    CHECK(std::bit_cast<std::uint64_t>(float_value(reversed(bytes).data(), format, true)) ==
          std::bit_cast<std::uint64_t>(value));
    return value;
  };
  CHECK(of(0x3c00, FloatFormat::f16) == 1);
  CHECK(of(0xc001, FloatFormat::f16) == -2 - 0x1p-9);
  CHECK(of(0x7bff, FloatFormat::f16) == 65504);
  CHECK(of(0x0001, FloatFormat::f16) == 0x1p-24);
  CHECK(of(0x03ff, FloatFormat::f16) == 1023 * 0x1p-24);
  CHECK(of(0x3f80, FloatFormat::bf16) == 1);
  CHECK(of(0x0001, FloatFormat::bf16) == 0x1p-133);
  CHECK(of(0xff7f, FloatFormat::bf16) == -0x1.fep127);
  CHECK(of(0x00000001, FloatFormat::f32) == 0x1p-149);
  CHECK(of(0x0000000000000001, FloatFormat::f64) == 0x1p-1074);
  for (const auto& [bits, format] : {std::pair{0x7c00ULL, FloatFormat::f16}, {0x7f80ULL, FloatFormat::bf16}})
    CHECK(of(bits, format) == HUGE_VAL);
  CHECK(std::isnan(of(0x7e00, FloatFormat::f16)));
  CHECK(std::isnan(of(0xffff, FloatFormat::bf16)));
}

TEST_CASE("what is no array of numbers is refused by name, before memory is taken") {
  const std::string good = header("<f8", "False", "(2, 3)"), data = doubles(six);
  const auto refused = [](const std::string& bytes, const std::string& reason) {
    const std::string message = message_of(bytes);
    CAPTURE(message);
    CHECK(message.starts_with("x.npy: "));
    CHECK(message.find(reason) != std::string::npos);
    CHECK(message.size() < 400);
  };
  refused("", "no npy file");
  refused("PK\x03\x04", "no npy file");
  refused("\x93NUMPY", "cut off");
  refused(npy(good, data, 4), "version 4.0; allowed are 1.0, 2.0 and 3.0");
  refused(npy(good, data).substr(0, 30), "of which the file has 20");
  refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12),
          "claims 4294967295 bytes, of which the file has 0");
  refused(npy(good, data.substr(1)), "found 47 bytes of data; the shape (2, 3) of dtype \"<f8\" takes 48");
  refused(npy(good, data + "x"), "found 49 bytes of data");
  refused(npy(header("<f8", "False", "(4294967296, 4294967296)"), data), "at most 16777216 entries");
  refused(npy(header("<f8", "False", "(18446744073709551615, 1)"), data), "at most 16777216 entries");
  refused(npy(header("<f8", "False", "(99999999999999999999, 1)"), data), "below 2^64");
  refused(npy(header("<f8", "False", "(6,)"), data), "found the shape (6,)");
  refused(npy(header("<f8", "False", "(0, 6)"), ""), "neither of them 0");
  refused(npy(header("<f8", "False", "()"), data), "two dimensions");
  refused(npy(header("|O", "False", "(2, 3)"), data), "found the dtype \"|O\"; allowed are float64");
  refused(npy(header("<i8", "False", "(2, 3)"), data), "found the dtype \"<i8\"");
  refused(npy(header("<c16", "False", "(2, 3)"), data), "found the dtype \"<c16\"");
  refused(npy(header("f8", "False", "(2, 3)"), data), "found the dtype \"f8\"");
  refused(npy(header("<f8", "Maybe", "(2, 3)"), data), "True or False");
  refused(npy("{'descr': '<f8', 'descr': '<f8'}", data), "\"descr\" twice");
  refused(npy("{'descr': '<f8', 'strides': (1,)}", data), "unknown key \"strides\"");
  refused(npy("{'descr': '<f8'}", data), "lacks one of");
  refused(npy(good + "x", data), "behind its end");
  refused(npy(header("<f8", "False", "(2, 3)"), doubles({1, 2, 3, 4, NAN, 6})),
          "[1][1]: found NaN or an infinity");
  refused(npy(header("<f8", "True", "(2, 3)"), doubles({1, 2, 3, 4, INFINITY, 6})),
          "[0][2]: found NaN or an infinity");
}
