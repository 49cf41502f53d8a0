#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "numerics/io/json_mask.hpp"
#include "numerics/io/json_matrix.hpp"
#include "numerics/io/json_normalisation.hpp"
#include "numerics/io/json_reader.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::json {

/// Reads a head in either form and appends it to `heads`.
class HeadReader final : public ObjectReader {
 public:
  explicit HeadReader(SizeBudget& budget);
  std::vector<Head> heads;

 private:
  void start() override { head_ = {}; }
  ValueReader& value_of(std::string_view key) override;
  void finish() override;

  SizeBudget& budget_;
  MatrixReader matrix_;
  VectorReader vector_;
  WholeNumberReader d_qk_;
  Head head_;
};

/// Reads {"W": M, "b": V} and appends it to `layers`.
class MlpLayerReader final : public ObjectReader {
 public:
  explicit MlpLayerReader(SizeBudget& budget);
  std::vector<MlpBlock::Layer> layers;

 private:
  void start() override { layer_ = {}; }
  ValueReader& value_of(std::string_view key) override;
  void finish() override;

  SizeBudget& budget_;
  MatrixReader matrix_;
  VectorReader vector_;
  MlpBlock::Layer layer_;
};

/// Reads a block and appends it to `blocks`. The kind may come after what depends on it.
class BlockReader final : public ObjectReader {
 public:
  explicit BlockReader(SizeBudget& budget);
  std::vector<Block> blocks;

 private:
  void start() override;
  ValueReader& value_of(std::string_view key) override;
  void finish() override;
  void require_key_of_kind(std::string_view key) const;
  void finish_attention();
  void finish_mlp();
  void finish_norm();
  /// What attention and MLP blocks have in common.
  template <class Kind>
  void finish_common(Kind& block);

  SizeBudget& budget_;
  WordReader kind_;
  SingleNumberReader skip_;
  WordReader activation_;
  HeadReader head_;
  ListReader heads_;
  MlpLayerReader layer_;
  ListReader layers_;
  VectorReader vector_;
  ExactMatrix b_O_;
  MaskReader mask_;
  NormalisationReader pre_norm_;
  NormalisationFields norm_;
};

}  // namespace rankfall::json
