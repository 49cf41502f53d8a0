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
      : layer_(layer), head_(head), p_(p), mixed_(product(head.D, head.keys, p)) {}

  std::map<std::string, long> chosen;  ///< i, j, k
  long keys() const { return head_.E.cols; }

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
      if (name == "P" && head_.q.empty()) return (*entries)(i, j);
      return name == "P" ? add(head_.q[static_cast<std::size_t>(j)], (*entries)(i, j), p_) : (*entries)(i, j);
    }
    if (indices.size() == 1) {
      const long size = name == "osc" || name == "mixed" ? mixed_.cols : head_.E.rows;
      const long i = within(indices[0], size);
      if (name == "q" && !head_.q.empty())
        return head_.q[static_cast<std::size_t>(within(indices[0], head_.E.cols))];
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

/// What is beyond the linear part q_j (E_ij - mean_i) of D: with e = E + s and m = mean + mean of s it is
/// q_j (s_ij - mean s_i - m_i (E_ij - mean_i))/(1 + m_i).
Matrix beyond_linear(const HeadView& head, Bits p) {
  Matrix result(head.E.rows, head.E.cols);
  for (long i = 0; i < result.rows; ++i) {
    Vector s;
    Number mean, mean_s;
    for (long j = 0; j < result.cols; ++j) {
      const Number& q = head.q[static_cast<std::size_t>(j)];
      s.push_back(expm2(head.E(i, j), p));
      mean = add(mean, mul(q, head.E(i, j), p), p);
      mean_s = add(mean_s, mul(q, s.back(), p), p);
    }
    const Number m = add(mean, mean_s, p), total = add(Number(1), m, p);
    for (long j = 0; j < result.cols; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const Number bend = sub(sub(s[k], mean_s, p), mul(m, sub(head.E(i, j), mean, p), p), p);
      result(i, j) = div(mul(head.q[k], bend, p), total, p);
    }
  }
  return result;
}

Number largest_distance(const Matrix& a, const std::string& norm, Bits p) {
  Number top;
  for (long i = 0; i < a.rows; ++i)
    for (long k = i + 1; k < a.rows; ++k) top = max(top, vector_norm(row_difference(a, i, k, p), norm, p));
  return top;
}

}  // namespace

/// One for each token; heads are summed over.
void Instance::members_beyond_leading_order(const std::string& norm, const Visit& visit) const {
  const LayerView& layer = view(reading_.from);
  Matrix bent(layer.after.R.rows, layer.after.R.cols);
  Vector diameters;
  for (const HeadView& head : layer.heads) {
    if (head.q.empty()) throw InputError("a leading order is named where queries see different keys");
    const Matrix change = product(beyond_linear(head, p_), head.RW, p_);
    for (std::size_t k = 0; k < bent.entries.size(); ++k)
      bent.entries[k] = add(bent.entries[k], change.entries[k], p_);
    diameters.push_back(largest_distance(head.RW, norm, p_));
  }
  long i = 0;
  const auto look = [&](const std::string& name, const std::vector<long>& indices) -> Value {
    const auto heads = static_cast<long>(layer.heads.size());
    const bool of_head = !indices.empty() && indices.back() >= 1 && indices.back() <= heads;
    if (name == "i" && indices.empty()) return Rational(i + 1);
    if (name == "H" && indices.empty()) return Rational(heads);
    if (name == "beyond" && indices == std::vector<long>{i + 1})
      return vector_norm(
          Vector(bent.entries.begin() + i * bent.cols, bent.entries.begin() + (i + 1) * bent.cols), norm, p_);
    if (name == "diam_" + norm + "RW" && indices.size() == 1 && of_head)
      return diameters[static_cast<std::size_t>(indices[0] - 1)];
    if (name == "rho" && indices.size() == 2 && indices[0] == i + 1 && of_head)
      return row_oscillation(layer.heads[static_cast<std::size_t>(indices[1] - 1)].E, i, p_);
    refuse_symbol(name, indices);
  };
  for (; i < bent.rows; ++i)
    for (const Statement::Member& member : statement_.members)
      visit(as_number(member.left.evaluate(look, p_), p_), as_number(member.right.evaluate(look, p_), p_));
}

void Instance::members_of(std::size_t head, const Visit& visit) const {
  const LayerView& layer = view(reading_.from);
  const Matrix& R = layer.before.R;
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
  const long cols = quantity == "attention-entries" ? symbols.keys() : layer.after.R.cols;
  for (symbols.chosen["i"] = 1; symbols.chosen["i"] <= R.rows; ++symbols.chosen["i"])
    for (symbols.chosen["j"] = 1; symbols.chosen["j"] <= cols; ++symbols.chosen["j"]) both();
}

}  // namespace rankfall::recheck
