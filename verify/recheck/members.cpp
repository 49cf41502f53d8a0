// The inequalities for every token, entry or column of one layer.
#include <fmt/format.h>

#include "numerics/errors.hpp"
#include "verify/recheck/instance.hpp"

namespace rankfall::recheck {
namespace {

/// Half of the largest 1-distance of two rows of D, which is that of the attention.
Number ergodicity(const Matrix& D, Bits p) {
  Number top;
  for (long i = 0; i < D.rows; ++i)
    for (long k = i + 1; k < D.rows; ++k) {
      Number sum;
      for (long j = 0; j < D.cols; ++j) sum = add(sum, abs(sub(D(i, j), D(k, j), p)), p);
      top = max(top, sum);
    }
  return scale(top, -1);
}

/// The largest range_j(E_ij - E_kj) of two rows.
Number largest_range(const Matrix& E, Bits p) {
  Number top;
  for (long i = 0; i < E.rows; ++i)
    for (long k = i + 1; k < E.rows; ++k) {
      Number high = sub(E(i, 0), E(k, 0), p), low = high;
      for (long j = 1; j < E.cols; ++j) {
        const Number difference = sub(E(i, j), E(k, j), p);
        high = max(high, difference);
        low = min(low, difference);
      }
      top = max(top, sub(high, low, p));
    }
  return top;
}

/// The symbols of members, their indices counted from 1 and within the sizes.
class MemberSymbols {
 public:
  MemberSymbols(const LayerView& layer, const HeadView& head, Bits p)
      : layer_(layer), head_(head), p_(p), mixed_(product(head.D, layer.before.R, p)) {}

  std::map<std::string, long> chosen;  ///< i, j, k

  Value operator()(const std::string& name, const std::vector<long>& indices) {
    if (indices.empty()) {
      if (const auto index = chosen.find(name); index != chosen.end()) return Rational(index->second);
      if (name == "n") return Rational(head_.E.rows);
      if (name == "tau") return kept(name, [&] { return ergodicity(head_.D, p_); });
      if (name == "range") return kept(name, [&] { return largest_range(head_.E, p_); });
    }
    const Matrix* entries = name == "D"     ? &head_.D
                            : name == "P"   ? &head_.D
                            : name == "E"   ? &head_.E
                            : name == "RW"  ? &head_.RW
                            : name == "out" ? &layer_.after.R
                                            : nullptr;
    if (entries && indices.size() == 2) {
      const long i = within(indices[0], entries->rows), j = within(indices[1], entries->cols);
      return name == "P" ? add(head_.q[static_cast<std::size_t>(j)], (*entries)(i, j), p_) : (*entries)(i, j);
    }
    if (indices.size() == 1) {
      const long size = name == "osc" || name == "mixed" ? mixed_.cols : head_.E.rows;
      const long i = within(indices[0], size);
      if (name == "q") return head_.q[static_cast<std::size_t>(i)];
      if (name == "rho")
        return kept(fmt::format("rho{}", i), [&] { return row_oscillation(head_.E, i, p_); });
      if (name == "osc") return column_oscillation(layer_.before.R, i, p_);
      if (name == "mixed") return column_oscillation(mixed_, i, p_);
    }
    refuse_symbol(name, indices);
  }

 private:
  static long within(long index, long size) {
    if (index < 1 || index > size) throw InputError(fmt::format("the index {} is beyond {}", index, size));
    return index - 1;
  }
  template <class Compute>
  Number kept(const std::string& name, Compute compute) {
    auto found = kept_.find(name);
    if (found == kept_.end()) found = kept_.emplace(name, compute()).first;
    return found->second;
  }

  const LayerView& layer_;
  const HeadView& head_;
  Bits p_;
  Matrix mixed_;  ///< P R up to a common row
  std::map<std::string, Number> kept_;
};

}  // namespace

void Instance::members_of(std::size_t head, const Visit& visit) const {
  const LayerView& layer = view(reading_.from);
  const Matrix& R = layer.before.R;
  if (followed_.network().tokens != single(R.rows))
    throw InputError(
        "inequalities for every token or entry are not rechecked for rows that stand for several tokens");
  MemberSymbols symbols(layer, layer.heads[head], p_);
  const auto look = [&](const std::string& name, const std::vector<long>& indices) {
    return symbols(name, indices);
  };
  const auto both = [&] {
    for (const Statement::Member& member : statement_.members)
      visit(as_number(member.left.evaluate(look, p_), p_), as_number(member.right.evaluate(look, p_), p_));
  };
  const std::string& quantity = statement_.quantity;
  if (quantity == "column-oscillation") {
    for (symbols.chosen["k"] = 1; symbols.chosen["k"] <= R.cols; ++symbols.chosen["k"]) both();
    return;
  }
  if (quantity != "attention-entries" && quantity != "residual-entries") refuse_quantity(quantity);
  const long cols = quantity == "attention-entries" ? R.rows : layer.after.R.cols;
  for (symbols.chosen["i"] = 1; symbols.chosen["i"] <= R.rows; ++symbols.chosen["i"])
    for (symbols.chosen["j"] = 1; symbols.chosen["j"] <= cols; ++symbols.chosen["j"]) both();
}

}  // namespace rankfall::recheck
