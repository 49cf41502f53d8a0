#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/io/json_matrix.hpp"
#include "numerics/io/json_reader.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::json {

/// The keys of a normalisation: "of", "epsilon", "scale", "shift".
const std::vector<std::string_view>& normalisation_keys();

/// Who reads the values of those keys, whether they stand in a block of their own or in a pre_norm.
class NormalisationFields {
 public:
  explicit NormalisationFields(SizeBudget& budget);

  void start();
  ValueReader& reader_of(std::string_view key);
  /// What was read since start(); "of" must have been there.
  Normalisation take();

 private:
  WordReader of_;
  SingleNumberReader epsilon_;
  VectorReader vector_;
  Normalisation norm_;
};

/// Reads a normalisation without a kind into `value`.
class NormalisationReader final : public ObjectReader {
 public:
  explicit NormalisationReader(SizeBudget& budget) : ObjectReader(normalisation_keys()), fields_(budget) {}
  Normalisation value;

 private:
  void start() override { fields_.start(); }
  ValueReader& value_of(std::string_view key) override { return fields_.reader_of(key); }
  void finish() override;

  NormalisationFields fields_;
};

inline constexpr std::string_view why_of = "it is \"token\" or \"column\"";

}  // namespace rankfall::json
