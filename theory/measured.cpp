#include "theory/measured.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "numerics/nearest.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/substitute.hpp"

namespace rankfall::theory {
namespace {

constexpr std::size_t of_layers = 1, of_heads = 2;

std::vector<MeasuredSymbol> all_symbols() {
  std::vector<MeasuredSymbol> all = {
      {.name = "L", .whole = true, .words = "layers of the stretch: 1 for a bound of one layer"},
      {.name = "n", .whole = true, .words = "tokens"},
      {.name = "d", .whole = true, .words = "width of the first layer's input"},
      {.name = "H", .whole = true, .words = "heads, the most of a layer"},
      {.name = "d_qk", .whole = true, .words = "width of a query, where it is the same throughout"},
      {.name = "alpha", .words = "|skip| of the first layer"},
      {.name = "r0", .words = "residual of the first state, minimal or about the reference"},
      {.name = "delta", .words = "composite diameter of the first state"},
      {.name = "beta", .words = "largest |W_QK|_1 |W_h|_{1,inf} of a head"},
      {.name = "gamma",
       .words = "of the reading (--gamma): the one number whose chain is that of the layers"},
      {.name = "a", .most_indices = of_heads, .words = "|W_QK|_1/sqrt(d_qk) of a head"},
      {.name = "W_1", .most_indices = of_heads, .words = "|W_h|_1 of a head"},
      {.name = "W_inf", .most_indices = of_heads, .words = "|W_h|_inf of a head"},
      {.name = "W_c", .most_indices = of_heads, .words = "|W_h|_{1,inf} of a head"},
  };
  for (const std::string p : {"1", "2", "inf"}) {
    all.push_back({.name = "diam_" + p, .words = "diameter of the first state in the vector norm " + p});
    all.push_back({.name = "op_" + p,
                   .most_indices = of_heads,
                   .words = "norm of a head's value map in the vector norm " + p});
    all.push_back(
        {.name = "k_" + p,
         .most_indices = of_heads,
         .words = "bilinear norm of a head's W_QK in the vector norm " + p + ", over 4 sqrt(d_qk)"});
    all.push_back({.name = "rate_" + p,
                   .words = fmt::format("largest sum_h op_{0}[h]*tanh(k_{0}[h]*diam_{0}^2) of a layer", p)});
    all.push_back(
        {.name = "lambda_" + p,
         .most_indices = of_layers,
         .words = "Lipschitz constant in the vector norm " + p + " of the MLP blocks behind a layer"});
  }
  const std::vector<MeasuredSymbol> rest = {
      {.name = "lambda", .most_indices = of_layers, .words = "|Mf|_{1,inf} of the MLP blocks behind a layer"},
      {.name = "Cmax", .words = "largest `constant` of a layer"},
      {.name = "rho", .of_scores = true, .words = "largest oscillation of a row of E"},
      {.name = "sumrho", .of_scores = true, .words = "sum of the rows' oscillations, of head 1"},
      {.name = "M", .of_scores = true, .words = "largest |E_ij|, of head 1"},
      {.name = "phi", .of_scores = true, .words = "(e^t - 1)/t at t = min(M, rho), of head 1"},
      {.name = "E1", .of_scores = true, .words = "|E|_1, of head 1"},
      {.name = "RW", .of_scores = true, .words = "|R W_h|_{1,inf}, of head 1"},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

class Checker {
 public:
  Checker(std::vector<std::string> indices, const std::vector<std::string>& defined)
      : bound_(std::move(indices)), defined_(defined) {}

  void check(const Expression& e) {
    const std::vector<Expression>& operands = e.operands();
    if (e.is(Kind::symbol)) return check_symbol(e);
    if (e.is(Function::binomial))
      for (const Expression& operand : operands) require_whole(operand, "in " + to_short_text(e));
    if (!e.is(Kind::sum) && !e.is(Kind::prod)) {
      for (const Expression& operand : operands) check(operand);
      return;
    }
    require_whole(operands[0], "as the first index of " + to_short_text(e));
    require_whole(operands[1], "as the last index of " + to_short_text(e));
    bound_.push_back(e.name());
    check(operands[2]);
    bound_.pop_back();
  }

 private:
  bool is_bound(const std::string& name) const { return std::ranges::find(bound_, name) != bound_.end(); }

  void check_symbol(const Expression& e) {
    const std::size_t indices = e.operands().size();
    if (indices == 0 && is_bound(e.name())) return;
    const MeasuredSymbol* symbol = find_measured(e.name());
    if (!symbol) throw InputError(unknown(e.name()));
    if (indices > symbol->most_indices)
      throw InputError(fmt::format("{} has {} indices; {} takes {}", to_short_text(e), indices, symbol->name,
                                   symbol->most_indices == 0   ? "none"
                                   : symbol->most_indices == 1 ? "none or [layer]"
                                                               : "none, [head] or [layer,head]"));
    for (const Expression& index : e.operands()) require_whole(index, "as an index of " + to_short_text(e));
  }

  std::string unknown(const std::string& name) const {
    std::vector<std::string> names = defined_;
    for (const MeasuredSymbol& symbol : measured_symbols()) names.push_back(symbol.name);
    names.insert(names.end(), bound_.begin(), bound_.end());
    const std::string meant = nearest(name, names);
    return fmt::format("unknown symbol '{}'; {}", name,
                       meant.empty() ? "`rankfall explain --symbols` lists those that are measured"
                                     : "did you mean '" + meant + "'?");
  }

  void require_whole(const Expression& e, const std::string& place) {
    check(e);
    if (!is_whole(e))
      throw InputError(
          fmt::format("{} stands {}, where a whole number is expected: integers, n, d, d_qk, H, L "
                      "and the indices of sums, with + - * ^",
                      to_short_text(e), place));
  }

  bool is_whole(const Expression& e) const {
    const auto all = [&] {
      return std::ranges::all_of(e.operands(), [&](const Expression& x) { return is_whole(x); });
    };
    switch (e.kind()) {
      case Kind::constant:
        return denominator(e.value()) == 1;
      case Kind::symbol: {
        const MeasuredSymbol* symbol = find_measured(e.name());
        return e.operands().empty() && (is_bound(e.name()) || (symbol && symbol->whole));
      }
      case Kind::add:
      case Kind::multiply:
      case Kind::negate:
      case Kind::power:
        return all();
      case Kind::call:
        return (e.is(Function::min) || e.is(Function::max) || e.is(Function::abs) ||
                e.is(Function::binomial)) &&
               all();
      case Kind::divide:
      case Kind::sum:
      case Kind::prod:
        return false;
    }
    return false;
  }

  std::vector<std::string> bound_;
  const std::vector<std::string>& defined_;
};

bool of_scores(const Expression& e) {
  return std::ranges::any_of(free_symbols(e), [](const FreeSymbol& symbol) {
    const MeasuredSymbol* known = find_measured(symbol.name);
    return known && known->of_scores;
  });
}

bool of_scores(const Hypothesis& hypothesis) {
  return of_scores(hypothesis.value) || of_scores(hypothesis.bound);
}

}  // namespace

const std::vector<MeasuredSymbol>& measured_symbols() {
  static const std::vector<MeasuredSymbol> all = all_symbols();
  return all;
}

const MeasuredSymbol* find_measured(std::string_view name) {
  const auto& all = measured_symbols();
  const auto found = std::ranges::find(all, name, &MeasuredSymbol::name);
  return found == all.end() ? nullptr : &*found;
}

void check_measured(const Expression& e, const std::vector<std::string>& indices,
                    const std::vector<std::string>& defined) {
  Checker(indices, defined).check(e);
}

bool speaks_of_scores(const Statement& statement) {
  const auto any = [](const std::vector<Hypothesis>& hypotheses) {
    return std::ranges::any_of(hypotheses, [](const Hypothesis& h) { return of_scores(h); });
  };
  return any(statement.hypotheses) || std::ranges::any_of(statement.bounds, [&](const Bound& bound) {
           return of_scores(bound.right) || any(bound.hypotheses);
         });
}

}  // namespace rankfall::theory
