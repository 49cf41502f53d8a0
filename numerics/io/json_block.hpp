#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "numerics/io/json_matrix.hpp"
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

/// Reads the kind of a block; knows the kinds that the format has and this version does not.
class KindReader final : public WordReader {
 public:
  KindReader();
  void text(std::string_view characters) override;
};

/// Reads a block and appends it to `blocks`. The kind may come after what depends on it.
class BlockReader final : public ObjectReader {
 public:
  explicit BlockReader(SizeBudget& budget);
  ValueReader& member(std::string_view key) override;
  std::vector<Block> blocks;

 private:
  void start() override;
  ValueReader& value_of(std::string_view key) override;
  void finish() override;
  void require_key_of_kind(std::string_view key) const;
  void finish_attention();
  void finish_mlp();

  SizeBudget& budget_;
  KindReader kind_;
  SingleNumberReader skip_;
  WordReader activation_;
  HeadReader head_;
  ListReader heads_;
  MlpLayerReader layer_;
  ListReader layers_;
  VectorReader vector_;
  ExactMatrix b_O_;
};

}  // namespace rankfall::json
