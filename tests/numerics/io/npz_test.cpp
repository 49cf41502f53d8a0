// Archives that numpy 1.24 wrote, and what becomes of them when bytes change.
// tests/scripts/checkpoint_test.py has numpy write others on the spot.
#include "numerics/io/npz.hpp"

#include <doctest/doctest.h>

#include <string>

#include "numerics/errors.hpp"
#include "numerics/io/file.hpp"

using namespace rankfall;

namespace {

const std::string folder = RANKFALL_CASES "/../fuzz/corpus/weights/";
const ExactMatrix expected = ExactMatrix::from(2, 2, std::vector<double>{0.5, -1.75, 2, 3});

std::string bytes_of(const std::string& name) {
  return read_file(folder + name, 10'000);
}

std::string message_of(std::string_view bytes, std::string_view array = "") {
  try {
    parse_npz(bytes, "a.npz", array);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("io/npz") {
  TEST_CASE("arrays, stored and packed, by name and without") {
    CHECK(read_npz(folder + "stored.npz", "") == expected);
    CHECK(read_npz(folder + "stored.npz", "x") == expected);
    CHECK(read_npz(folder + "packed.npz", "x") == expected);
    CHECK(read_npz(folder + "packed.npz", "y") == expected);
  }

  TEST_CASE("names that do not choose") {
    CHECK(message_of(bytes_of("packed.npz")) ==
          "a.npz: found 2 arrays: x, y; name the one to read, as in file.npz:x");
    CHECK(message_of(bytes_of("packed.npz"), "z") == "a.npz:z: there is no such array; there are: x, y");
    CHECK(message_of(bytes_of("twice.npz"), "x") ==
          "a.npz:x: this array stands twice in the archive; every name may stand once");
  }

  TEST_CASE("a member longer than its header says is left packed") {
    CHECK(message_of(bytes_of("behind.npz")) ==
          "a.npz:x: goes on behind the 160 bytes that its header speaks of");
  }

  TEST_CASE("no archive, at every length but the whole") {
    const std::string whole = bytes_of("stored.npz");
    for (std::size_t length = 0; length < whole.size(); ++length)
      CHECK(message_of(whole.substr(0, length)).starts_with("a.npz: found no npz file: "));
    CHECK(message_of(whole) == "accepted");
  }

  TEST_CASE("no byte of the packed array changes unnoticed") {
    const std::string whole = bytes_of("packed.npz");
    for (std::size_t position = 0; position < whole.size(); ++position) {
      std::string changed = whole;
      changed[position] = static_cast<char>(changed[position] ^ 0x10);
      ExactMatrix found = expected;
      try {
        found = parse_npz(changed, "a.npz", "x");  // where the byte says nothing of the array
      } catch (const InputError& error) {
        CHECK(std::string(error.what()).starts_with("a.npz:x: "));
      }
      CHECK(found == expected);
    }
  }

  TEST_CASE("absent files") {
    CHECK_THROWS_WITH_AS(read_npz("absent.npz", ""), "absent.npz: there is no such file", InputError);
  }
}
