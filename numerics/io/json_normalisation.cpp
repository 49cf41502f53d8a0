#include "numerics/io/json_normalisation.hpp"

namespace rankfall::json {

const std::vector<std::string_view>& normalisation_keys() {
  static const std::vector<std::string_view> keys{"of", "epsilon", "scale", "shift"};
  return keys;
}

NormalisationFields::NormalisationFields(SizeBudget& budget)
    : of_({"token", "column"}), epsilon_(budget), vector_(budget) {}

void NormalisationFields::start() {
  norm_ = {};
  epsilon_.value = 0;
}

ValueReader& NormalisationFields::reader_of(std::string_view key) {
  if (key == "of") return of_;
  if (key == "epsilon") return epsilon_;
  return vector_.into(key == "scale" ? norm_.scale : norm_.shift);
}

Normalisation NormalisationFields::take() {
  norm_.of = of_.value == "token" ? Normalisation::Of::token : Normalisation::Of::column;
  norm_.epsilon = std::exchange(epsilon_.value, 0);
  return std::exchange(norm_, {});
}

void NormalisationReader::finish() {
  require("of", why_of);
  value = fields_.take();
}

}  // namespace rankfall::json
