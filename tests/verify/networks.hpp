#pragma once
#include <fmt/format.h>

#include <string>

#include "numerics/io/json_network.hpp"

namespace rankfall::test {

/// The scalar model of docs/theory/refutations: tokens +-a, score weight w, value weight v, in every layer.
inline Network scalar_model(const std::string& a, const std::string& w, const std::string& v, int depth) {
  std::string blocks;
  for (int layer = 0; layer < depth; ++layer)
    blocks += fmt::format(R"({}{{"kind":"attention","heads":[{{"W_QK":[["{}"]],"d_qk":1,"W":[["{}"]]}}]}})",
                          layer ? "," : "", w, v);
  return parse_network(
      fmt::format(R"({{"format":"rankfall-network/1","input":[["{}"],["-{}"]],"blocks":[{}]}})", a, a,
                  blocks),
      "test");
}

}  // namespace rankfall::test
