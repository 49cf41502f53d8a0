#include "verify/table_notes.hpp"

#include <fmt/format.h>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/evaluate.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"

namespace rankfall::verify {

using namespace theory;

std::string note_of(const Statement& s) {
  const auto form = closed_form(s);
  std::string note = fmt::format("{} ({}): {}", s.id, name(s.status),
                                 to_text(form ? form->bound() : s.bounds.front().right));
  if (form && !form->words.empty()) note += "; " + form->words;
  for (const Hypothesis& hypothesis : s.hypotheses) note += "; where " + hypothesis.words;
  return note;
}

std::string no_scalar_bound(const Statement& statement) {
  if (statement.id == "path-count") return "path-count is a table of its own: name it alone";
  if (!statement.file.empty())
    return fmt::format(
        "{}: line {}: {} names {}, which only a network has; a table takes L, n, d, H, d_qk, beta, "
        "gamma, lambda and r0",
        statement.file, statement.line, statement.id, name_beyond_a_table(statement));
  std::vector<std::string_view> ids;
  for (const Statement& s : catalogue())
    if (closed_form(s)) ids.push_back(s.id);
  ids.emplace_back("path-count");
  return fmt::format("{} is no bound in the scalar constants alone; a table can be made of {}", statement.id,
                     listed(ids));
}

std::optional<Expression> crossing(const Statement& first, const Statement& second) {
  const std::optional<ClosedForm> of_first = closed_form(first), of_second = closed_form(second);
  if (!of_first || !of_second) return std::nullopt;
  const ClosedForm &a = *of_first, &b = *of_second;
  if (a.quantity != b.quantity || !(a.prefactor == sqrt(sym("n") - 1)) || !b.prefactor.is(Rational(1)))
    return std::nullopt;
  return 1 + pow(simplify(b.constant / a.constant), pow(3, sym("L")) - 1);
}

std::string crossing_note(const Statement& first, const Statement& second, const Expression& limit) {
  std::string note =
      fmt::format("{} is at most {} exactly when n <= {}", first.id, second.id, to_text(limit));
  std::string values;
  for (long depth = 1; depth <= 2; ++depth) {
    Environment at_depth;
    at_depth.set("L", Rational(depth));
    try {
      if (const auto value = evaluate_exact(limit, at_depth))
        values += fmt::format("{}L = {}: {}", values.empty() ? "" : ", ", depth, to_text(*value));
    } catch (const InputError&) {
      return note;  // it depends on more than the depth
    }
  }
  return values.empty() ? note : note + fmt::format(" ({})", values);
}

}  // namespace rankfall::verify
