#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/exact.hpp"
#include "numerics/io/json_text.hpp"

namespace rankfall::json {

/// Guards memory against short texts that stand for much ("1e1000000", a shape): every number counts its
/// bits, 64 at least, every structure its own size.
class SizeBudget {
 public:
  explicit SizeBudget(std::size_t max_bits) : max_bits_(max_bits) {}

  /// Throws InputError once the sum passes the limit. `units` of `bits_each` are charged; no product
  /// overflows.
  void charge(std::size_t bits_each, std::size_t units = 1);
  void charge(const Rational& number);
  void charge(double number);

 private:
  std::size_t max_bits_;
  std::size_t used_ = 0;
};

/// Reads an exact number: a JSON number, or a string in the forms of parse_number.
class NumberReader : public ValueReader {
 public:
  explicit NumberReader(SizeBudget& budget) : budget_(budget) {}

  std::string expected() const override;
  void number(std::string_view decimal) override;
  void text(std::string_view characters) override;

 protected:
  virtual void accept(Rational value) = 0;
  virtual void accept_double(double value) { accept(Rational(value)); }

 private:
  void read(std::string_view text);
  SizeBudget& budget_;
};

/// Reads one number into `value`.
class SingleNumberReader final : public NumberReader {
 public:
  using NumberReader::NumberReader;
  Rational value;

 private:
  void accept(Rational number) override { value = std::move(number); }
};

/// Reads a whole number between `least` and `greatest` into `value`.
class WholeNumberReader final : public NumberReader {
 public:
  WholeNumberReader(SizeBudget& budget, std::int64_t least, std::int64_t greatest)
      : NumberReader(budget), least_(least), greatest_(greatest) {}

  std::string expected() const override;
  std::int64_t value = 0;

 private:
  void accept(Rational number) override;
  std::int64_t least_, greatest_;
};

/// Reads any string and forgets it.
class CommentReader final : public ValueReader {
 public:
  std::string expected() const override { return "a string"; }
  void text(std::string_view) override {}
};

/// Reads one word of a list into `value`.
class WordReader : public ValueReader {
 public:
  explicit WordReader(std::vector<std::string_view> words) : words_(std::move(words)) {}

  std::string expected() const override;
  void text(std::string_view characters) override;
  std::string_view value;

 private:
  std::vector<std::string_view> words_;
};

/// Reads an object whose keys come in any order, each at most once.
class ObjectReader : public ValueReader {
 public:
  std::string expected() const override;
  void begin_object() override;
  ValueReader& member(std::string_view key) override;
  void end_object() override { finish(); }

 protected:
  explicit ObjectReader(std::vector<std::string_view> keys) : keys_(std::move(keys)), seen_(keys_.size()) {}

  /// A new object begins.
  virtual void start() {}
  /// Who reads the value of `key`, which is one of the keys and comes for the first time.
  virtual ValueReader& value_of(std::string_view key) = 0;
  /// The object is complete.
  virtual void finish() = 0;

  bool seen(std::string_view key) const;
  /// Throws InputError unless the key was there; `why` ends the message.
  void require(std::string_view key, std::string_view why) const;

 private:
  std::vector<std::string_view> keys_;
  std::vector<bool> seen_;
};

/// Reads a list whose elements all go to one reader.
class ListReader final : public ValueReader {
 public:
  ListReader(ValueReader& item, std::string expected) : item_(item), expected_(std::move(expected)) {}

  std::string expected() const override { return expected_; }
  void begin_list() override {}
  ValueReader& element(std::size_t) override { return item_; }

 private:
  ValueReader& item_;
  std::string expected_;
};

}  // namespace rankfall::json
