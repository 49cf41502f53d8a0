#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "numerics/io/json_reader.hpp"
#include "numerics/matrix.hpp"

namespace rankfall::json {

/// Exact entries gathered in row-major order, as doubles while all of them are doubles.
class EntryList {
 public:
  void push(Rational value);
  void push(double value);
  void push_zeros(std::size_t count);
  /// The entries as a matrix; the list is empty afterwards.
  ExactMatrix take(Index rows, Index cols);

 private:
  void to_rationals();

  bool all_doubles_ = true;
  std::vector<double> doubles_;
  std::vector<Rational> rationals_;
};

/// Reads a list of at least one number, appended to an EntryList.
class NumberListReader : public ValueReader {
 public:
  NumberListReader(SizeBudget& budget, EntryList& entries) : entry_(budget, entries) {}

  std::string expected() const override { return "a list of numbers"; }
  void begin_list() override { entry_.count = 0; }
  ValueReader& element(std::size_t) override { return entry_; }
  void end_list() override;

 protected:
  virtual void finish(std::size_t count) = 0;

 private:
  struct Entry final : NumberReader {
    Entry(SizeBudget& budget, EntryList& list) : NumberReader(budget), entries(list) {}
    void accept(Rational value) override;
    void accept_double(double value) override;
    EntryList& entries;
    std::size_t count = 0;
  };
  Entry entry_;
};

/// Reads a list of k numbers into a 1 x k matrix.
class VectorReader final : public NumberListReader {
 public:
  explicit VectorReader(SizeBudget& budget) : NumberListReader(budget, entries_) {}

  /// Names where the next vector goes.
  VectorReader& into(ExactMatrix& target) { return target_ = &target, *this; }

 private:
  void finish(std::size_t count) override { *target_ = entries_.take(1, static_cast<Index>(count)); }

  EntryList entries_;
  ExactMatrix* target_ = nullptr;
};

/// Reads [i, j, v] or [r, c], of which the first two are whole numbers.
class TupleReader : public ValueReader {
 public:
  /// `size` is 2 or 3; whole numbers are allowed from `least`.
  TupleReader(SizeBudget& budget, std::size_t size, std::int64_t least, std::string expected);

  std::string expected() const override { return expected_; }
  void begin_list() override { count_ = 0; }
  ValueReader& element(std::size_t index) override;
  void end_list() override;

 protected:
  virtual void finish(Index first, Index second, Rational& value) = 0;

 private:
  WholeNumberReader first_, second_;
  SingleNumberReader value_;
  std::size_t size_, count_ = 0;
  std::string expected_;
};

/// Reads {"shape": [r, c], "entries": [[i, j, v], ...]} or {"diag": [...]}.
class SparseReader final : public ObjectReader {
 public:
  explicit SparseReader(SizeBudget& budget);

  /// The matrix read last.
  ExactMatrix take() { return std::move(result_); }

 private:
  struct Triplet {
    Index row, col;
    std::size_t number;  // in the order of the file
    Rational value;
  };
  struct Shape final : TupleReader {
    explicit Shape(SizeBudget& budget);
    void finish(Index first, Index second, Rational& value) override;
    SizeBudget& budget;
    Index rows = 0, cols = 0;
  };
  struct Entry final : TupleReader {
    explicit Entry(SizeBudget& budget);
    void finish(Index first, Index second, Rational& value) override;
    std::vector<Triplet> triplets;
  };

  void start() override;
  ValueReader& value_of(std::string_view key) override;
  void finish() override;
  void finish_entries();
  void finish_diagonal();

  SizeBudget& budget_;
  Shape shape_;
  Entry entry_;
  ListReader entries_;
  VectorReader diagonal_reader_;
  ExactMatrix diagonal_, result_;
};

/// Reads a matrix in any of its three forms.
class MatrixReader final : public ValueReader {
 public:
  explicit MatrixReader(SizeBudget& budget) : row_(budget, *this), sparse_(budget) {}

  /// Names where the next matrix goes.
  MatrixReader& into(ExactMatrix& target) { return target_ = &target, *this; }

  std::string expected() const override;
  void begin_list() override { rows_ = 0; }
  ValueReader& element(std::size_t) override { return row_; }
  void end_list() override;
  void begin_object() override { sparse_.begin_object(); }
  ValueReader& member(std::string_view key) override { return sparse_.member(key); }
  void end_object() override;

 private:
  struct Row final : NumberListReader {
    Row(SizeBudget& budget, MatrixReader& owner) : NumberListReader(budget, owner.entries_), matrix(owner) {}
    void finish(std::size_t count) override { matrix.finish_row(static_cast<Index>(count)); }
    MatrixReader& matrix;
  };
  void finish_row(Index count);

  EntryList entries_;
  Row row_;
  Index rows_ = 0, cols_ = 0;
  SparseReader sparse_;
  ExactMatrix* target_ = nullptr;
};

}  // namespace rankfall::json
