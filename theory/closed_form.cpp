#include "theory/closed_form.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "theory/expression/simplify.hpp"
#include "theory/expression/substitute.hpp"

namespace rankfall::theory {
namespace {

const Expression L = sym("L"), r0 = sym("r0"), beta = sym("beta"), gamma = sym("gamma"),
                 lambda = sym("lambda"), heads = sym("H"), d_qk = sym("d_qk");

/// (3^L-1)/2
Expression cubic_exponent() {
  return (pow(3, L) - 1) / 2;
}

// Heads whose a_h |W_h|_p are replaced by the largest: sqrt( sum_h a_h |W_h|_1 sum_h a_h |W_h|_inf ) <=
// H sqrt(beta_1 beta_inf)/sqrt(d_qk).
constexpr char uniform_beta[] =
    "beta stands for a bound of sqrt(beta_1 beta_inf), beta_p the largest |W_QK|_1 |W_h|_p of all heads; for "
    "one head "
    "in every layer |W_QK|_1 |W|_{1,inf} serves";
constexpr char layer_gamma[] = "gamma stands for a bound of sum-max or max-ratio in every layer";

std::map<std::string, ClosedForm> all_closed_forms() {
  const Expression plain = 4 * beta / sqrt(d_qk), with_gamma = 4 * gamma * beta / sqrt(d_qk),
                   with_heads = 4 * beta * heads / sqrt(d_qk);
  return {
      {"dong-2.2-v1", {.constant = plain}},
      {"dong-2.2", {.constant = with_gamma, .words = layer_gamma}},
      {"dong-2.3-v1", {.constant = with_heads}},
      {"dong-2.3", {.constant = 4 * gamma * beta * heads / sqrt(d_qk)}},
      {"dong-2.3-repaired", {.constant = with_heads, .words = uniform_beta}},
      {"dong-2.3-repaired-sharp", {.constant = sqrt(3 / d_qk) * beta * heads / 2, .words = uniform_beta}},
      {"dong-3.2-mlp",
       {.constant = 4 * gamma * beta * lambda / sqrt(d_qk),
        .words = std::string(layer_gamma) + ", lambda for one of |Mf|_{1,inf}"}},
      {"dong-3.2-repaired",
       {.constant = 4 * beta * lambda * heads / sqrt(d_qk),
        .words = std::string(uniform_beta) + "; lambda for a bound of |Mf|_{1,inf} in every layer"}},
      {"composite-diameter",
       {.constant = beta * heads / (2 * sqrt(d_qk)), .prefactor = sqrt(sym("n") - 1), .words = uniform_beta}},
      {"diameter-cubic",
       {.quantity = Quantity::diameter_2,
        .constant = beta * heads / (4 * sqrt(d_qk)),
        .words = "of diam_p for p = 1, 2 or inf: r0 stands for diam_p(X), beta for a bound of op_p(W_h) "
                 "bil_p(W_QK) "
                 "over all heads"}},
  };
}

/// Whether the expression names nothing but these, without indices; else the first other name.
std::string first_other_name(const Expression& e, const std::set<std::string>& names) {
  for (const FreeSymbol& symbol : free_symbols(e))
    if (symbol.indices != 0 || !names.contains(symbol.name)) return symbol.name;
  return {};
}

/// Of a bound of one's own: its constant, checked when it was read, if that names scalar constants alone.
std::optional<ClosedForm> own_closed_form(const Bound& bound) {
  if (bound.span != Bound::Span::depth || !bound.constant || bound.from_below) return std::nullopt;
  const Expression prefactor = bound.prefactor.value_or(1);
  if (!first_other_name(*bound.constant, {"n", "H", "d_qk", "beta", "gamma", "lambda"}).empty() ||
      !first_other_name(prefactor, {"n"}).empty())
    return std::nullopt;
  return ClosedForm{bound.quantity, *bound.constant, prefactor,
                    bound.quantity == Quantity::residual ? "" : "r0 stands for what the bound starts from"};
}

}  // namespace

std::optional<ClosedForm> closed_form(const Statement& statement) {
  if (!statement.file.empty()) return own_closed_form(statement.bounds.front());
  static const std::map<std::string, ClosedForm> forms = all_closed_forms();
  const auto found = forms.find(statement.id);
  return found == forms.end() ? std::nullopt : std::optional(found->second);
}

std::string name_beyond_a_table(const Statement& statement) {
  return first_other_name(statement.bounds.front().right,
                          {"L", "n", "d", "H", "d_qk", "beta", "gamma", "lambda", "r0"});
}

Quantity scalar_quantity(const Statement& statement) {
  const auto form = closed_form(statement);
  return form ? form->quantity : statement.bounds.front().quantity;
}

std::optional<Expression> scalar_bound(const Statement& statement) {
  if (const auto form = closed_form(statement)) return form->grouped();
  if (statement.file.empty() || !name_beyond_a_table(statement).empty()) return std::nullopt;
  return statement.bounds.front().right;
}

Expression ClosedForm::bound() const {
  return simplify(prefactor * pow(constant, cubic_exponent()) * pow(r0, pow(3, L)));
}

Expression ClosedForm::grouped() const {
  return prefactor * pow(constant * pow(r0, 2), cubic_exponent()) * r0;
}

Expression ratio(const ClosedForm& above, const ClosedForm& below) {
  return above.prefactor / below.prefactor * pow(simplify(above.constant / below.constant), cubic_exponent());
}

}  // namespace rankfall::theory
