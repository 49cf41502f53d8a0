#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/io/json_reader.hpp"
#include "numerics/san/mask.hpp"

namespace rankfall::json {

/// Reads "causal" or a square list of rows of 0 and 1 into `value`.
class MaskReader final : public ValueReader {
 public:
  explicit MaskReader(SizeBudget& budget) : row_(budget) {}

  std::string expected() const override { return "\"causal\" or a list of rows of 0 and 1"; }
  void text(std::string_view characters) override;
  void begin_list() override;
  ValueReader& element(std::size_t) override { return row_; }
  void end_list() override;

  Mask value;

 private:
  struct Bit final : NumberReader {
    using NumberReader::NumberReader;
    std::string expected() const override { return "0 or 1"; }
    void accept(Rational number) override;
    std::vector<bool> bits;
  };
  struct Row final : ValueReader {
    explicit Row(SizeBudget& budget) : bit(budget) {}
    std::string expected() const override { return "a list of 0 and 1"; }
    void begin_list() override { length = 0; }
    ValueReader& element(std::size_t index) override { return length = index + 1, bit; }
    void end_list() override;
    Bit bit;
    std::size_t length = 0, rows = 0, width = 0;
  };
  Row row_;
};

}  // namespace rankfall::json
