#include "numerics/io/json_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall::json {
namespace {

constexpr std::int64_t max_extent = 1'000'000'000;  // of one side; the product is left to the budget
constexpr std::size_t least_bits = 64;              // of one number

}  // namespace

void EntryList::push(Rational value) {
  if (all_doubles_) {
    if (const std::optional<double> exact = exact_double(value)) {
      doubles_.push_back(*exact);
      return;
    }
    to_rationals();
  }
  rationals_.push_back(std::move(value));
}

void EntryList::push(double value) {
  if (all_doubles_)
    doubles_.push_back(value);
  else
    rationals_.emplace_back(value);
}

void EntryList::push_zeros(std::size_t count) {
  if (all_doubles_)
    doubles_.resize(doubles_.size() + count);
  else
    rationals_.resize(rationals_.size() + count);
}

void EntryList::to_rationals() {
  all_doubles_ = false;
  rationals_.reserve(2 * doubles_.size());
  for (const double entry : doubles_) mpq_set_d(rationals_.emplace_back().backend().data(), entry);
  doubles_ = {};
}

ExactMatrix EntryList::take(Index rows, Index cols) {
  const bool doubles = std::exchange(all_doubles_, true);
  return doubles ? ExactMatrix::from(rows, cols, std::exchange(doubles_, {}))
                 : ExactMatrix::from(rows, cols, std::exchange(rationals_, {}));
}

void NumberListReader::Entry::accept(Rational value) {
  entries.push(std::move(value));
  ++count;
}

void NumberListReader::Entry::accept_double(double value) {
  entries.push(value);
  ++count;
}

void NumberListReader::end_list() {
  if (entry_.count == 0) throw InputError("found an empty list; at least one number is needed");
  finish(entry_.count);
}

TupleReader::TupleReader(SizeBudget& budget, std::size_t size, std::int64_t least, std::string expected)
    : first_(budget, least, max_extent),
      second_(budget, least, max_extent),
      value_(budget),
      size_(size),
      expected_(std::move(expected)) {}

ValueReader& TupleReader::element(std::size_t index) {
  if (index >= size_) refuse(fmt::format("a list longer than {}", size_));
  count_ = index + 1;
  return index == 0   ? static_cast<ValueReader&>(first_)
         : index == 1 ? static_cast<ValueReader&>(second_)
                      : value_;
}

void TupleReader::end_list() {
  if (count_ != size_) refuse(fmt::format("a list of length {}", count_));
  finish(first_.value, second_.value, value_.value);
}

SparseReader::Shape::Shape(SizeBudget& sizes)
    : TupleReader(sizes, 2, 1, "a shape [rows, columns] of two whole numbers"), budget(sizes) {}

void SparseReader::Shape::finish(Index first, Index second, Rational&) {
  budget.charge(least_bits, static_cast<std::size_t>(first) * static_cast<std::size_t>(second));
  rows = first;
  cols = second;
}

SparseReader::Entry::Entry(SizeBudget& budget)
    : TupleReader(budget, 3, 0, "an entry [row, column, value] with zero-based row and column") {}

void SparseReader::Entry::finish(Index first, Index second, Rational& value) {
  triplets.push_back({first, second, triplets.size(), std::move(value)});
}

SparseReader::SparseReader(SizeBudget& budget)
    : ObjectReader({"shape", "entries", "diag"}),
      budget_(budget),
      shape_(budget),
      entry_(budget),
      entries_(entry_, "a list of entries [row, column, value]"),
      diagonal_reader_(budget) {}

void SparseReader::start() {
  entry_.triplets.clear();
}

ValueReader& SparseReader::value_of(std::string_view key) {
  const bool diagonal = key == "diag";
  if (diagonal ? seen("shape") || seen("entries") : seen("diag"))
    throw InputError("found \"diag\" beside \"shape\" or \"entries\"; a matrix is given by one or the other");
  if (diagonal) return diagonal_reader_.into(diagonal_);
  return key == "shape" ? static_cast<ValueReader&>(shape_) : entries_;
}

void SparseReader::finish() {
  if (seen("diag")) return finish_diagonal();
  require("shape", "a sparse matrix has \"shape\" and \"entries\", a diagonal one only \"diag\"");
  require("entries", "a sparse matrix has \"shape\" and \"entries\", a diagonal one only \"diag\"");
  finish_entries();
}

void SparseReader::finish_entries() {
  std::vector<Triplet>& triplets = entry_.triplets;
  for (const Triplet& t : triplets)
    if (t.row >= shape_.rows || t.col >= shape_.cols)
      throw InputError(
          fmt::format("entries[{}]: found the position [{}, {}], outside of the shape {} x {}; positions "
                      "count from 0",
                      t.number, t.row, t.col, shape_.rows, shape_.cols));
  std::sort(triplets.begin(), triplets.end(), [](const Triplet& a, const Triplet& b) {
    return std::tie(a.row, a.col, a.number) < std::tie(b.row, b.col, b.number);
  });
  EntryList dense;
  std::size_t filled = 0;
  for (std::size_t i = 0; i < triplets.size(); ++i) {
    Triplet& t = triplets[i];
    if (i > 0 && triplets[i - 1].row == t.row && triplets[i - 1].col == t.col)
      throw InputError(
          fmt::format("entries[{}]: found the position [{}, {}] again, which entries[{}] gave; every "
                      "position may stand once",
                      t.number, t.row, t.col, triplets[i - 1].number));
    const auto at = static_cast<std::size_t>(t.row * shape_.cols + t.col);
    dense.push_zeros(at - filled);
    dense.push(std::move(t.value));
    filled = at + 1;
  }
  dense.push_zeros(static_cast<std::size_t>(shape_.rows * shape_.cols) - filled);
  result_ = dense.take(shape_.rows, shape_.cols);
  triplets = {};
}

void SparseReader::finish_diagonal() {
  const Index size = diagonal_.cols();
  budget_.charge(least_bits, static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  EntryList dense;
  for (Index i = 0; i < size; ++i) {
    if (i > 0) dense.push_zeros(static_cast<std::size_t>(size));
    dense.push(diagonal_(0, i));
  }
  result_ = dense.take(size, size);
}

std::string MatrixReader::expected() const {
  return "a matrix: a list of rows, {\"shape\": [r, c], \"entries\": [[i, j, v], ...]} or {\"diag\": [...]}";
}

void MatrixReader::finish_row(Index count) {
  if (rows_ == 0) cols_ = count;
  if (count != cols_)
    throw InputError(
        fmt::format("found a row of length {}; the rows before have length {}, and all must be equally long",
                    count, cols_));
  ++rows_;
}

void MatrixReader::end_list() {
  if (rows_ == 0) throw InputError("found an empty list; a matrix needs at least one row");
  *target_ = entries_.take(rows_, cols_);
}

void MatrixReader::end_object() {
  sparse_.end_object();
  *target_ = sparse_.take();
}

}  // namespace rankfall::json
