// Whatever bytes come in as a file of weights: tensors, an array, or an InputError; never a crash, a hang or
// another exception.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/io/model_config.hpp"
#include "numerics/io/network_outline.hpp"
#include "numerics/io/npy.hpp"
#include "numerics/io/npz.hpp"
#include "numerics/io/safetensors.hpp"

namespace {

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const rankfall::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rankfall;
  static const std::vector<BlockOutline> outline = parse_outline(
      R"({"model_type": "rankfall-network/1", "blocks": [{"kind": "attention", "heads": 1, "d_qk": 1}]})",
      "outline");
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { parse_npy(bytes, "fuzz"); });
  attempt([&] { parse_npz(bytes, "fuzz", ""); });
  attempt([&] { parse_npz(bytes, "fuzz", "x"); });
  attempt([&] { parse_model_config(bytes, "fuzz"); });
  attempt([&] { parse_outline(bytes, "fuzz"); });
  attempt([&] {
    const Safetensors tensors(bytes, "fuzz");
    attempt([&] { outlined_network(tensors, outline, {}); });
    for (const std::string& name : tensors.names()) {
      const auto& shape = tensors.shape(name);
      if (shape.size() == 2 && shape[0] > 0 && shape[1] > 0)
        attempt([&] { tensors.matrix(name, static_cast<Index>(shape[0]), static_cast<Index>(shape[1])); });
    }
  });
  return 0;
}
