#include "theory/catalogue/constants.hpp"

namespace rankfall::theory {

Expression head_constant(std::initializer_list<std::string_view> indices) {
  const auto weighted = [&](const char* norm) {
    return sum("h", 1, sym("H"), sym("a", indices) * sym(norm, indices));
  };
  return sqrt(weighted("W_1") * weighted("W_inf"));
}

Expression diameter_rate(const std::string& p) {
  return sum("h", 1, sym("H"), sym("op_" + p, {"h"}) * tanh(sym("k_" + p, {"h"}) * pow(sym("diam_" + p), 2)));
}

}  // namespace rankfall::theory
