#include "verify/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"
#include "theory/expression/substitute.hpp"
#include "verify/enclosure.hpp"
#include "verify/table_notes.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr int guard_digits = 6;  // the exponent of ten takes up to 5 of the digits of log10

AxisRange integers(long least, const Rational& most, const std::string& words) {
  return {true, least, most, words};
}

AxisRange positive() {
  static const Rational most = parse_number("1e10000");
  return {false, 1 / most, most, "numbers above 0, from 1e-10000 to 1e10000"};
}

std::size_t position(Constant constant) {
  return static_cast<std::size_t>(constant);
}

/// A value as its symbols have it; the symbols without a constant of the table are not there.
Environment environment(const std::array<Rational, constants>& values) {
  Environment result;
  for (std::size_t i = 0; i < constants; ++i) result.set(constant_infos()[i].symbol, values[i]);
  return result;
}

/// Precision is raised until as many digits are certain, or a precision is reached that the exponent 3^L
/// cannot need. The exponent itself is exact, which takes long at great depth, only where its leading bits
/// leave a digit open: where powers nearly cancel.
Magnitude enclose_to(const Expression& e, const Environment& values, int digits, long depth) {
  constexpr std::size_t short_integers = 4096;
  const long most_bits = 256 + 8L * digits + 8 * depth;
  const auto enclosed = [&](long bits, std::size_t exact_bits) {
    return evaluate(e, values, Precision(bits), {.exact_bits = exact_bits});
  };
  const auto certain = [&](const Magnitude& m) { return narrow_log10(m, digits + guard_digits); };
  long bits = 64 + 4L * digits;
  if (Magnitude result = enclosed(bits, short_integers); certain(result)) return result;
  for (;; bits *= 2) {
    Magnitude result = enclosed(bits, static_cast<std::size_t>(short_integers + 4 * depth));
    if (bits >= most_bits || certain(result)) return result;
  }
}

}  // namespace

