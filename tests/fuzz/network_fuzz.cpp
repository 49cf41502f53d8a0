// Whatever bytes come in: a network or an InputError, never a crash, a hang or another exception; and a
// network that was read survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rankfall;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Network network;
  try {
    network = parse_network(text, "fuzz");
  } catch (const InputError&) {
    return 0;
  }
  const std::string written = write_network(network);
  if (write_network(parse_network(written, "written")) != written) std::abort();
  return 0;
}
