#include "verify/averages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/average_instances.hpp"

namespace rankfall::verify {
namespace {

constexpr int equal_digits = 60;

}  // namespace

const theory::Expression& formula(const char* id, std::size_t index) {
  return theory::find_statement(id).formulas.at(index).right;
}

Matrix<Rational> rational_matrix(Index rows, Index cols, std::initializer_list<const char*> entries) {
  Matrix<Rational> result(rows, cols);
  Index i = 0;
  for (const char* entry : entries) result.data()[i++] = parse_number(entry);
  return result;
}

Confirmation identity(const char* id, std::string instance, const Ball& left, const Ball& right) {
  Confirmation result{id, std::move(instance), "=", left, right};
  const Ball gap = upper(abs(sub(left, right, average_precision)), average_precision);
  if (!overlap(left, right))
    result.verdict = Verdict::refuted;
  else if (certainly_less_equal(gap,
                                mul(abs(right), Ball(power(Rational(10), -equal_digits), average_precision),
                                    average_precision)))
    result.verdict = Verdict::proved;
  return result;
}

Confirmation identity(const char* id, std::string instance, const Rational& left, const Rational& right) {
  return {id,
          std::move(instance),
          "=",
          Ball(left, average_precision),
          Ball(right, average_precision),
          left == right ? Verdict::proved : Verdict::refuted};
}

Confirmation at_most(const char* id, std::string instance, const Ball& left, const Ball& right) {
  Confirmation result{id, std::move(instance), "<=", left, right};
  if (certainly_less_equal(left, right)) result.verdict = Verdict::proved;
  if (certainly_less(right, left)) result.verdict = Verdict::refuted;
  return result;
}

const std::vector<std::string>& average_ids() {
  static const std::vector<std::string> ids{"gaussian-rate", "noci-correlation", "kim-lipschitz"};
  return ids;
}

std::vector<Confirmation> confirmations(const std::string& id, const AverageOptions& options) {
  if (id == "gaussian-rate") return gaussian_rate_instances(options);
  if (id == "noci-correlation") return noci_correlation_instances();
  if (id == "kim-lipschitz") return kim_lipschitz_instances();
  const std::string near = nearest(id, average_ids());
  throw InputError(fmt::format("{} is no statement about averages{}; these are {}", in_quotes(id),
                               near.empty() ? "" : ": did you mean \"" + near + "\"?",
                               fmt::join(average_ids(), ", ")));
}

}  // namespace rankfall::verify