const std::array<ConstantInfo, constants>& constant_infos() {
  static const Rational many = parse_number("1e30");
  static const std::array<ConstantInfo, constants> infos = {{
      {"depth", "depth", "L", "Layers L", "1:12", integers(1, 100'000, "integers from 1 to 100000")},
      {"tokens", "tokens", "n", "Tokens n", "16", integers(2, many, "integers from 2 to 1e30")},
      {"dim", "dim", "d", "Width d", "16", integers(1, many, "integers from 1 to 1e30")},
      {"heads", "heads", "H", "Heads H of a layer", "1", integers(1, many, "integers from 1 to 1e30")},
      {"d_qk", "d-qk", "d_qk", "Width of a query", "", integers(1, many, "integers from 1 to 1e30")},
      {"beta", "beta", "beta", "Bound of the weights of every head, |W_QK|_1 |W|_{1,inf}", "1", positive()},
      {"gamma", "gamma", "gamma", "The factor gamma of dong-2.2, dong-2.3, dong-3.2-mlp", "1", positive()},
      {"lambda", "lambda", "lambda", "Lipschitz constant of the MLP blocks", "1", positive()},
      {"residual", "residual", "r0", "Residual of the input, r0", "1", positive()},
  }};
  return infos;
}

Table::Table(const TableRequest& request) : statements_(request.statements), digits_(request.digits) {
  for (const Statement* s : statements_) {
    const auto bound = scalar_bound(*s);
    if (!bound) throw InputError(no_scalar_bound(*s));
    bounds_.push_back(*bound);
    ratios_.push_back(bounds_.size() > 1 ? ratio_to_first(*s) : std::nullopt);
  }
  Integer rows = 1;
  for (std::size_t i = 0; i < constants; ++i) {
    const ConstantInfo& info = constant_infos()[i];
    const auto given = request.axes.find(static_cast<Constant>(i));
    const std::string& text = given == request.axes.end() ? info.standard : given->second;
    if (given == request.axes.end() && info.standard.empty()) continue;
    axes_[i].emplace(info.flag, text, info.range);
    rows *= axes_[i]->size();
  }
  if (rows > most_table_rows)
    throw InputError(fmt::format("the table would have {} rows; allowed are 1 to {}", to_text(Rational(rows)),
                                 most_table_rows));
  rows_ = rows.convert_to<long>();
  const Axis& heads = *axis(Constant::heads);
  for (const Statement* s : statements_)
    if (s->scope.one_head && (heads.size() != 1 || heads.at(0) != 1))
      throw InputError(fmt::format("--heads: {} is stated for one head; allowed is 1", s->id));
  check_query_width();
}

std::optional<Expression> Table::ratio_to_first(const Statement& statement) const {
  const Statement& first = *statements_.front();
  if (scalar_quantity(statement) != scalar_quantity(first)) return std::nullopt;
  const auto above = closed_form(statement), below = closed_form(first);
  if (above && below) return ratio(*above, *below);
  return simplify(bounds_.back() / bounds_.front());
}

void Table::check_query_width() const {
  if (axis(Constant::d_qk)) return;
  const Axis &dims = *axis(Constant::dim), &heads = *axis(Constant::heads);
  for (long i = 0; i < dims.size(); ++i)
    for (long j = 0; j < heads.size(); ++j)
      if (const Rational width = dims.at(i) / heads.at(j); denominator(width) != 1)
        throw InputError(
            fmt::format("--heads: dim {} is not a multiple of {} heads; give --d-qk, the width of a query",
                        to_text(dims.at(i)), to_text(heads.at(j))));
}

bool Table::varies(Constant constant) const {
  if (const auto& given = axis(constant)) return given->size() != 1;
  return varies(Constant::dim) || varies(Constant::heads);
}

bool Table::uses(Constant constant) const {
  return std::any_of(bounds_.begin(), bounds_.end(), [&](const Expression& bound) {
    return depends_on(bound, constant_infos()[position(constant)].symbol);
  });
}

Rational Table::value(Constant constant) const {
  if (const auto& given = axis(constant)) return given->at(0);
  return value(Constant::dim) / value(Constant::heads);
}

TableRow Table::row(long index) const {
  TableRow row;
  // depth is the fastest, then the last constants: one network size after the other
  std::vector<Constant> order = {Constant::depth};
  for (std::size_t i = constants - 1; i > 0; --i) order.push_back(static_cast<Constant>(i));
  for (const Constant constant : order) {
    const auto& given = axis(constant);
    if (!given) continue;
    const long size = given->size().convert_to<long>();
    row.values[position(constant)] = given->at(index % size);
    index /= size;
  }
  const auto value = [&](Constant constant) -> Rational& { return row.values[position(constant)]; };
  if (!axis(Constant::d_qk)) value(Constant::d_qk) = value(Constant::dim) / value(Constant::heads);

  const Environment values = environment(row.values);
  const long depth = numerator(value(Constant::depth)).convert_to<long>();
  for (std::size_t i = 0; i < bounds_.size(); ++i) try {
      row.bounds.push_back(enclose_to(bounds_[i], values, digits_, depth));
      row.ratios.push_back(ratios_[i] ? std::optional(ratio_in(row, i, values, depth)) : std::nullopt);
    } catch (const DomainError& error) {  // of a bound of one's own
      throw InputError(fmt::format("{}: {} at depth {}: {}", statements_[i]->file, statements_[i]->id, depth,
                                   error.what()));
    }
  return row;
}

/// The quotient of the two enclosures where it is certain enough, else the ratio by its own formula.
Magnitude Table::ratio_in(const TableRow& row, std::size_t bound, const Environment& values,
                          long depth) const {
  const Magnitude &above = row.bounds[bound], &below = row.bounds.front();
  if (above.certainly_positive() && below.certainly_positive()) {
    Magnitude quotient = div(above, below, Precision(128 + 4L * digits_));
    if (!contains_zero(quotient.log2()) && narrow_log10(quotient, digits_ + guard_digits)) return quotient;
  }
  return enclose_to(*ratios_[bound], values, digits_, depth);
}

void Table::for_each(const std::function<bool(const TableRow&)>& each) const {
  for (long index = 0; index < rows_; ++index)
    if (!each(row(index))) return;
}

std::vector<std::string> Table::notes() const {
  std::vector<std::string> notes;
  for (const Statement* s : statements_) notes.push_back(note_of(*s));
  for (const Statement* first : statements_)
    for (const Statement* second : statements_) {
      const auto limit = crossing(*first, *second);
      if (!limit) continue;
      const bool one_head = first->scope.one_head || second->scope.one_head;
      notes.push_back(
          crossing_note(*first, *second, one_head ? simplify(substitute(*limit, "H", 1)) : *limit));
    }
  return notes;
}

}  // namespace rankfall::verify
